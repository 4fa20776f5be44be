// What the latencies of an open loop are: exact, upper bounds because the load generator was late,
// or nothing because the engine did not keep the rate. Pure.
//
// The generator is late if the 99th percentile of its own lateness is more than a tenth of the
// 99th percentile of the response times, and more than 100 ns. Of fewer than 1,000 operations the
// medians are compared, and of fewer than 20 nothing. Rounds together are late if one of them was.
// Reading the clock until an operation
// is due takes that long with any engine. Waiting for the engine is not part of that lateness
// (loop/open_loop.h defines it). Lateness makes a response longer and never shorter, so percentiles
// are then at most what is shown. The phase stays valid.
//
// A rate is not sustainable if the backlog grows over three successive intervals (eighths or
// quarters of the run) and is not worked off by the end. A stable queue goes up and down by itself.
// So growth counts if it is more than half a per cent of the time, and more than three standard
// deviations of a random walk of as many operations. It is judged first where the engine's calls
// took most of the time: they make the next operation late, by more than any generator can help.
#ifndef LEVELFIELD_RESULT_LOAD_VERDICT_H_
#define LEVELFIELD_RESULT_LOAD_VERDICT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

// By how many ns the backlog grew over three successive intervals without being worked off. 0: it
// did not grow. `operations` is the count of the whole run.
uint64_t BacklogGrowthNs(const std::vector<uint64_t>& backlog_ns, double interval_seconds,
                         uint64_t operations);

struct LoadVerdict {
  LoadOutcome verdict = LoadOutcome::kOk;
  std::string message;  // Why the verdict is not ok.
};

// Judges all of the role's operations together. The role has a rate (`role.rate`, `role.load`).
LoadVerdict JudgeLoad(const RoleResult& role);

// Why the phase's response times are upper bounds, and what to do about it: the load generator was
// late. Empty: they are none.
std::string WhyUpperBounds(const PhaseResult& phase);
// The same without words.
bool HasUpperBounds(const PhaseResult& phase);

// All operations together.
SparseHistogram ServiceTimes(const RoleResult& role);
SparseHistogram ResponseTimes(const RoleResult& role);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_LOAD_VERDICT_H_
