// Whether the latencies of an open loop mean anything: whether the load generator kept its own
// times, and whether the engine kept the rate. Pure.
//
// The generator is too late where the 99th percentile of its own lateness is more than a tenth of
// the 99th percentile of the response times, and more than 100 ns: reading the clock in a loop
// until an operation is due takes that long, whatever the engine answers. A wait for the engine is
// not in that lateness (loop/open_loop.h says what is).
//
// A rate is not sustainable where the backlog grows over three successive intervals, of eighths or
// of quarters of the run, and is not worked off again when it ends. A queue that is stable goes up
// and down by itself, so what counts as growth is more than half a per cent of the time, and more
// than three standard deviations of a random walk of as many operations.
#ifndef LEVELFIELD_RESULT_LOAD_VERDICT_H_
#define LEVELFIELD_RESULT_LOAD_VERDICT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

inline constexpr std::string_view kLoadOk = "ok";
inline constexpr std::string_view kLoadNotSustainable = "not sustainable";
inline constexpr std::string_view kLoadLateGenerator = "late generator";

// By how much the backlog, in ns, grew over three successive ones of its intervals and was not
// worked off; 0: it did not grow. `operations` are those of the whole run.
uint64_t BacklogGrowthNs(const std::vector<uint64_t>& backlog_ns, double interval_seconds,
                         uint64_t operations);

struct LoadVerdict {
  std::string_view verdict = kLoadOk;
  std::string message;  // Why it is not ok.
};

// Of the role's operations in all its lanes together; it kept to `role.rate` with `role.load`.
LoadVerdict JudgeLoad(const RoleResult& role);

// Checks the role that is at a load, if one is, and voids the phase where it did not keep it.
void VoidIfLoadIsNotKept(PhaseResult& phase);

// Those of all lanes together.
SparseHistogram ServiceTimes(const RoleResult& role);
SparseHistogram ResponseTimes(const RoleResult& role);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_LOAD_VERDICT_H_
