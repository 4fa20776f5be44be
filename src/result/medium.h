// What lies under a store, down to the devices: the file system, its mount, and the devices' caches
// (probe/medium_probe.h). Plain data.
#ifndef LEVELFIELD_RESULT_MEDIUM_H_
#define LEVELFIELD_RESULT_MEDIUM_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/enum_names.h"
#include "result/fields.h"

namespace levelfield {

// Of a device, as the kernel names it.
enum class WriteCache {
  kUnknown,
  kWriteThrough,      // There is none, or it is safe.
  kWriteBack,         // Emptied by a flush alone.
  kWriteBackWithFua,  // A write can go through it.
};
inline constexpr EnumName<WriteCache> kWriteCacheNames[] = {
    {WriteCache::kUnknown, ""},
    {WriteCache::kWriteThrough, "write through"},
    {WriteCache::kWriteBack, "write back"},
    {WriteCache::kWriteBackWithFua, "write back, fua"},
};
constexpr std::span<const EnumName<WriteCache>> NamesOf(WriteCache) { return kWriteCacheNames; }

struct Medium {
  std::string filesystem = {};  // "ext4", "overlay on tmpfs".
  WriteCache write_cache = WriteCache::kUnknown;
  // Why nothing on it survives a power cut, however it is synced. Empty: it may survive.
  std::string volatile_because = {};
  std::string doubt = {};    // A further reason for caution. Empty: none.
  std::string devices = {};  // The devices whose counters were read: "vda", "loop0, loop1".
  std::string unverifiable_because = {};  // Why their counters cannot be read. Empty: they can.

  static constexpr Fields kFields{"what lies under the store of a phase",
                                  Field("filesystem", &Medium::filesystem),
                                  Field("write_cache", &Medium::write_cache),
                                  Field("volatile_because", &Medium::volatile_because),
                                  Field("doubt", &Medium::doubt),
                                  Field("devices", &Medium::devices),
                                  Field("unverifiable_because", &Medium::unverifiable_because)};
  bool operator==(const Medium&) const = default;
};

// The file system made for one run's store (--fs), as it was really in force.
struct FileSystem {
  std::string kind;                // As requested: "ext4".
  std::string mounted_as = {};     // As the kernel names it: "ext4", "fuseblk".
  std::string mount_options = {};  // The mount's and the file system's: "rw,relatime,data=ordered".
  std::string mkfs = {};           // The command. "DEVICE" stands for the image's device.
  std::string mkfs_version = {};   // The version that it prints: "mke2fs 1.47.0 (5-Feb-2023)".
  std::string journal = {};        // "internal", "none", "external: 64 MiB in /dev/shm, on tmpfs".
  uint64_t bytes = 0;              // Size of the image.
  std::string image_on = {};       // The file system that holds the image.
  // Whether the loop device bypasses the page cache of the outer file system. If not, data dropped
  // from the page cache may still be in it a second time.
  bool direct_io = false;
  Medium medium = {};  // Under the store's directory.

  static constexpr Fields kFields{"the file system of a run",
                                  Field("kind", &FileSystem::kind),
                                  Field("mounted_as", &FileSystem::mounted_as),
                                  Field("mount_options", &FileSystem::mount_options),
                                  Field("mkfs", &FileSystem::mkfs),
                                  Field("mkfs_version", &FileSystem::mkfs_version),
                                  Field("journal", &FileSystem::journal),
                                  Field("bytes", &FileSystem::bytes),
                                  Field("image_on", &FileSystem::image_on),
                                  Field("direct_io", &FileSystem::direct_io),
                                  Field("medium", &FileSystem::medium)};
  bool operator==(const FileSystem&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_MEDIUM_H_
