// A private file system of a chosen kind and size: an image file, a loop device on it, mkfs and a
// mount that nobody else sees. Its owner removes everything. If the process dies, the kernel does,
// but leaves an empty directory. Needs root. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_
#define LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "file_system/file_system_kind.h"
#include "file_system/loop_device.h"
#include "file_system/mount_point.h"
#include "file_system/tool.h"

namespace levelfield {

// The journal of an ext3, ext4 or XFS that lies outside the file system: on an image in a
// directory, say of a tmpfs, or on an empty block device. Used by one thread.
class ExternalJournal {
 public:
  // Makes it for a file system of the kind; `place` is a directory or a block device. Fails, and
  // leaves the device alone, if it has anything on it or somebody uses it.
  static StatusOr<ExternalJournal> Make(const FileSystemKind& kind, const std::string& place);

  ExternalJournal(ExternalJournal&& other) noexcept;
  ExternalJournal& operator=(ExternalJournal&&) = delete;
  // Leaves a device empty again.
  ~ExternalJournal();

  const std::string& device() const { return device_; }
  // Arguments for mkfs, and for mount -o, of its file system.
  const std::vector<std::string>& mkfs_words() const { return mkfs_words_; }
  const std::string& mount_options() const { return mount_options_; }
  uint64_t bytes() const { return bytes_; }

 private:
  ExternalJournal() = default;

  std::optional<ImageFile> image_;
  std::optional<LoopDevice> loop_;
  std::string device_;
  bool is_emptied_ = false;  // A device, which is emptied in the end; else it is an image.
  std::vector<std::string> mkfs_words_;
  std::string mount_options_;
  uint64_t bytes_ = 0;
};

class LoopFileSystem {
 public:
  struct Options {
    std::string file_system = "ext4";  // A name of the table in file_system_kind.h.
    std::string mount_options;         // As for mount -o.
    // What is not written takes no space.
    uint64_t bytes = uint64_t{256} << 20;
    std::string scratch;  // An existing directory for the image and the mount point.
    // Bypasses the page cache of the file system that has the image, if possible.
    bool direct_io = false;
    // A directory or a block device for its journal; empty: inside. For ext3, ext4, xfs.
    std::string journal = {};
  };

  // Makes a new one on a sparse file.
  static StatusOr<std::unique_ptr<LoopFileSystem>> Make(const Options& options);
  // Makes a new one on an existing file of any size.
  static StatusOr<std::unique_ptr<LoopFileSystem>> MakeOn(const UniqueFd& image,
                                                          const Options& options);
  // Mounts the one that a file contains.
  static StatusOr<std::unique_ptr<LoopFileSystem>> MountFrom(const UniqueFd& image,
                                                             const Options& options);

  // The same for its whole life, mounted or not.
  const std::string& directory() const { return mount_point_.directory(); }
  const LoopDevice& device() const { return device_; }
  // The command that made it; empty: it existed before.
  const std::string& mkfs() const { return mkfs_; }
  // Replaces its devices, whose names change each time, by DEVICE and JOURNAL.
  std::string WithoutDevices(std::string text) const;
  uint64_t journal_bytes() const { return journal_ ? journal_->bytes() : 0; }  // 0: inside.

  // Fails if somebody still has one of its files open after five seconds.
  Status Unmount();
  // Mounts it again after Unmount.
  Status Mount();
  // Changes the options: "ro", "rw".
  Status Remount(const std::string& options);
  // Gives the image from Make a name, under which it stays.
  Status KeepImage(const std::string& path) const;

 private:
  static StatusOr<std::unique_ptr<LoopFileSystem>> MountOn(LoopDevice device,
                                                           std::optional<ExternalJournal> journal,
                                                           const Options& options);
  LoopFileSystem(Options options, LoopDevice device, std::optional<ExternalJournal> journal,
                 MountPoint mount_point);

  const Options options_;
  std::optional<ImageFile> image_;
  std::string mkfs_;
  LoopDevice device_;
  std::optional<ExternalJournal> journal_;
  std::optional<FuseServer> server_;  // If the kernel does not know the kind.
  MountPoint mount_point_;            // Unmounted before the others are released.
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_
