#include "stats/statistics.h"

#include <algorithm>
// In long doubles, boost makes constants before main, and throws under valgrind, which has none.
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace levelfield {
namespace {

std::vector<double> Sorted(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

std::vector<double> LogarithmsOf(std::span<const double> values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return logarithms;
}

// A mean of logarithms, and its variance.
struct LogMean {
  double mean = 0;
  double variance = 0;
  double freedom = 0;
};
LogMean MeanOf(std::span<const double> logarithms) {
  const auto count = static_cast<double>(logarithms.size());
  const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / count;
  double squares = 0;
  for (const double value : logarithms) squares += (value - mean) * (value - mean);
  return {.mean = mean, .variance = squares / (count - 1) / count, .freedom = count - 1};
}

// The probability that chance alone is at least this far from 0, on either side.
double ChanceBeyond(double distance, const RateRatio& ratio) {
  if (ratio.error == 0) return distance > 0 ? 0 : 1;
  return StudentChance(ratio.freedom, distance / ratio.error);
}

// The smallest error probability with which Judge decides so.
double ChanceOf(Verdict verdict, const RateRatio& ratio, double margin, double noise) {
  const double distance = std::abs(std::log(ratio.ratio));
  if (verdict == Verdict::kEquivalent) {
    const double to_margin = std::log1p(margin) - distance;
    return to_margin > 0 ? ChanceBeyond(to_margin, ratio) : 1;
  }
  return distance > std::log1p(std::max(noise, 0.0)) ? ChanceBeyond(distance, ratio) : 1;
}

bool IsDecided(Verdict verdict) {
  return verdict == Verdict::kFaster || verdict == Verdict::kSlower ||
         verdict == Verdict::kEquivalent;
}

}  // namespace

double Median(std::span<const double> values) {
  const std::vector<double> sorted = Sorted(values);
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::optional<Interval> MedianInterval(std::span<const double> values, double confidence) {
  const size_t count = values.size();
  if (count == 0) return std::nullopt;
  // The number of values below the median is binomial. The interval from the k-th least to the k-th
  // greatest value misses the median if fewer than k values lie below it, or more than n - k.
  const boost::math::binomial_distribution<double> below(static_cast<double>(count), 0.5);
  size_t k = 0;
  while (k + 1 <= count / 2 &&
         1 - 2 * boost::math::cdf(below, static_cast<double>(k)) >= confidence) {
    ++k;
  }
  if (k == 0) return std::nullopt;
  const std::vector<double> sorted = Sorted(values);
  return Interval{.low = sorted[k - 1], .high = sorted[count - k]};
}

double GeometricMean(std::span<const double> values) {
  // As multiples of the first, so that the mean of equal values is that value to the last digit.
  double sum = 0;
  for (const double value : values) sum += std::log(value / values.front());
  return values.front() * std::exp(sum / static_cast<double>(values.size()));
}

std::optional<Interval> GeometricMeanInterval(std::span<const double> values, double confidence) {
  return CompareRounds(LogarithmsOf(values), kLeastRepetitions, confidence).interval;
}

double StudentErrors(double freedom, double confidence) {
  return quantile(boost::math::students_t(freedom), 1 - (1 - confidence) / 2);
}

double StudentChance(double freedom, double errors) {
  return 2 * cdf(complement(boost::math::students_t(freedom), errors));
}

RateRatio RatioAround(double mean, double error, double freedom, double confidence) {
  const double t = StudentErrors(freedom, confidence);
  return {
      .ratio = std::exp(mean),
      .interval = Interval{.low = std::exp(mean - t * error), .high = std::exp(mean + t * error)},
      .error = error,
      .freedom = freedom};
}

RateRatio WithConfidence(const RateRatio& ratio, double confidence) {
  return RatioAround(std::log(ratio.ratio), ratio.error, ratio.freedom, confidence);
}

RateRatio Inverse(const RateRatio& ratio) {
  RateRatio inverse = ratio;
  inverse.ratio = 1 / ratio.ratio;
  if (ratio.interval) {
    inverse.interval = Interval{.low = 1 / ratio.interval->high, .high = 1 / ratio.interval->low};
  }
  return inverse;
}

RateRatio CompareRounds(std::span<const double> logarithms, size_t least, double confidence) {
  const LogMean mean = MeanOf(logarithms);
  if (logarithms.size() < least) return {.ratio = std::exp(mean.mean)};
  return RatioAround(mean.mean, std::sqrt(mean.variance), mean.freedom, confidence);
}

RateRatio ComparePaired(std::span<const double> baseline, std::span<const double> candidate,
                        double confidence) {
  std::vector<double> logarithms;
  for (size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    logarithms.push_back(std::log(candidate[i] / baseline[i]));
  }
  return CompareRounds(logarithms, kLeastRepetitions, confidence);
}

RateRatio CompareUnpaired(std::span<const double> baseline, std::span<const double> candidate,
                          size_t least, double confidence) {
  const LogMean before = MeanOf(baseline);
  const LogMean after = MeanOf(candidate);
  const double mean = after.mean - before.mean;
  if (std::min(baseline.size(), candidate.size()) < least) return {.ratio = std::exp(mean)};
  const double both = before.variance + after.variance;
  const double freedom = before.variance * before.variance / before.freedom +
                         after.variance * after.variance / after.freedom;
  return RatioAround(mean, std::sqrt(both), freedom > 0 ? both * both / freedom : 1, confidence);
}

Verdict Judge(const RateRatio& ratio, double margin, double noise) {
  if (!ratio.interval) return Verdict::kIndicative;
  const Interval& interval = *ratio.interval;
  if (interval.low >= 1 / (1 + margin) && interval.high <= 1 + margin) return Verdict::kEquivalent;
  const bool is_beyond_noise = std::abs(std::log(ratio.ratio)) > std::log1p(std::max(noise, 0.0));
  if (interval.low > 1 && is_beyond_noise) return Verdict::kFaster;
  if (interval.high < 1 && is_beyond_noise) return Verdict::kSlower;
  return Verdict::kUnresolved;
}

void HoldTogether(std::span<const Claim> claims, double margin, size_t rows) {
  std::vector<std::pair<double, const Claim*>> by_chance;
  for (const Claim& claim : claims) {
    if (!claim.ratio->interval || *claim.verdict == Verdict::kNotRanked) continue;
    const double chance =
        IsDecided(*claim.verdict) ? ChanceOf(*claim.verdict, *claim.ratio, margin, claim.noise) : 1;
    by_chance.emplace_back(chance, &claim);
  }
  std::ranges::sort(by_chance);
  rows = std::max(rows, by_chance.size());
  bool holds = true;
  for (const auto& [chance, claim] : by_chance) {
    const double confidence = ConfidenceOfEach(rows--);
    holds = holds && chance <= 1 - confidence;
    if (!IsDecided(*claim->verdict)) continue;
    const Verdict among_all =
        Judge(WithConfidence(*claim->ratio, confidence), margin, claim->noise);
    // A difference that nobody minds is none, however sure it is.
    if (!holds || among_all != *claim->verdict) *claim->verdict = Verdict::kUnresolved;
  }
}

bool IsPrecise(std::span<const double> values, double precision) {
  constexpr double kEachLook = 0.99;
  const std::optional<Interval> interval = MedianInterval(values, kEachLook);
  if (!interval) return false;
  return (interval->high - interval->low) / 2 <= precision * std::abs(Median(values));
}

}  // namespace levelfield
