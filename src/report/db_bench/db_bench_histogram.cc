#include "report/db_bench/db_bench_histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace levelfield {
namespace {

// How a program draws a histogram.
struct Style {
  std::vector<double> limits;  // Upper limits in microseconds. The last bucket holds all the rest.
  bool holds_limit;            // A bucket includes its upper limit, and excludes its lower one.
  bool percentiles_first;      // On one line above the buckets.
  const char* gap;             // Between the figures of the first line.
};

// 1 to 10, then sixteen to a decade, up to 154 of them.
std::vector<double> LevelDbLimits() {
  constexpr double kSteps[] = {1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10};
  std::vector<double> limits = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  for (double decade = 10; limits.size() < 154; decade *= 10) {
    for (const double step : kSteps) limits.push_back(std::round(step * decade));
  }
  limits.back() = std::numeric_limits<double>::infinity();
  return limits;
}

// 1, 2, then each larger by half, cut to two digits, up to 109 of them.
std::vector<double> RocksDbLimits() {
  std::vector<double> limits = {1, 2};
  for (double limit = 3; limits.size() < 109; limit *= 1.5) {
    double digits = std::floor(limit);
    double unit = 1;
    for (; digits >= 110; unit *= 10) digits = std::floor(digits / 10);
    limits.push_back(digits * unit);
  }
  limits.back() = std::numeric_limits<double>::infinity();
  return limits;
}

const Style& StyleOf(Lines lines) {
  static const Style leveldb = {LevelDbLimits(), false, false, "  "};
  static const Style rocksdb = {RocksDbLimits(), true, true, " "};
  return lines == Lines::kRocksDb ? rocksdb : leveldb;
}

double Micros(uint64_t ns) { return static_cast<double>(ns) * 1e-3; }

double MiddleOf(const SparseHistogram& histogram, uint64_t bucket) {
  const uint64_t low = Histogram::LowestOf(bucket);
  const uint64_t middle = low + (Histogram::HighestOf(bucket) - low) / 2;
  return Micros(std::clamp(middle, histogram.Min(), histogram.Max()));
}

// Below it lies this share of the values, however few they are.
double ValueAbove(const SparseHistogram& histogram, double share) {
  const double count = static_cast<double>(histogram.Count());
  uint64_t below = 0;
  for (const auto& [bucket, in_bucket] : histogram.NonEmpty()) {
    below += in_bucket;
    if (static_cast<double>(below) >= share * count - 1e-6) return MiddleOf(histogram, bucket);
  }
  return 0;
}

std::string PercentilesBelow(const SparseHistogram& histogram) {
  std::string text = "Percentiles:\n";
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"P50:", 0.5}, {"P95:", 0.95}, {"P99:", 0.99}, {"P99.9:", 0.999}, {"P99.99:", 0.9999}};
  for (const auto& [name, p] : kPercentiles) {
    const std::optional<uint64_t> value = histogram.Percentile(p);
    text += value ? fmt::format("  {:8} {:9.3f} us\n", name, Micros(*value))
                  : fmt::format("  {:8} n/a (fewer than ten operations lie beyond it)\n", name);
  }
  return text;
}

// All are numbers, as in the original: benchmark.sh does arithmetic with them. Where fewer than ten
// operations lie beyond one it is near the maximum, and tells as little.
std::string PercentilesOnALine(const SparseHistogram& histogram) {
  std::string text = "Percentiles:";
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"P50", 0.5}, {"P75", 0.75}, {"P99", 0.99}, {"P99.9", 0.999}, {"P99.99", 0.9999}};
  for (const auto& [name, p] : kPercentiles) {
    text += fmt::format(" {}: {:.2f}", name, ValueAbove(histogram, p));
  }
  return text + "\n";
}

}  // namespace

std::string DbBenchHistogram(const SparseHistogram& latency_ns, Lines lines,
                             std::string_view what) {
  const Style& style = StyleOf(lines);
  const uint64_t count = latency_ns.Count();
  if (count == 0) return fmt::format("Microseconds per {}: none\n", what);
  const auto total = static_cast<double>(count);
  const double average = Micros(latency_ns.Sum()) / total;
  std::vector<uint64_t> counts(style.limits.size());
  double squares = 0;
  for (const auto& [bucket, in_bucket] : latency_ns.NonEmpty()) {
    const double micros = MiddleOf(latency_ns, bucket);
    const auto limit = style.holds_limit ? std::ranges::lower_bound(style.limits, micros)
                                         : std::ranges::upper_bound(style.limits, micros);
    counts[static_cast<size_t>(limit - style.limits.begin())] += in_bucket;
    squares += static_cast<double>(in_bucket) * (micros - average) * (micros - average);
  }
  std::string text = fmt::format(
      "Microseconds per {}:\nCount: {}{}Average: {:.4f}  StdDev: {:.2f}\n"
      "Min: {:.4f}  Median: {:.4f}  Max: {:.4f}\n",
      what, count, style.gap, average, std::sqrt(squares / total), Micros(latency_ns.Min()),
      ValueAbove(latency_ns, 0.5), Micros(latency_ns.Max()));
  if (style.percentiles_first) text += PercentilesOnALine(latency_ns);
  text += fmt::format("{:-<54}\n", "");
  uint64_t sum = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    sum += counts[i];
    const double share = static_cast<double>(counts[i]) / total;
    text += fmt::format(
        "{} {:7.0f}, {:7.0f} {} {:{}} {:7.3f}% {:7.3f}% {:#<{}}\n",
        style.holds_limit && i > 0 ? '(' : '[', i == 0 ? 0 : style.limits[i - 1], style.limits[i],
        style.holds_limit ? ']' : ')', counts[i], style.holds_limit ? 8 : 7, 100 * share,
        100 * static_cast<double>(sum) / total, "", static_cast<int>(20 * share + 0.5));
  }
  return style.percentiles_first ? text : text + PercentilesBelow(latency_ns);
}

}  // namespace levelfield
