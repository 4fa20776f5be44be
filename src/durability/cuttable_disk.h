// A file system of its own whose power can be cut: whatever was not synced by then is lost, as
// after the plug was pulled. Two ways (both are real file systems of the kernel):
//
//   kShutdown   an image on a loop device; the file system's shutdown ioctl without a flush of its
//               log (ext3, ext4, XFS). An honest disk without a cache of its own that keeps its
//               order.
//   kVolatile   the image is a file of a FUSE process that plays a disk with a volatile cache below
//               the loop device (ext4, XFS, btrfs): of the sectors that were written and not
//               flushed each survives by chance. The writer is not disturbed, so one run gives many
//               states.
//
// Needs root, /dev/loop-control, mkfs.* and, for kVolatile, /dev/fuse: `WhyNot` says what is
// missing. Everything is unmounted, detached and removed by the destructor, and by the kernel when
// the process dies whatever way (a mount namespace of its own, loop devices that clear themselves).
// For one thread.
#ifndef LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_
#define LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"

namespace levelfield {

enum class PowerCut { kShutdown, kVolatile };
enum class DiskFault { kReads, kWrites, kFlushes };

class CuttableDisk {
 public:
  struct Options {
    PowerCut cut = PowerCut::kShutdown;
    std::string file_system = "ext4";  // ext3, ext4, xfs; kVolatile: ext2, btrfs too.
    std::string mount_options = "";
    uint64_t bytes = uint64_t{256} << 20;
    std::string scratch;  // An existing directory for images and mount points.
    bool eats_flushes =
        false;  // kVolatile: a disk that acknowledges flushes and does nothing: the control.
  };

  // Empty where such a disk can be made on this machine; else what is missing, and what to do.
  static std::string WhyNot(PowerCut cut, const std::string& file_system);

  static StatusOr<std::unique_ptr<CuttableDisk>> Make(const Options& options);
  virtual ~CuttableDisk() = default;

  // Where the writer puts its store.
  virtual std::string directory() const = 0;

  // Cuts the power now. Read the acknowledgements before this call: those that arrive during it
  // bind nobody. With kShutdown the file system is dead from then on: kill the writer (all its
  // descriptors have to be closed) and call `Recover`. With kVolatile the writer goes on and the
  // state of the moment is kept aside, each unflushed sector with that chance.
  virtual Status Cut(double survives, uint64_t seed) = 0;

  // Mounts what the last Cut left, journal replayed by the file system, and returns its directory,
  // where the store lies under the same relative path. Valid until the next Cut or Release.
  virtual StatusOr<std::string> Recover() = 0;
  // Gives the mount of Recover back. With kShutdown the disk may then be written and cut again.
  virtual Status Release() = 0;

  // kVolatile: from the nth request of this kind on, counted from now and from 1, the disk answers
  // with an I/O error, so that also those who read by a memory map meet one; 0: no longer. What is
  // in the page cache is not read from the disk.
  virtual Status Fail(DiskFault what, uint64_t from_nth) = 0;

  // Bytes that the file system wrote to the disk so far, and its flushes: 0 means that the store is
  // not on it.
  virtual uint64_t written_bytes() const = 0;
  virtual uint64_t flushes() const = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_
