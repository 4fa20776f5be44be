// A process that plays a disk with a volatile cache (volatile_image.h) for the kernel: FUSE serves
// a file of the size of the disk, for a loop device. A cut loses what was written to it and not
// flushed; a flush is an fsync. Everything is in memory of that process, which ends with this
// object and with the process that made it. Used by one thread.
#ifndef LEVELFIELD_DURABILITY_DISK_SERVER_H_
#define LEVELFIELD_DURABILITY_DISK_SERVER_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/unique_fd.h"
#include "durability/cuttable_disk.h"
#include "file_system/loop_device.h"
#include "file_system/mount_point.h"

namespace levelfield {

class DiskServer {
 public:
  // Empty if this process can use FUSE, else why not.
  static std::string WhyNot();
  static StatusOr<DiskServer> Start(uint64_t bytes, const std::string& scratch);

  DiskServer(DiskServer&& other) noexcept;
  DiskServer& operator=(DiskServer&&) = delete;
  ~DiskServer();

  StatusOr<UniqueFd> OpenDisk() const;
  // What the last cut left: another disk, in memory. No loop device may be on it at the next cut.
  const UniqueFd& left() const { return left_; }

  // Happens between two requests of the kernel.
  Status Cut(double survives, uint64_t seed) const;
  // Everything written so far is flushed. From then on the kernel's flushes have no effect.
  Status EatFlushes() const;
  Status Fail(DiskFault what, uint64_t from_nth) const;

  // What the kernel has sent to `disk` so far.
  DiskTraffic SoFar() const;

 private:
  DiskServer(MountPoint mount_point, UniqueFd left)
      : mount_point_(std::move(mount_point)), left_(std::move(left)) {}
  StatusOr<UniqueFd> Open(const std::string& name) const;
  Status Tell(const std::string& command) const;

  MountPoint mount_point_;
  UniqueFd left_;
  pid_t pid_ = -1;
};

// The whole life of that process (disk_process.cc).
//
// The files of the directory. `control` takes one command a write and carries it out before the
// write returns (EINVAL for a bad one). It reads as "<bytes written> <flushes>":
//   cut <chance> <seed>    eat    fail <number of a DiskFault> <from nth>
inline constexpr const char* kDiskFile = "disk";
inline constexpr const char* kControlFile = "control";
inline constexpr char kDiskIsReady = '+';

// Mounts the files on this directory and serves them until they are unmounted. Writes a cut to the
// file `left_fd`. When the files are there, writes kDiskIsReady to `ready_fd` and closes it; if it
// fails, writes the reason there.
void ServeDisk(uint64_t bytes, const std::string& directory, int left_fd, int ready_fd);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_DISK_SERVER_H_
