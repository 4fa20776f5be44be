#include "stats/slice_ratio.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

namespace levelfield {
namespace {

constexpr size_t kBlocks = 50;
constexpr double kTrimmed = 0.2;  // Of the blocks, at either end.

double Sum(std::span<const uint64_t> values, size_t first, size_t end) {
  return static_cast<double>(std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                                             values.begin() + static_cast<std::ptrdiff_t>(end),
                                             uint64_t{0}));
}

double Average(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The square of the standard error of their mean.
double ErrorSquare(std::span<const double> values) {
  const double mean = Average(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return squares / (count - 1) / count;
}

RateRatio RatioAround(double mean, double error_square, double freedom, double confidence) {
  const double t = quantile(boost::math::students_t(freedom), 1 - (1 - confidence) / 2);
  const double half = t * std::sqrt(error_square);
  return {.ratio = std::exp(mean),
          .interval = Interval{.low = std::exp(mean - half), .high = std::exp(mean + half)}};
}

}  // namespace

std::optional<double> LogRatioOfSlices(const SlicedWork& baseline, const SlicedWork& candidate) {
  const size_t pairs = std::min({baseline.operations.size(), baseline.active_ns.size(),
                                 candidate.operations.size(), candidate.active_ns.size()});
  const size_t blocks = std::min(pairs, kBlocks);
  std::vector<double> logarithms;
  for (size_t i = 0; i < blocks; ++i) {
    const size_t first = i * pairs / blocks;
    const size_t end = (i + 1) * pairs / blocks;
    const auto rate = [&](const SlicedWork& of) {
      const size_t kept = of.kept_ns.size() < end ? 0 : end;
      const double ns =
          Sum(of.active_ns, first, end) - Sum(of.kept_ns, std::min(first, kept), kept);
      return ns > 0 ? Sum(of.operations, first, end) / ns : 0;
    };
    const double before = rate(baseline);
    const double after = rate(candidate);
    if (before > 0 && after > 0) logarithms.push_back(std::log(after / before));
  }
  if (logarithms.empty()) return std::nullopt;
  std::ranges::sort(logarithms);
  const auto trimmed = static_cast<size_t>(kTrimmed * static_cast<double>(logarithms.size()));
  return Average(std::span(logarithms).subspan(trimmed, logarithms.size() - 2 * trimmed));
}

RateRatio CompareProcessPairs(std::span<const double> logarithms, double confidence) {
  const double mean = Average(logarithms);
  if (logarithms.size() < kLeastProcessPairs)
    return {.ratio = std::exp(mean), .interval = std::nullopt};
  const auto freedom = static_cast<double>(logarithms.size() - 1);
  return RatioAround(mean, ErrorSquare(logarithms), freedom, confidence);
}

RateRatio CompareSessions(std::span<const double> baseline, std::span<const double> candidate,
                          double confidence) {
  const double mean = Average(candidate) - Average(baseline);
  if (std::min(baseline.size(), candidate.size()) < kLeastProcessPairs) {
    return {.ratio = std::exp(mean), .interval = std::nullopt};
  }
  const double before = ErrorSquare(baseline);
  const double after = ErrorSquare(candidate);
  const double both = before + after;
  const double freedom = both > 0
                             ? both * both /
                                   (before * before / static_cast<double>(baseline.size() - 1) +
                                    after * after / static_cast<double>(candidate.size() - 1))
                             : 1;
  return RatioAround(mean, both, freedom, confidence);
}

}  // namespace levelfield
