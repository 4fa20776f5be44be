// Room for a store on its disk: whether there is enough before it is made, and whether there still
// is while it is written to. An engine that fills the disk dies in its own way, and takes the
// machine's other programs with it (reliability rule R20).
#ifndef LEVELFIELD_STORE_STORE_SPACE_H_
#define LEVELFIELD_STORE_STORE_SPACE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace levelfield {

struct FreeSpace {
  uint64_t free_bytes = 0;   // What this user may still write.
  uint64_t total_bytes = 0;  // Size of the file system.
  // Free inodes; the greatest number if the file system does not count them.
  uint64_t free_files = 0;
};

// Looks at the file system of `path`, or of its deepest existing parent.
StatusOr<FreeSpace> FreeSpaceAt(const std::string& path);

// For logs and side files, which even the smallest store has.
inline constexpr uint64_t kSpaceSlackBytes = 256 << 20;

// The disk space that a run needs: the logical bytes times the engine's factor, which its plug-in
// declares (its fact "space_factor"), and the slack.
uint64_t NeededBytes(uint64_t logical_bytes, double factor);

// How many files so many bytes may need: LevelDB has the smallest tables of all, 2 MiB.
uint64_t FilesOf(uint64_t bytes);

// kUsage if `needed_bytes` do not fit at the path, if they would leave less than a twentieth of the
// file system free (below that, engines that map their files must be stopped in flight), or if
// fewer inodes are free than their files need. `way_out` is what to do then.
Status CheckFreeSpace(const std::string& path, uint64_t needed_bytes,
                      std::string_view way_out = "use fewer or smaller entries, or another disk");
// The same of what is free there. Pure.
Status CheckFreeSpace(const FreeSpace& space, const std::string& path, uint64_t needed_bytes,
                      std::string_view way_out);

// The space that must stay free: 3 % of the file system, at least 128 MiB, but at most an eighth of
// a small one, or nothing could run there.
uint64_t LeastFreeBytes(uint64_t total_bytes);

// Whether it is practically full: less is free than a page for each of its MiB.
bool IsFull(const FreeSpace& space);

// "12.0 of 58.0 MiB are free on the disk".
std::string SpaceText(const FreeSpace& space);

// Stops a workload before it fills the disk. Engines differ in what happens then: some report it,
// those that map their files die of SIGBUS, and some cannot open their store again. So the
// supervisor checks the free space while operations run, from outside of the measured process. It
// ends the workload properly while there is still room to close the store.
class SpaceGuard {
 public:
  using Look = std::function<StatusOr<FreeSpace>()>;
  explicit SpaceGuard(const std::string& path) : look_([path] { return FreeSpaceAt(path); }) {}
  explicit SpaceGuard(Look look) : look_(std::move(look)) {}

  // Whether less than LeastFreeBytes is free, or will be before the worker, which checks ten times
  // a second, has stopped. It goes by the rate since the last check. If this check is late, as on
  // an overloaded machine, the worker's may be as late. It asks the kernel only as often as the
  // rest could be written at 4 GB/s.
  bool IsLow(uint64_t now_ns);
  // Nobody will ask for a while: forgets the rate, and how late checks were.
  void Rest();
  // How long until it wants to check again.
  uint64_t UntilNextNs(uint64_t now_ns) const { return next_ns_ > now_ns ? next_ns_ - now_ns : 0; }
  const FreeSpace& space() const { return space_; }  // As last seen.

 private:
  Look look_;
  FreeSpace space_;
  uint64_t late_ns_ = 0;  // How late checks are; half of it is forgotten in a second.
  // The rate, updated ten times a second; 0: not yet known.
  double bytes_per_ns_ = 0;
  uint64_t seen_ns_ = 0;
  uint64_t seen_bytes_ = 0;
  uint64_t looked_ns_ = 0;
  uint64_t next_ns_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_SPACE_H_
