#include "stats/slice_ratio.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace levelfield {
namespace {

constexpr size_t kBlocks = 50;
constexpr size_t kLeastPairs = 10;  // With fewer pairs, compares the sums of all slices.
constexpr double kTrimmed = 0.2;    // Share of the blocks that is left out at either end.

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
  const bool are_few = pairs < kLeastPairs;
  const size_t blocks = pairs == 0 ? 0 : are_few ? 1 : std::min(pairs, kBlocks);
  std::vector<double> logarithms;
  for (size_t i = 0; i < blocks; ++i) {
    const size_t first = i * pairs / blocks;
    const auto rate = [&](const SlicedWork& of) {
      const size_t all = std::min(of.operations.size(), of.active_ns.size());
      const size_t end = are_few ? all : (i + 1) * pairs / blocks;
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

}  // namespace levelfield
