#include "report/db_bench_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace levelfield {
namespace {

// The upper limits in microseconds: 1 to 10, then sixteen to a decade, and one for all the rest.
constexpr size_t kLimits = 154;
std::array<double, kLimits> Limits() {
  constexpr double kSteps[] = {1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10};
  std::array<double, kLimits> limits{};
  size_t count = 0;
  for (int i = 1; i <= 10; ++i) limits[count++] = i;
  for (double decade = 10; count < kLimits; decade *= 10) {
    for (const double step : kSteps) limits[count++] = std::round(step * decade);
  }
  limits.back() = std::numeric_limits<double>::infinity();
  return limits;
}

double Micros(uint64_t ns) { return static_cast<double>(ns) * 1e-3; }

double MiddleOf(const Histogram& histogram, uint64_t bucket) {
  const uint64_t low = Histogram::LowestOf(bucket);
  const uint64_t middle = low + (Histogram::HighestOf(bucket) - low) / 2;
  return Micros(std::clamp(middle, histogram.Min(), histogram.Max()));
}

double MedianOf(const Histogram& histogram, uint64_t count) {
  uint64_t below = 0;
  for (const auto& [bucket, in_bucket] : histogram.NonEmpty()) {
    below += in_bucket;
    if (2 * below >= count) return MiddleOf(histogram, bucket);
  }
  return 0;
}

}  // namespace

std::string DbBenchHistogram(const Histogram& latency_ns) {
  static const std::array<double, kLimits> limits = Limits();
  const uint64_t count = latency_ns.Count();
  if (count == 0) return "Microseconds per op: none\n";
  const auto total = static_cast<double>(count);
  const double average = Micros(latency_ns.Sum()) / total;
  std::array<uint64_t, kLimits> counts{};
  double squares = 0;
  for (const auto& [bucket, in_bucket] : latency_ns.NonEmpty()) {
    const double micros = MiddleOf(latency_ns, bucket);
    counts[static_cast<size_t>(std::ranges::upper_bound(limits, micros) - limits.begin())] +=
        in_bucket;
    squares += static_cast<double>(in_bucket) * (micros - average) * (micros - average);
  }
  std::string text = fmt::format(
      "Microseconds per op:\nCount: {}  Average: {:.4f}  StdDev: {:.2f}\n"
      "Min: {:.4f}  Median: {:.4f}  Max: {:.4f}\n{:-<54}\n",
      count, average, std::sqrt(squares / total), Micros(latency_ns.Min()),
      MedianOf(latency_ns, count), Micros(latency_ns.Max()), "");
  uint64_t sum = 0;
  for (size_t i = 0; i < kLimits; ++i) {
    if (counts[i] == 0) continue;
    sum += counts[i];
    const double share = static_cast<double>(counts[i]) / total;
    text +=
        fmt::format("[ {:7.0f}, {:7.0f} ) {:7} {:7.3f}% {:7.3f}% {:#<{}}\n",
                    i == 0 ? 0 : limits[i - 1], limits[i], counts[i], 100 * share,
                    100 * static_cast<double>(sum) / total, "", static_cast<int>(20 * share + 0.5));
  }
  text += "Percentiles:\n";
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"P50:", 0.5}, {"P95:", 0.95}, {"P99:", 0.99}, {"P99.9:", 0.999}, {"P99.99:", 0.9999}};
  for (const auto& [name, p] : kPercentiles) {
    const std::optional<uint64_t> value = latency_ns.Percentile(p);
    text += value ? fmt::format("  {:8} {:9.3f} us\n", name, Micros(*value))
                  : fmt::format("  {:8} n/a (fewer than ten operations lie beyond it)\n", name);
  }
  return text;
}

}  // namespace levelfield
