// A file system whose power can be cut: whatever was not synced by then is lost, as if the plug was
// pulled. There are two ways (both use real file systems of the kernel):
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
// missing. The destructor unmounts, detaches and removes everything. If the process dies in any
// way, the kernel does (by a private mount namespace and loop devices that clear themselves), but
// leaves empty directories. For one thread, which must live as long as the disk; threads from
// before the first `Make` do not see the mounts.
#ifndef LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_
#define LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "analysis/crash_state.h"
#include "base/status.h"

namespace levelfield {

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

  // Empty if such a disk can be made on this machine; else what is missing, and what to do.
  static std::string WhyNot(PowerCut cut, const std::string& file_system);

  static StatusOr<std::unique_ptr<CuttableDisk>> Make(const Options& options);
  virtual ~CuttableDisk() = default;

  // Where the writer puts its store.
  virtual std::string directory() const = 0;

  // Cuts the power now. Read the acknowledgements before this call: those that arrive during it do
  // not count. With kShutdown the file system is dead from then on: kill the writer (all its
  // descriptors must be closed) and call `Recover`. With kVolatile the writer goes on and the state
  // of the moment is kept aside; each unflushed sector survives with that chance.
  virtual Status Cut(double survives, uint64_t seed) = 0;

  // Mounts what the last Cut left and returns its directory, with the journal replayed by the file
  // system. The store lies there under the same relative path. Valid until the next Cut or Release.
  virtual StatusOr<std::string> Recover() = 0;
  // Ends the mount of Recover. With kShutdown the disk may then be written to and cut again.
  virtual Status Release() = 0;

  // kVolatile: from the nth request of this kind on, counted from 1 and from now, the disk answers
  // with an I/O error, which readers by a memory map meet as well; 0: no longer. Data in the page
  // cache is not read from the disk.
  virtual Status Fail(DiskFault what, uint64_t from_nth) = 0;

  // Bytes that the file system has written to the disk so far, and its flushes: 0 means that the
  // store is not on it.
  virtual uint64_t written_bytes() const = 0;
  virtual uint64_t flushes() const = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CUTTABLE_DISK_H_
