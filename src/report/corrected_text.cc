#include "report/corrected_text.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "analysis/corrected_latency.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "report/level_banner.h"
#include "report/number.h"
#include "report/text_table.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

constexpr size_t kColumns = 120;
constexpr std::array kPercentiles = {0.5, 0.99, 0.999};

std::string Cell(const SparseHistogram& histogram, double p) {
  const std::optional<uint64_t> value = histogram.Percentile(p);
  return value ? Latency(*value) : "n/a";
}

std::vector<std::string> Cells(const RoleResult& role, uint64_t expected_ns) {
  const SparseHistogram measured = ServiceTimes(role);
  const SparseHistogram estimate = CorrectedLatency(measured, expected_ns);
  std::vector<std::string> cells = {Latency(expected_ns)};
  for (const double p : kPercentiles) cells.push_back(Cell(measured, p));
  for (const double p : kPercentiles) cells.push_back(Cell(estimate, p));
  cells.push_back(Latency(measured.Max()));
  return cells;
}

}  // namespace

std::string RenderCorrected(const Result& result, uint64_t expected_ns) {
  std::string text = LevelBanner(result);
  for (const Series& series : SeriesOf(result)) {
    Table table{.title = "",
                .heads = {"supposed", "p50", "p99", "p99.9", "~p50", "~p99", "~p99.9", "max"},
                .rows = {}};
    std::string unmeasured;
    for (const PhaseResult& phase : series.sum.phases) {
      if (phase.outcome != Outcome::kOk || phase.roles.empty() || phase.implicit) continue;
      const RoleResult& role = phase.roles.front();
      const std::string name = Printable(phase.workload);
      const uint64_t expected = expected_ns != 0 ? expected_ns : ExpectedIntervalNs(role);
      if (role.load) {
        unmeasured +=
            fmt::format("{}: n/a: an open loop, whose response times were measured\n", name);
      } else if (ServiceTimes(role).Count() == 0) {
        unmeasured += fmt::format("{}: n/a: its operations were not timed one by one\n", name);
      } else {
        table.rows.push_back({name, Cells(role, expected)});
      }
    }
    if (table.rows.empty() && unmeasured.empty()) continue;
    text += fmt::format(
        "\n{}: service time in a closed loop as measured, and ~: an estimate, no measurement, of "
        "what a\nclient would have waited who wants an operation each `supposed`, whether or not "
        "the last is over\n",
        Printable(series.sum.engine));
    if (!table.rows.empty()) text += Draw(table, kColumns);
    text += unmeasured;
  }
  return text;
}

}  // namespace levelfield
