#include "report/corrected_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "analysis/series.h"
#include "base/quote.h"
#include "report/heading.h"
#include "report/terminal.h"
#include "result/load_verdict.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

uint64_t Saturated(unsigned __int128 value) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return value > kMost ? kMost : static_cast<uint64_t>(value);
}

// Adds latency - k * expected for each k from 1 while that is at least `expected`, each as often as
// the latency occurred. Works by buckets, because there may be billions of them.
void FillIn(uint64_t latency, uint64_t times, uint64_t expected, std::vector<uint64_t>& counts) {
  const uint64_t steps = latency / expected - 1;
  const uint64_t least = latency - steps * expected;
  for (size_t bucket = Histogram::BucketOf(least); bucket <= Histogram::BucketOf(latency);
       ++bucket) {
    const uint64_t low = std::max(Histogram::LowestOf(bucket), least);
    const uint64_t high = std::min(Histogram::HighestOf(bucket), latency - expected);
    if (low > high) continue;
    const uint64_t first = (latency - high + expected - 1) / expected;
    const uint64_t last = (latency - low) / expected;
    if (first <= last) counts[bucket] += times * (last - first + 1);
  }
}

constexpr std::array kEstimatedPercentiles = {0.5, 0.99, 0.999};

std::vector<Cell> CellsOf(const RoleResult& role, uint64_t expected_ns) {
  const SparseHistogram measured = ServiceTimes(role);
  const SparseHistogram estimate = CorrectedLatency(measured, expected_ns);
  std::vector<Cell> cells = {LatencyCell(expected_ns)};
  for (const double p : kEstimatedPercentiles) cells.push_back(LatencyCell(measured.Percentile(p)));
  for (const double p : kEstimatedPercentiles) cells.push_back(LatencyCell(estimate.Percentile(p)));
  cells.push_back(LatencyCell(measured.Max()));
  return cells;
}

}  // namespace

SparseHistogram CorrectedLatency(const SparseHistogram& latency_ns, uint64_t expected_ns) {
  if (expected_ns == 0 || latency_ns.Count() == 0) return latency_ns;
  std::vector<uint64_t> counts(Histogram::kBuckets);
  unsigned __int128 sum = latency_ns.Sum();
  uint64_t min = latency_ns.Min();
  for (const auto& [bucket, count] : latency_ns.NonEmpty()) {
    counts[bucket] += count;
    const uint64_t low = Histogram::LowestOf(bucket);
    const uint64_t latency = std::clamp(low + (Histogram::HighestOf(bucket) - low) / 2,
                                        latency_ns.Min(), latency_ns.Max());
    if (latency / expected_ns < 2) continue;
    FillIn(latency, count, expected_ns, counts);
    const unsigned __int128 steps = latency / expected_ns - 1;
    sum += count * (steps * latency - expected_ns * (steps * (steps + 1) / 2));
    min = std::min(min, static_cast<uint64_t>(latency - steps * expected_ns));
  }
  std::vector<Histogram::Bucket> buckets;
  for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
    if (counts[bucket] != 0) buckets.push_back({bucket, counts[bucket]});
  }
  // More than 2^64 latencies do not fit a histogram. Then the estimate is left out.
  return SparseHistogram::Restore(buckets, Saturated(sum), min, latency_ns.Max())
      .value_or(latency_ns);
}

uint64_t ExpectedIntervalNs(const RoleResult& role) {
  if (role.rate != 0) {
    return static_cast<uint64_t>(1e9 * static_cast<double>(role.threads * role.batch) /
                                 static_cast<double>(role.rate));
  }
  uint64_t calls = 0;
  for (const OperationStatistics& stats : role.statistics)
    calls += stats.latency_ns ? stats.latency_ns->Count() : 0;
  if (calls == 0) return 0;
  constexpr double kMostNs = 1e18;  // A damaged result may say anything.
  const double interval_ns = role.thread_seconds * 1e9 / static_cast<double>(calls);
  return static_cast<uint64_t>(std::clamp(interval_ns, 0.0, kMostNs));
}

Report CorrectedReport(const Result& result, uint64_t expected_ns) {
  Report report;
  AddBanner(result, report);
  for (const Series& series : SeriesOf(result)) {
    Table table;
    for (const char* const head :
         {"supposed", "p50", "p99", "p99.9", "~p50", "~p99", "~p99.9", "max"}) {
      table.columns.push_back({head});
    }
    std::vector<std::string> unmeasured;
    for (const PhaseResult& phase : series.sum.phases) {
      if (phase.outcome != Outcome::kOk || phase.roles.empty() || phase.implicit) continue;
      const RoleResult& role = phase.roles.front();
      const std::string name = Printable(phase.workload);
      const uint64_t own_ns = ExpectedIntervalNs(role);
      if (role.load) {
        unmeasured.push_back(name + ": n/a: an open loop, whose response times were measured");
      } else if (ServiceTimes(role).Count() == 0) {
        unmeasured.push_back(name + ": n/a: its operations were not timed one by one");
      } else if (expected_ns > own_ns) {
        // The closed loop made more calls than that client would, and they would hide the few that
        // waited: a p99 of 54 us where it was 72.6 ms.
        unmeasured.push_back(fmt::format(
            "{}: n/a: --expected_interval is longer than the {} that an operation took; measure "
            "it in an open loop (--rate)",
            name, LatencyCell(own_ns).text));
      } else {
        table.rows.push_back({name, CellsOf(role, expected_ns != 0 ? expected_ns : own_ns)});
      }
    }
    if (table.rows.empty() && unmeasured.empty()) continue;
    report.Add(Gap{});
    report.AddLine(fmt::format(
        "{}: service time in a closed loop as measured, and ~: an estimate, no measurement, of "
        "what a\nclient would have waited who wants an operation each `supposed`, whether or not "
        "the last is over",
        Printable(series.sum.engine)));
    if (!table.rows.empty()) report.Add(std::move(table));
    for (std::string& line : unmeasured) report.AddLine(std::move(line));
  }
  return report;
}

StatusOr<std::string> CorrectedLatenciesOf(const Result& result, const std::string&,
                                           const Settings& settings) {
  return WriteTerminal(
      CorrectedReport(result, static_cast<uint64_t>(settings.expected_interval * 1e9)));
}

}  // namespace levelfield
