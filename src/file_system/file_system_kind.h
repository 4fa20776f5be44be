// The kinds of file systems that can be made on a block device: with which programs, of which
// packages, and whether this machine has what it takes. One table; a new kind is a row.
#ifndef LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_
#define LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_

#include <cstdint>
#include <string>
#include <vector>

namespace levelfield {

struct FileSystemKind {
  // What makes a journal of it that lies elsewhere.
  enum class Journal { kNone, kJbd2, kXfsLog };

  std::string name;
  // All is written at once: nothing of the making is left for later, when it would be measured. The
  // device comes behind.
  std::vector<std::string> mkfs;
  std::string package;       // Debian's, of mkfs.
  uint64_t least_bytes = 0;  // That its mkfs takes.
  Journal journal = Journal::kNone;
  std::string kernel_type;  // As mount -t has it; empty: only served by a process.
  std::string server = {};  // The program that serves it where the kernel does not know it.
  std::string server_package = {};
  std::string closing_options = {};  // Mount options that keep others from writing.
};

// Null where no kind is called so.
const FileSystemKind* FileSystemKindOf(const std::string& name);
// "ext2, ext3, ..."
std::string FileSystemKinds();

// Whether the kernel has it, or has a module of it.
bool HasKernelType(const std::string& kernel_type);
// Whether it is the server's: there is one, and the kernel does not know the kind.
bool IsServed(const FileSystemKind& kind);

// Empty where such a file system can be made on this machine; else what is missing, and what to
// do.
std::string WhyNoFileSystem(const std::string& kind);

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_FILE_SYSTEM_KIND_H_
