// What repetitions show: their median, and the interval around it. Computer times are anything but
// normal, so the method is distribution-free: the interval is one of order statistics, and too few
// values have none. (Hettmansperger; used by CONFIRM, OSDI'18, and nanobench. RocksDB's db_bench
// prints 1.96 s/sqrt(n) from two runs on, which is 6.5 times too narrow there.) Pure.
#ifndef LEVELFIELD_STATS_STATISTICS_H_
#define LEVELFIELD_STATS_STATISTICS_H_

#include <optional>
#include <span>
#include <string_view>

namespace levelfield {

struct Interval {
  double low = 0;
  double high = 0;
};

// Fewer repetitions than this say nothing with 95 % confidence: the median lies between the least
// and the greatest of five in only 93.75 % of all cases.
inline constexpr size_t kLeastRepetitions = 6;

// The same for another confidence than 95 %.
size_t LeastRepetitions(double confidence);

// With how much confidence each of so many alternatives is compared with one baseline, so that all
// of it holds together with 95 % (Bonferroni).
inline double ConfidenceOfEach(size_t variants) { return 1 - 0.05 / static_cast<double>(variants); }

// The rounds that it takes for verdicts of so many alternatives against one baseline.
inline size_t RoundsForVerdicts(size_t variants) {
  return LeastRepetitions(ConfidenceOfEach(variants > 1 ? variants : 1));
}

// Of at least one value.
double Median(std::span<const double> values);

// The narrowest interval between the k-th least and the k-th greatest value that contains the
// median of what they were drawn from with at least that probability; none for too few values.
std::optional<Interval> MedianInterval(std::span<const double> values, double confidence = 0.95);

// Of two alternatives that were measured in the same rounds: the median of candidate / baseline
// over the rounds, and its interval. Both have one value a round, above 0.
struct RateRatio {
  double ratio = 0;
  std::optional<Interval> interval;
};
RateRatio ComparePaired(std::span<const double> baseline, std::span<const double> candidate,
                        double confidence = 0.95);

// Of two alternatives that were measured at different times: the ratio of their medians, with an
// interval by the percentile bootstrap over the repetitions (10,000 resamples of a fixed seed).
// What the machine did meanwhile is in it. No interval for fewer than six values of either.
RateRatio CompareUnpaired(std::span<const double> baseline, std::span<const double> candidate,
                          double confidence = 0.95);

// What a ratio of rates comes to: the candidate's over the baseline's.
enum class Verdict {
  kFaster,      // All of the interval is above 1, and beyond the noise.
  kSlower,      // All of it is below 1.
  kEquivalent,  // All of it lies within the margin around 1.
  kUnresolved,  // More repetitions, or a quieter machine, would be needed.
  kIndicative,  // There are too few repetitions for an interval.
  kNotRanked,   // The two differ in more than what is compared.
};
std::string_view VerdictName(Verdict verdict);

// `margin`: a difference that nobody minds, as a share (0.02). `noise`: the smallest difference
// that may be claimed, as a share, from a comparison of a thing with itself; 0 where it is not
// known.
Verdict Judge(const RateRatio& ratio, double margin, double noise);

// Fewer values than this are never precise: seven have no interval of 99 %.
inline constexpr size_t kLeastForPrecision = 8;

// Whether the median is known well enough to stop: the half-width of its interval is within
// `precision` (a share of it). The interval is at 99 % because it is looked at again and again. It
// never looks at which alternative is ahead: stopping on significance has 84 % coverage instead of
// 95.
bool IsPrecise(std::span<const double> values, double precision);

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_STATISTICS_H_
