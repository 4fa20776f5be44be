// The notes below the tables, a paragraph each: about rounds, about disturbances by the machine,
// and about the harness's own cost. Pure.
#ifndef LEVELFIELD_REPORT_NOTES_H_
#define LEVELFIELD_REPORT_NOTES_H_

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/series.h"
#include "stats/statistics.h"

namespace levelfield {

// Rounds to look at before one believes the figures. No round is ever dropped: rounds are marked,
// and the figure without marked rounds stands beside that of all. Pure.

// The run's note that its engine has no such setting, with the engine's reason. Empty: it has.
std::string_view WhyNotApplied(const RunResult& run, std::string_view setting);

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

// Paragraphs for each engine: which rounds are out of line or disturbed, and the figure without
// them that changes most; which figures are unstable; and why there were so many rounds. Nothing
// for baseline engines, which nobody ranks. `result` has settings, and `series` are its rounds.
std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& series);

// Whether it ended before --duration because it had done all of its operations.
bool EndedBefore(const PhaseResult& phase, double duration);

// Which workloads did, in every round; of which engines, if not of all that ran them. Empty: none.
std::string EndedEarly(const Result& result);

// For each fill that --duration cut: how far each engine came, and how long the rest took that was
// written unmeasured. Medians of the rounds.
std::vector<std::string> RestsOfFills(const Result& result);

// Measurements of stores: how many there are, and which ones something else on the machine
// disturbed.
struct Disturbed {
  size_t measurements = 0;
  size_t disturbed = 0;
  std::set<std::string> workloads;
  std::vector<std::string> first;  // Of these workloads, the first eight.
  std::vector<std::string> worst;  // The disturbances of the most disturbed one.

  void Add(const RunResult& run);
};

// For each disturbed engine: in how many measurements, and the worst disturbance.
std::vector<std::string> DisturbedLines(const std::vector<Series>& series);

// The harness's own cost, and the figures too near to it. Empty if the cost is not known.
std::vector<std::string> OverheadLines(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_NOTES_H_
