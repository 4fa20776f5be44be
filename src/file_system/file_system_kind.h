// The kinds of file systems that can be made on a block device: with which programs, from which
// packages, and whether this machine has what is needed. One table; a new kind is a row.
#ifndef LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_
#define LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_

#include <cstdint>
#include <string>
#include <vector>

namespace levelfield {

struct FileSystemKind {
  // How its external journal is made.
  enum class Journal { kNone, kJbd2, kXfsLog };

  std::string name;
  // Writes everything at once: nothing is left for later, when it would be measured. The device
  // comes last.
  std::vector<std::string> mkfs;
  std::string package;       // The Debian package that has mkfs.
  uint64_t least_bytes = 0;  // The least that its mkfs accepts.
  Journal journal = Journal::kNone;
  std::string kernel_type;  // As for mount -t; empty: only a process serves it.
  std::string server = {};  // The program that serves it if the kernel does not know it.
  std::string server_package = {};
  std::string closing_options = {};  // Mount options that keep others from writing.
};

// Null if there is no kind of that name.
const FileSystemKind* FileSystemKindOf(const std::string& name);
// "ext2, ext3, ..."
std::string FileSystemKinds();

// Whether the kernel has it, or has a module of it.
bool HasKernelType(const std::string& kernel_type);
// Whether the server serves it: there is one, and the kernel does not know the kind.
bool IsServed(const FileSystemKind& kind);

// Empty if such a file system can be made on this machine; else what is missing, and what to do.
std::string WhyNoFileSystem(const std::string& kind);

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_
