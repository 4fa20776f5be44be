// Whether a series has come to a steady state, by the rule of SNIA's Performance Test
// Specification: in a window of five rounds the greatest and the least differ by at most 20 % of
// their mean, and the line that fits them best rises or falls by at most 10 % of it. Pure; for any
// series of rounds of one length, of throughput or of anything else.
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
  size_t since = 0;  // kSteady: the first round from which on every window keeps to the rule.
};

// kNever: not the last quarter of them, or not even the last window.
SteadyState FindSteadyState(std::span<const double> rounds);

// After how many values a series that goes up and down begins again: the first high peak of its
// autocorrelation, its trend left out. Nothing where it does not repeat itself at least twice.
std::optional<size_t> PeriodOf(std::span<const double> values);

// Operations a second of a role in rounds of equally many ticks; what is left at the end is left
// out.
struct Rounds {
  std::vector<double> rates;
  std::vector<uint64_t> begin_ms;
};
Rounds RoundsOf(const Ticks& ticks, size_t role, size_t ticks_a_round);

// The role's throughput over time: at most thirty rounds of at least ten ticks (1 s). The period is
// looked for where it is not steady.
struct ThroughputState {
  Steadiness steadiness = Steadiness::kTooShort;
  size_t rounds = 0;
  double since_seconds = 0;
  std::optional<double> period_seconds = {};
};
ThroughputState StateOf(const Ticks& ticks, size_t role);

// The same of the bytes that were dirtied for an operation of the role, which is how write
// amplification goes over time where all operations write as much.
ThroughputState WriteStateOf(const Ticks& ticks, size_t role);

// The same of the bytes that the store had allocated: at most thirty rounds of at least one look.
ThroughputState SpaceStateOf(const SpaceSeries& space);

// The first tenth of the ticks, in which stores and caches warm up. Nothing of less than 20 ticks.
struct Ramp {
  double seconds = 0;
  double operations_per_second = 0;
  double of_the_rest = 0;  // What share it is of the rate behind it.
};
std::optional<Ramp> RampOf(const Ticks& ticks, size_t role);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_STEADY_STATE_H_
