// Stops a workload before it fills the disk. Engines do not agree on what happens then: some report
// it, those that map their files die of SIGBUS, and some cannot open their store again. So the
// supervisor looks how much is free while operations run, from outside of the process that is
// measured, and ends the workload in good order while there still is room to close the store.
#ifndef LEVELFIELD_STORE_SPACE_GUARD_H_
#define LEVELFIELD_STORE_SPACE_GUARD_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "probe/free_space.h"

namespace levelfield {

// What has to stay free: 3 % of the file system, at least 128 MiB; of a small one no more than an
// eighth, or nothing could run there.
uint64_t LeastFreeBytes(uint64_t total_bytes);

// Whether it is as good as full: less is free than a page for each of its MiB.
bool IsFull(const FreeSpace& space);

// "12.0 of 58.0 MiB are free on the disk".
std::string SpaceText(const FreeSpace& space);

class SpaceGuard {
 public:
  using Look = std::function<StatusOr<FreeSpace>()>;
  explicit SpaceGuard(const std::string& path) : look_([path] { return FreeSpaceAt(path); }) {}
  explicit SpaceGuard(Look look) : look_(std::move(look)) {}

  // Whether less than that is free, or will be before the worker, which looks ten times a second,
  // has stopped: at the rate seen since the last look, and where this look comes late, as it does
  // on a machine with more to do than it can, as late again. Looks no oftener than the rest could
  // be written, at 4 GB/s.
  bool IsLow(uint64_t now_ns);
  // Nobody asks for a while, so what comes after is neither late nor of the rate so far.
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

#endif  // LEVELFIELD_STORE_SPACE_GUARD_H_
