// Block devices as the kernel shows them in /sys: each is a directory there, and a whole disk is
// one that is no partition. `root` stands before /sys and /dev; empty: this machine's. Any thread
// may call.
#ifndef LEVELFIELD_PROBE_BLOCK_DEVICE_H_
#define LEVELFIELD_PROBE_BLOCK_DEVICE_H_

#include <string>
#include <vector>

#include "result/environment/mounts.h"

namespace levelfield {

// Those that a mounted file system is on, also where it has a device number of its own and names
// its device as what is mounted (btrfs, FUSE): all of btrfs, the
// log and the real-time part of XFS, the journal of ext4.
// Empty where there is none.
std::vector<std::string> BlockDevicesOf(const Mount& mount, const std::string& root = "");
// The one of that name ("sda1", "/dev/mapper/home"); empty where there is none.
std::string BlockDeviceNamed(const std::string& name, const std::string& root = "");

// The disk of a partition; a disk is its own.
std::string DiskOf(const std::string& block_device);
// "sda".
std::string NameOf(const std::string& disk);

// What a disk is made of, where it passes on what comes to it (md, dm, bcache, the paths of an NVMe
// device): devices.
std::vector<std::string> PartsOf(const std::string& disk);
// The file that a loop device is made of, absolute, with " (deleted)" where it has lost its
// name; empty of another.
std::string BackingFileOf(const std::string& disk);

// By the kernel's word: "write back", "write back, fua", "write through"; empty: it has none.
std::string WriteCacheOf(const std::string& disk);
// Whether it has a cache by its own word, of which the kernel was told that it has none: whoever
// wrote to queue/write_cache has every flush dropped.
bool IsCacheDenied(const std::string& disk);

// Why its counters do not tell how many flushes came; empty: they do.
std::string WhyFlushesAreUncounted(const std::string& disk);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_BLOCK_DEVICE_H_
