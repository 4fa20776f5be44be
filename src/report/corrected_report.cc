#include "report/corrected_report.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "analysis/corrected_latency.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "report/heading.h"
#include "report/terminal.h"
#include "result/load_verdict.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

constexpr std::array kPercentiles = {0.5, 0.99, 0.999};

std::vector<Cell> CellsOf(const RoleResult& role, uint64_t expected_ns) {
  const SparseHistogram measured = ServiceTimes(role);
  const SparseHistogram estimate = CorrectedLatency(measured, expected_ns);
  std::vector<Cell> cells = {LatencyCell(expected_ns)};
  for (const double p : kPercentiles) cells.push_back(LatencyCell(measured.Percentile(p)));
  for (const double p : kPercentiles) cells.push_back(LatencyCell(estimate.Percentile(p)));
  cells.push_back(LatencyCell(measured.Max()));
  return cells;
}

}  // namespace

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
      const uint64_t expected = expected_ns != 0 ? expected_ns : ExpectedIntervalNs(role);
      if (role.load) {
        unmeasured.push_back(name + ": n/a: an open loop, whose response times were measured");
      } else if (ServiceTimes(role).Count() == 0) {
        unmeasured.push_back(name + ": n/a: its operations were not timed one by one");
      } else {
        table.rows.push_back({name, CellsOf(role, expected)});
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
