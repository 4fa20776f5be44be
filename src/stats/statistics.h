// Intervals that hold with 95 %. Of a ratio of two engines, and of the rates that it is the
// quotient of: geometric means with Student's interval of the rounds' logarithms. Of a median:
// order statistics, because computer times are far from normal (Hettmansperger; used by CONFIRM,
// OSDI'18, and nanobench. RocksDB's db_bench prints 1.96 s/sqrt(n) from two runs on, which is 6.5
// times too narrow for two). Too few values have no interval. Pure.
#ifndef LEVELFIELD_STATS_STATISTICS_H_
#define LEVELFIELD_STATS_STATISTICS_H_

#include <optional>
#include <span>
#include <string_view>

#include "base/enum_names.h"

namespace levelfield {

struct Interval {
  double low = 0;
  double high = 0;
};

// Fewer repetitions say nothing with 95 % confidence: the median lies between the least and the
// greatest of five in only 93.75 % of all cases.
inline constexpr size_t kLeastRepetitions = 6;

// The same of rounds in which both took turns in slices: whatever the machine did met both alike,
// so the ratios of the rounds scatter little, and nearly as Gauss has it.
inline constexpr size_t kLeastProcessPairs = 3;

// The confidence of each of so many intervals, so that all of them hold together with 95 %
// (Bonferroni).
inline double ConfidenceOfEach(size_t intervals) {
  return 1 - 0.05 / static_cast<double>(intervals);
}

// Needs at least one value.
double Median(std::span<const double> values);

// The narrowest interval between the k-th least and the k-th greatest value that contains the
// median of what they were drawn from with at least that probability; none for too few values.
std::optional<Interval> MedianInterval(std::span<const double> values, double confidence = 0.95);

// The geometric mean of values above 0, at least one. The quotient of two is the mean ratio of
// their rounds, so ratios, shares and orders that are made of them agree.
double GeometricMean(std::span<const double> values);
// Student's interval around it, from their logarithms. None for fewer than kLeastRepetitions.
std::optional<Interval> GeometricMeanInterval(std::span<const double> values,
                                              double confidence = 0.95);

// Student's distribution, in standard errors: half the width of an interval of this confidence, and
// the two-sided p-value of a distance.
double StudentErrors(double freedom, double confidence = 0.95);
double StudentChance(double freedom, double errors);

// How many times as fast one alternative is as another.
struct RateRatio {
  double ratio = 0;
  std::optional<Interval> interval = {};
  // If there is an interval: the standard error of the ratio's logarithm, and the degrees of
  // freedom of Student's distribution around it.
  double error = 0;
  double freedom = 0;
};
// Student's interval around a mean of logarithms.
RateRatio RatioAround(double mean, double error, double freedom, double confidence = 0.95);
// The same ratio with an interval of another confidence.
RateRatio WithConfidence(const RateRatio& ratio, double confidence);
// Swaps baseline and candidate.
RateRatio Inverse(const RateRatio& ratio);

// The mean of the logarithms of candidate / baseline, one from each round. No interval for fewer
// than `least` rounds. Student's interval exists for any confidence. Order statistics of 8 rounds
// reach at most 99.2 %, which is too little for many rows.
RateRatio CompareRounds(std::span<const double> logarithms, size_t least = kLeastRepetitions,
                        double confidence = 0.95);

// Compares two alternatives measured in the same rounds. Both have one value a round, above 0.
RateRatio ComparePaired(std::span<const double> baseline, std::span<const double> candidate,
                        double confidence = 0.95);

// The ratio of two things that were measured at different times, from the logarithms of their rates
// (or of multiples of a yardstick's), with Welch's interval. No interval for fewer than `least`
// values of either.
RateRatio CompareUnpaired(std::span<const double> baseline, std::span<const double> candidate,
                          size_t least, double confidence = 0.95);

// The verdict on a ratio of rates, the candidate's over the baseline's.
enum class Verdict {
  kFaster,      // All of the interval is above 1, and beyond the noise.
  kSlower,      // All of it is below 1.
  kEquivalent,  // All of it lies within the margin around 1.
  kUnresolved,  // More repetitions, or a quieter machine, would be needed.
  kIndicative,  // There are too few repetitions for an interval.
  kNotRanked,   // The two differ in more than the thing compared.
};
inline constexpr EnumName<Verdict> kVerdictNames[] = {
    {Verdict::kFaster, "faster"},         {Verdict::kSlower, "slower"},
    {Verdict::kEquivalent, "equivalent"}, {Verdict::kUnresolved, "unresolved"},
    {Verdict::kIndicative, "indicative"}, {Verdict::kNotRanked, "not ranked"}};
constexpr std::span<const EnumName<Verdict>> NamesOf(Verdict) { return kVerdictNames; }

// `margin`: a difference that nobody minds, as a share (0.02). `noise`: the smallest difference
// that may be claimed, as a share, from comparing a thing with itself. 0: not known.
Verdict Judge(const RateRatio& ratio, double margin, double noise);

// One row of an output, with the verdict that it would have alone.
struct Claim {
  const RateRatio* ratio = nullptr;
  double noise = 0;
  Verdict* verdict = nullptr;
};
// Keeps the verdicts that hold together with 95 %, and makes the others unresolved (Holm). Rows
// without an interval are not counted. `rows`: the number of all rows, if these were chosen from
// more.
void HoldTogether(std::span<const Claim> claims, double margin, size_t rows = 0);

// Fewer values than this are never precise: seven have no interval of 99 %.
inline constexpr size_t kLeastForPrecision = 8;

// Whether the median is known well enough to stop: the half-width of its interval is within
// `precision` (a share of it). The interval is at 99 % because it is looked at again and again. It
// never looks at which alternative is ahead: stopping on significance has 84 % coverage instead of
// 95.
bool IsPrecise(std::span<const double> values, double precision);

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_STATISTICS_H_
