// The block device below a path, as the kernel shows it in /sys. Any thread may call.
#ifndef LEVELFIELD_RUN_BLOCK_DEVICE_H_
#define LEVELFIELD_RUN_BLOCK_DEVICE_H_

#include <string>

#include "result/mounts.h"

namespace levelfield {

// Its directory there ("/sys/dev/block/8:1"); also where the file system has a device number of its
// own and names its device as what is mounted (btrfs, FUSE). Empty where there is none.
std::string BlockDeviceOf(const Mount& mount);
std::string BlockDeviceAt(const std::string& path);

// Of a loop device the file that it is made of, absolute; empty of another.
std::string BackingFileOf(const std::string& block_device);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_BLOCK_DEVICE_H_
