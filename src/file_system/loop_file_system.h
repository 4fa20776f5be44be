// A file system of its own, of a kind and a size that one can choose: an image file, a loop device
// on it, mkfs and a mount that nobody else sees. All is gone with its owner, and by the kernel with
// the process, but for an empty directory then. Needs root. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_
#define LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "file_system/loop_device.h"
#include "file_system/mount_point.h"

namespace levelfield {

class LoopFileSystem {
 public:
  struct Options {
    std::string file_system = "ext4";  // ext2, ext3, ext4, xfs, btrfs
    std::string mount_options;         // As for mount -o.
    // XFS takes 300 MiB at the least, btrfs 109 MiB; what is not written takes no space.
    uint64_t bytes = uint64_t{256} << 20;
    std::string scratch;  // An existing directory for the image and the mount point.
  };

  // Empty where such a file system can be made on this machine; else what is missing, and what to
  // do.
  static std::string WhyNot(const std::string& file_system);

  // A fresh one on a sparse file.
  static StatusOr<std::unique_ptr<LoopFileSystem>> Make(const Options& options);
  // A fresh one on a file that is there, of whatever size.
  static StatusOr<std::unique_ptr<LoopFileSystem>> MakeOn(const UniqueFd& image,
                                                          const Options& options);
  // The one that a file has in it.
  static StatusOr<std::unique_ptr<LoopFileSystem>> MountFrom(const UniqueFd& image,
                                                             const Options& options);

  // The same for the whole life, mounted or not.
  const std::string& directory() const { return mount_point_.directory(); }
  const LoopDevice& device() const { return device_; }

  // Fails where somebody still has a file of it open after five seconds.
  Status Unmount();
  // Again, after Unmount.
  Status Mount();
  // With other options: "ro", "rw".
  Status Remount(const std::string& options);

 private:
  static StatusOr<std::unique_ptr<LoopFileSystem>> MountOn(LoopDevice device,
                                                           const Options& options);
  LoopFileSystem(Options options, LoopDevice device, MountPoint mount_point);

  const Options options_;
  LoopDevice device_;
  MountPoint mount_point_;  // Unmounted before the device is given back.
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_LOOP_FILE_SYSTEM_H_
