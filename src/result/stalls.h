// Finds where a phase stood still, in its ticks. Pure.
//
// A stall is a run of whole ticks in each of which a role did less than a tenth of its median tick.
// If the median tick has too few calls, the mean tick counts instead. The last tick is left out,
// because the threads end one after another in it. So a pause of two ticks (200 ms) is always seen,
// and a pause shorter than a tick never. A phase of less than ten ticks, or with fewer than 20
// calls a tick, gets no verdict: chance alone would make gaps.
//
// Its causes are the activities that the engine reported at least half of the times that it was
// asked during the stall. An engine that compacts all the time is always found compacting.
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
  std::vector<std::string> causes;  // Empty: the engine reported none.

  bool operator==(const Stall&) const = default;
  uint64_t Ms() const { return end_ms - begin_ms; }
};

struct Stalls {
  std::vector<Stall> stalls;  // In order of time.
  std::string unknown;        // Why stalls cannot be determined. Empty: they can.
};

// `batch`: operations in one call.
Stalls FindStalls(const Ticks& ticks, size_t role, uint64_t batch);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_STALLS_H_
