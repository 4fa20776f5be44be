// The file system that was made for one run's store (--fs), as it really was in force. Plain data.
#ifndef LEVELFIELD_RESULT_FILE_SYSTEM_H_
#define LEVELFIELD_RESULT_FILE_SYSTEM_H_

#include <cstdint>
#include <string>

#include "result/medium.h"

namespace levelfield {

struct FileSystem {
  std::string kind;             // As it was asked for: "ext4".
  std::string mounted_as = {};  // As the kernel has it: "ext4", "fuseblk".
  std::string mount_options =
      {};                 // Of the mount and of the file system: "rw,relatime,data=ordered".
  std::string mkfs = {};  // The command; "DEVICE" stands for the image's.
  std::string mkfs_version = {};  // What that says of itself: "mke2fs 1.47.0 (5-Feb-2023)".
  std::string journal = {};       // "internal", "none", "external: 64 MiB in /dev/shm, on tmpfs".
  uint64_t bytes = 0;             // Of the image.
  std::string image_on = {};      // File system that holds the image.
  // Whether the loop device goes past the page cache of that one: else what is dropped from the
  // page cache may still be in it a second time.
  bool direct_io = false;
  Medium medium = {};  // Of the store's directory.

  bool operator==(const FileSystem&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_FILE_SYSTEM_H_
