// Whether a series has reached a steady state, by the rule of SNIA's Performance Test
// Specification: in a window of five rounds the greatest and the least differ by at most 20 % of
// their mean, and the line that fits them best rises or falls by at most 10 % of it. Pure. For any
// series of rounds of equal length, of throughput or anything else.
#ifndef LEVELFIELD_ANALYSIS_STEADY_STATE_H_
#define LEVELFIELD_ANALYSIS_STEADY_STATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "result/phase_result.h"
#include "result/time_series.h"

namespace levelfield {

inline constexpr size_t kSteadyWindow = 5;

enum class Steadiness { kSteady, kNever, kTooShort };

struct SteadyState {
  Steadiness steadiness = Steadiness::kTooShort;
  size_t since = 0;  // kSteady: from this round on, every window satisfies the rule.
};

// kNever: not the last quarter of the rounds, or not even the last window, is steady.
SteadyState FindSteadyState(std::span<const double> rounds);

// The phase's ticks. Where the rate of a role changes by itself, its operations are in
// proportion to what was due in each tick, so that a lull that was asked for is neither a stall nor
// unsteady. There are ticks.
Ticks TicksOf(const PhaseResult& phase);

// The period, in values, of a series that repeats itself: the first high peak of its
// autocorrelation, without its trend. Nothing if it does not repeat at least twice.
std::optional<size_t> PeriodOf(std::span<const double> values);

// Operations a second of a role in rounds of equally many ticks. A remainder at the end is left
// out.
struct Rounds {
  std::vector<double> rates;
  std::vector<uint64_t> begin_ms;
};
Rounds RoundsOf(const Ticks& ticks, size_t role, size_t ticks_a_round);

// The role's throughput over time, in at most thirty rounds of at least ten ticks (1 s). If it is
// not steady, its period is looked for.
struct ThroughputState {
  Steadiness steadiness = Steadiness::kTooShort;
  size_t rounds = 0;
  double since_seconds = 0;
  std::optional<double> period_seconds = {};
};
ThroughputState StateOf(const Ticks& ticks, size_t role);

// The same for the bytes dirtied per operation of the role. If all operations write as much, this
// is write amplification over time.
ThroughputState WriteStateOf(const Ticks& ticks, size_t role);

// The same for the store's allocated bytes: at most thirty rounds of at least one look.
ThroughputState SpaceStateOf(const SpaceSeries& space);

// The first tenth of the ticks, in which stores and caches warm up. Nothing for less than 20 ticks.
struct Ramp {
  double seconds = 0;
  double operations_per_second = 0;
  double of_the_rest = 0;  // Its share of the rate after it.
};
std::optional<Ramp> RampOf(const Ticks& ticks, size_t role);

// The role's rate in the later half of the ticks, as a multiple of its rate in the earlier half.
// Nothing for less than four ticks, or if either half had no operation.
std::optional<double> LaterHalfOf(const Ticks& ticks, size_t role);

// Where a phase stood still, by its ticks. Pure.
//
// A stall is a run of whole ticks in each of which a role did less than a tenth of its median tick.
// If the median tick has too few calls, the mean tick counts instead. The last tick is left out,
// because the threads end one after another in it. So a pause of two ticks (200 ms) is always seen,
// and a pause shorter than a tick never. A phase of less than ten ticks, or with fewer than 20
// calls a tick, gets no verdict: chance alone would make gaps.
//
// Its causes are the activities that the engine reported at least half of the times that it was
// asked during the stall. An engine that compacts all the time is always found compacting.
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

#endif  // LEVELFIELD_ANALYSIS_STEADY_STATE_H_
