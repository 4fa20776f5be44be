// Rounds to look at before one believes the figures. No round is ever dropped: rounds are marked,
// and the figure without marked rounds stands beside that of all. Pure.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_ROUND_MARKS_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_ROUND_MARKS_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/statistics.h"

namespace levelfield {

// Round by round. Nothing if a round has no rate.
using RoundRates = std::span<const std::optional<double>>;

struct RoundMark {
  size_t place = 0;  // The round's place in its series, from 0.
  std::string why;   // "4.2 times the median"
};

// Rounds whose rate is further from the median than 14.83 times the median distance (hyperfine's
// rule: 10 standard deviations if times are normal), in their order. None for fewer than six rates:
// with three, one in ten would be marked by chance.
std::vector<RoundMark> OutOfLine(RoundRates rates);

// The figure of the rounds that are not marked. Nothing if no round is marked, or all are.
struct UnmarkedRounds {
  size_t rounds = 0;
  double median = 0;
  std::optional<Interval> interval = {};
};
std::optional<UnmarkedRounds> WithoutMarked(RoundRates rates, const std::vector<RoundMark>& marks);

// The distance from the median that half of the rounds have or exceed, as a share of the rate
// (nanobench's error). Nothing for fewer than six rates.
std::optional<double> MedianError(RoundRates rates);

// Figures with a larger error are unstable.
inline constexpr double kUnstable = 0.05;

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_ROUND_MARKS_H_
