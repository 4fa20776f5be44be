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
  RateRatio ratio{.ratio = std::exp(mean), .interval = std::nullopt};
  if (logarithms.size() < kLeastProcessPairs) return ratio;
  double squares = 0;
  for (const double value : logarithms) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(logarithms.size());
  const double t = quantile(boost::math::students_t(count - 1), 1 - (1 - confidence) / 2);
  const double half = t * std::sqrt(squares / (count - 1) / count);
  ratio.interval = Interval{.low = std::exp(mean - half), .high = std::exp(mean + half)};
  return ratio;
}

}  // namespace levelfield
