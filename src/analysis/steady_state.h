// Whether a series has reached a steady state, by the rule of SNIA's Performance Test
// Specification: in a window of five rounds the greatest and the least differ by at most 20 % of
// their mean, and the line that fits them best rises or falls by at most 10 % of it. Pure. For any
// series of rounds of equal length, of throughput or anything else.
#ifndef LEVELFIELD_ANALYSIS_STEADY_STATE_H_
#define LEVELFIELD_ANALYSIS_STEADY_STATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_STEADY_STATE_H_
