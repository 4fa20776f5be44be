#include "stats/statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <iterator>
#include <vector>

namespace levelfield {
namespace {

std::vector<double> Sorted(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

size_t LeastRepetitions(double confidence) {
  // All n values lie on one side of the median in 2 / 2^n of all cases.
  size_t count = 1;
  while (1 - 2 * std::pow(0.5, count) < confidence) ++count;
  return count;
}

double Median(std::span<const double> values) {
  const std::vector<double> sorted = Sorted(values);
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::optional<Interval> MedianInterval(std::span<const double> values, double confidence) {
  const size_t count = values.size();
  if (count == 0) return std::nullopt;
  // How many of the values lie below the median is binomial. The interval from the k-th least to
  // the k-th greatest misses it where fewer than k do, or more than n - k.
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

RateRatio ComparePaired(std::span<const double> baseline, std::span<const double> candidate,
                        double confidence) {
  std::vector<double> logarithms;
  for (size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    logarithms.push_back(std::log(candidate[i] / baseline[i]));
  }
  RateRatio ratio{.ratio = std::exp(Median(logarithms)), .interval = std::nullopt};
  if (const auto interval = MedianInterval(logarithms, confidence)) {
    ratio.interval = Interval{.low = std::exp(interval->low), .high = std::exp(interval->high)};
  }
  return ratio;
}

std::string_view VerdictName(Verdict verdict) {
  constexpr std::string_view kNames[] = {"faster",     "slower",     "equivalent",
                                         "unresolved", "indicative", "not ranked"};
  static_assert(std::size(kNames) == static_cast<size_t>(Verdict::kNotRanked) + 1);
  return kNames[static_cast<size_t>(verdict)];
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

bool IsPrecise(std::span<const double> values, double precision) {
  constexpr double kEachLook = 0.99;
  const std::optional<Interval> interval = MedianInterval(values, kEachLook);
  if (!interval) return false;
  return (interval->high - interval->low) / 2 <= precision * std::abs(Median(values));
}

}  // namespace levelfield
