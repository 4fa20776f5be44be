// The notes below the tables, a paragraph each: about rounds, about what else the machine did, and
// about the harness's own cost. Pure.
#ifndef LEVELFIELD_REPORT_NOTES_H_
#define LEVELFIELD_REPORT_NOTES_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/series.h"
#include "stats/statistics.h"

namespace levelfield {

// Rounds that somebody should look at before they believe the figures. Nothing is ever dropped:
// rounds are marked, and beside the figure of all stands the one without those that are. Pure.

// Round by round, nothing where one has no rate.
using RoundRates = std::span<const std::optional<double>>;

struct RoundMark {
  size_t place = 0;  // The round's place in its series, from 0.
  std::string why;   // "4.2 times the median"
};

// Rounds whose rate is further from the median than 14.83 times the median distance (hyperfine's
// rule; 10 standard deviations where times are normal), in their order. None of fewer than six
// rates: of three, one in ten would be marked by chance.
std::vector<RoundMark> OutOfLine(RoundRates rates);

// What the rounds come to without those that are marked, whoever marked them; nothing where none of
// them is, or all of them are.
struct UnmarkedRounds {
  size_t rounds = 0;
  double median = 0;
  std::optional<Interval> interval = {};
};
std::optional<UnmarkedRounds> WithoutMarked(RoundRates rates, const std::vector<RoundMark>& marks);

// The distance from the median that half of the rounds have or exceed, as a share of the rate
// (nanobench's error); nothing for fewer than six rates.
std::optional<double> MedianError(RoundRates rates);

// Figures with such an error are unstable.
inline constexpr double kUnstable = 0.05;

// For each engine a paragraph for each thing: which rounds are out of line or were disturbed, and
// what the figure comes to without those that moves most; which figures are unstable; and why there
// were so many rounds. Nothing of baselines, which nobody ranks. `result` has settings;
// `series` are its rounds.
std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& series);

// For each engine that was disturbed: in how many measurements, and by what at worst.
std::vector<std::string> DisturbedLines(const std::vector<Series>& series);

// What the harness itself costs, and which figures are too near to it; none where it is not known.
std::vector<std::string> OverheadLines(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_NOTES_H_
