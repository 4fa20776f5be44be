// Room for a store on its disk: whether there is enough before it is made, and whether there is
// still some while it is written to. An engine that fills the disk dies in a way of its own, and
// takes the machine's other programs with it (reliability rule R20).
#ifndef LEVELFIELD_STORE_STORE_SPACE_H_
#define LEVELFIELD_STORE_STORE_SPACE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/status.h"

namespace levelfield {

struct FreeSpace {
  uint64_t free_bytes = 0;   // What this user may still write.
  uint64_t total_bytes = 0;  // Size of the file system.
  // Inodes; the greatest number where the file system does not count them.
  uint64_t free_files = 0;
};

// Looks at the file system that `path` is on, or would be on by its deepest existing directory.
StatusOr<FreeSpace> FreeSpaceAt(const std::string& path);

// For logs and side files that a store has however small it is.
inline constexpr uint64_t kSpaceSlackBytes = 256 << 20;

// What a run takes on the disk: the logical bytes times the engine's factor, which its plug-in
// declares (its fact "space_factor"), and the slack.
uint64_t NeededBytes(uint64_t logical_bytes, double factor);

// The files that so many bytes may be in: the tables of LevelDB have 2 MiB, the least of all.
uint64_t FilesOf(uint64_t bytes);

// kUsage when `needed_bytes` do not fit, or would leave less than a twentieth of the file system
// free: below that, engines that map their files have to be stopped in flight. And where fewer
// inodes are free than their files need.
Status CheckFreeSpace(const std::string& path, uint64_t needed_bytes);

// What has to stay free: 3 % of the file system, at least 128 MiB; of a small one no more than an
// eighth, or nothing could run there.
uint64_t LeastFreeBytes(uint64_t total_bytes);

// Whether it is as good as full: less is free than a page for each of its MiB.
bool IsFull(const FreeSpace& space);

// "12.0 of 58.0 MiB are free on the disk".
std::string SpaceText(const FreeSpace& space);

// Stops a workload before it fills the disk. Engines do not agree on what happens then: some report
// it, those that map their files die of SIGBUS, and some cannot open their store again. So the
// supervisor looks how much is free while operations run, from outside of the process that is
// measured, and ends the workload in good order while there still is room to close the store.
class SpaceGuard {
 public:
  using Look = std::function<StatusOr<FreeSpace>()>;
  explicit SpaceGuard(const std::string& path) : look_([path] { return FreeSpaceAt(path); }) {}
  explicit SpaceGuard(Look look) : look_(std::move(look)) {}

  // Whether less than LeastFreeBytes is free, or will be before the worker, which looks ten times a
  // second, has stopped. It goes by the rate since the last look. Where this look comes late, as on
  // an overloaded machine, the worker's may come as late. Asks the kernel no oftener than the rest
  // could be written, at 4 GB/s.
  bool IsLow(uint64_t now_ns);
  // Nobody asks for a while: forgets how late looks came, and the rate.
  void Rest();
  // How long until it wants to look again.
  uint64_t UntilNextNs(uint64_t now_ns) const { return next_ns_ > now_ns ? next_ns_ - now_ns : 0; }
  const FreeSpace& space() const { return space_; }  // As it was seen last.

 private:
  Look look_;
  FreeSpace space_;
  uint64_t late_ns_ = 0;  // How late looks come; half of it is forgotten in a second.
  // How fast it went, looked at ten times a second; 0: not yet.
  double bytes_per_ns_ = 0;
  uint64_t seen_ns_ = 0;
  uint64_t seen_bytes_ = 0;
  uint64_t looked_ns_ = 0;
  uint64_t next_ns_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_SPACE_H_
