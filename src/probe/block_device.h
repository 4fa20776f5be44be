// Block devices as the kernel shows them in /sys: each is a directory there, and a whole disk is
// one that is not a partition. `root` stands before /sys and /dev; empty: this machine's. Any
// thread may call.
#ifndef LEVELFIELD_PROBE_BLOCK_DEVICE_H_
#define LEVELFIELD_PROBE_BLOCK_DEVICE_H_

#include <string>
#include <vector>

#include "result/environment/mounts.h"
#include "result/medium.h"

namespace levelfield {

// The devices under a mounted file system: all of a btrfs, the log and the real-time part of an
// XFS, the journal of an ext4. A file system with a device number of its own has none, whatever
// it is said to be mounted from, but for btrfs and bcachefs. Empty if there is none.
std::vector<std::string> BlockDevicesOf(const Mount& mount, const std::string& root = "");
// Whether it is an ext4 or ext3 that keeps no journal (mkfs.ext4 -O ^has_journal).
bool LacksJournal(const Mount& mount, const std::string& root = "");
// The device of that name ("sda1", "/dev/mapper/home"); empty if there is none.
std::string BlockDeviceNamed(const std::string& name, const std::string& root = "");

// The disk of a partition; a disk is its own.
std::string DiskOf(const std::string& block_device);
// "sda".
std::string NameOf(const std::string& disk);

// The devices that a disk passes its requests on to (md, dm, bcache, the paths of an NVMe device).
std::vector<std::string> PartsOf(const std::string& disk);

// The kernel's words: "write back", "write back, fua", "write through"; empty: it has none.
WriteCache WriteCacheOf(const std::string& disk);
// Whether it says that it has a cache, but the kernel was told that it has none: then every flush
// is dropped. Writing to queue/write_cache does that.
bool IsCacheDenied(const std::string& disk);

// Why its counters do not show its flushes; empty: they do.
std::string WhyFlushesAreUncounted(const std::string& disk);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_BLOCK_DEVICE_H_
