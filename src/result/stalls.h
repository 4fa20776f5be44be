// Finds where a phase stood still, in its ticks. Pure.
//
// A stall is a run of whole ticks in each of which a role did less than a tenth of what it does in
// its median tick; where it stood still in more than half of them, of what it does in the mean one.
// The last tick is left out, in which the threads end one after another. So a pause of two ticks
// (200 ms) is always seen, and one shorter than a tick never. Nothing is said of a phase of less
// than ten ticks, nor where a tick has fewer than 20 calls: chance alone would make gaps there.
//
// Its causes are what the engine said that it was at in at least half of the times that it was
// asked during the stall. An engine that compacts all the time will be found compacting.
#ifndef LEVELFIELD_RESULT_STALLS_H_
#define LEVELFIELD_RESULT_STALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "result/time_series.h"

namespace levelfield {

struct Stall {
  uint64_t begin_ms = 0;
  uint64_t end_ms = 0;
  std::vector<std::string> causes;  // Empty: the engine told of none.

  bool operator==(const Stall&) const = default;
  uint64_t Ms() const { return end_ms - begin_ms; }
};

struct Stalls {
  std::vector<Stall> stalls;  // In their order.
  std::string unknown;        // Why they cannot be told; empty: they can.
};

// `batch`: operations to one call.
Stalls FindStalls(const Ticks& ticks, size_t role, uint64_t batch);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_STALLS_H_
