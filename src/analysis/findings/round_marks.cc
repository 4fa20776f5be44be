#include "analysis/findings/round_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/series.h"

namespace levelfield {

std::vector<RoundMark> OutOfLine(RoundRates rates) {
  constexpr double kMostDistances = 14.83;
  // Rates that are equal except for rounding have no typical distance to compare with.
  constexpr double kLeastDistance = 1e-6;
  const std::vector<double> present = Present(rates);
  if (present.size() < kLeastRepetitions) return {};
  const double median = Median(present);
  std::vector<double> distances;
  for (const double rate : present) distances.push_back(std::abs(rate - median));
  const double most = kMostDistances * std::max(Median(distances), kLeastDistance * median);
  std::vector<RoundMark> marks;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (!rates[i] || std::abs(*rates[i] - median) <= most) continue;
    const bool is_slow_first = i == 0 && *rates[i] < median;
    marks.push_back(
        {.place = i,
         .why = fmt::format("{}{:.3g} times the median",
                            is_slow_first ? "the first one, and slow: " : "", *rates[i] / median)});
  }
  return marks;
}

std::optional<UnmarkedRounds> WithoutMarked(RoundRates rates, const std::vector<RoundMark>& marks) {
  if (marks.empty()) return std::nullopt;
  std::vector<double> unmarked;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (rates[i] && std::ranges::find(marks, i, &RoundMark::place) == marks.end()) {
      unmarked.push_back(*rates[i]);
    }
  }
  if (unmarked.empty()) return std::nullopt;
  return UnmarkedRounds{
      .rounds = unmarked.size(), .median = Median(unmarked), .interval = MedianInterval(unmarked)};
}

std::optional<double> MedianError(RoundRates rates) {
  const std::vector<double> present = Present(rates);
  if (present.size() < kLeastRepetitions) return std::nullopt;
  const double median = Median(present);
  std::vector<double> errors;
  for (const double rate : present) errors.push_back(std::abs(rate - median) / rate);
  return Median(errors);
}

}  // namespace levelfield
