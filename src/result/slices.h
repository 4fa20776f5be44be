// A phase that was measured in slices of some milliseconds, in turn with the same phase of other
// workers on the same processors: its n-th slice ran right beside the n-th slice of each of them.
// Plain data.
#ifndef LEVELFIELD_RESULT_SLICES_H_
#define LEVELFIELD_RESULT_SLICES_H_

#include <cstdint>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// Of the first role, all its threads together, one value a slice.
struct Slices {
  double seconds = 0;  // That each was to take, of one thread.
  std::vector<uint64_t> operations;
  std::vector<uint64_t> active_ns;  // Of its threads: frozen and waiting time is not in it.
  std::vector<uint64_t> cpu_ns;     // That they used of it.
  // Of the active time: they could have run, but other processes had the processors.
  std::vector<uint64_t> kept_ns;

  static constexpr Fields kFields{"the slices of a phase", Field("seconds", &Slices::seconds),
                                  Field("operations", &Slices::operations),
                                  Field("active_ns", &Slices::active_ns),
                                  Field("cpu_ns", &Slices::cpu_ns),
                                  Field("kept_ns", &Slices::kept_ns)};
  bool operator==(const Slices&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_SLICES_H_
