#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/cost.h"
#include "analysis/cost_of_rounds.h"
#include "base/number.h"
#include "base/quote.h"
#include "report/heading.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/phase_result.h"
#include "settings/report_formats.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

std::string ThreeDigits(double value) {
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.2f}", value);
}
std::string Bytes(double bytes) { return Size(Whole(bytes)); }
std::string Count(double count) { return Grouped(Whole(count)); }

struct Line {
  const char* title;
  bool is_brief;
  bool of_writers_alone;
  Ratio Cost::*value;
  std::string (*text)(double);
  Unit unit = Unit::kRatio;
};

constexpr Line kLines[] = {
    {"CPU us/op", true, false, &Cost::cpu_us, ThreeDigits, Unit::kMicroseconds},
    {"of it in the background", false, false, &Cost::background_share, Percent},
    {"of the time computing", false, false, &Cost::computing, Percent},
    {"of the time in syncs", false, true, &Cost::in_syncs, Percent},
    {"of the time waiting", false, false, &Cost::waiting, Percent},
    {"written/put: calls", false, true, &Cost::write_calls, ThreeDigits},
    {"written/put: dirtied", false, true, &Cost::write_dirtied, ThreeDigits},
    {"written/put: device", true, true, &Cost::write_device, ThreeDigits},
    {"written/put: engine", false, true, &Cost::write_engine, ThreeDigits},
    {"fetched/read", false, false, &Cost::read_device, ThreeDigits},
    {"space/held", true, true, &Cost::space, ThreeDigits},
    {"space/held, peak", false, true, &Cost::peak_space, ThreeDigits},
    {"sync calls", false, true, &Cost::sync_calls, Count, Unit::kCount},
    {"durable flushes/commit", false, true, &Cost::flushes, ThreeDigits},
    {"commits without, audited", false, true, &Cost::unflushed, Percent},
    {"device flushes/commit", false, true, &Cost::device_flushes, ThreeDigits},
    {"waited in them, s", false, true, &Cost::sync_seconds, ThreeDigits, Unit::kSeconds},
    {"resident: anonymous", false, false, &Cost::anonymous_bytes, Bytes, Unit::kBytes},
    {"resident: of files", false, false, &Cost::file_bytes, Bytes, Unit::kBytes},
    {"faults that waited", false, false, &Cost::major_faults, Count, Unit::kCount},
    {"cached at first", false, false, &Cost::cached_at_begin, Percent},
    {"cached at the end", false, false, &Cost::cached_at_end, Percent},
    {"preempted", false, false, &Cost::preempted, Count, Unit::kCount},
};

// Null if it has no figures.
const PhaseResult* PhaseOf(const RunResult& run, size_t index) {
  const PhaseResult* const phase = PhaseAt(run, index);
  const bool counts = phase != nullptr && phase->outcome == Outcome::kOk && !phase->roles.empty() &&
                      !phase->implicit;
  return counts ? phase : nullptr;
}

class Costs {
 public:
  Costs(const Result& sums, const std::vector<Series>& series, CostDetail detail)
      : sums_(sums), series_(series), detail_(detail) {}

  void AddTo(Report& report) {
    Table table{.title = "cost", .columns = ColumnsOf(sums_)};
    if (detail_ == CostDetail::kRest) {
      table.title = "more of the cost";
      table.layout = Table::Layout::kDetails;
    }
    for (size_t i = 0; i < PlacesIn(sums_); ++i) AddPhase(i, table);
    if (table.rows.empty()) return;
    table.below.assign(reasons_.begin(), reasons_.end());
    report.Add(std::move(table));
  }

 private:
  void AddPhase(size_t index, Table& table) {
    const PhaseResult* named = nullptr;
    bool writes = false;
    for (const RunResult& run : sums_.runs) {
      const PhaseResult* const phase = PhaseOf(run, index);
      if (phase == nullptr) continue;
      if (named == nullptr) named = phase;
      writes = writes || HasWritten(*phase);
    }
    if (named == nullptr) return;
    bool is_first = true;
    for (const Line& line : kLines) {
      if (!IsShown(line, writes)) continue;
      Row row{is_first ? fmt::format("{}: {}", Printable(named->workload), line.title)
                       : std::string(line.title)};
      row.is_detail = !is_first;
      row.workload = named->workload;
      row.figure = line.title;
      for (const Series& series : series_) row.cells.push_back(CellOf(series, index, line));
      if (std::ranges::none_of(row.cells, &Cell::HasFigure)) continue;
      table.rows.push_back(std::move(row));
      is_first = false;
    }
  }

  bool IsShown(const Line& line, bool writes) const {
    const bool is_of_it = writes || !line.of_writers_alone;
    const bool is_brief = line.is_brief && is_of_it;
    return detail_ == CostDetail::kAll ? is_of_it : is_brief == (detail_ == CostDetail::kBrief);
  }

  // The median over the rounds, or "-" with a reason.
  Cell CellOf(const Series& series, size_t index, const Line& line) {
    std::string reason;
    std::string why_void;
    bool counts = false;
    for (const RunResult* run : series.rounds) {
      const PhaseResult* const phase = PhaseOf(*run, index);
      if (phase == nullptr) {
        if (why_void.empty()) why_void = WhyNoFigures(*run, index);
        continue;
      }
      // A baseline engine stores nothing on a disk.
      if (run->is_baseline_engine && line.of_writers_alone) continue;
      counts = true;
      const Ratio ratio = CostOf(*phase).*line.value;
      if (!ratio.value) reason = ratio.reason;
    }
    if (const auto cost = CostOfRounds(series, index, line.value); cost && counts) {
      Cell cell(line.text(cost->median), line.unit, cost->median);
      if (cost->interval) cell.interval = *cost->interval;
      return cell;
    }
    if (detail_ == CostDetail::kAll && reason.empty() && !why_void.empty()) {
      reasons_.insert(fmt::format("-: {}, {}", Printable(series.sum.engine), why_void));
      return "-";
    }
    if (reason.empty()) return {};
    if (detail_ == CostDetail::kAll) {
      reasons_.insert(
          fmt::format("-: {}, {}: {}", Printable(series.sum.engine), line.title, reason));
    }
    return "-";
  }

  // For a phase without figures: "readseq: unsupported: it has no order".
  static std::string WhyNoFigures(const RunResult& run, size_t index) {
    if (index >= run.phases.size() || run.phases[index].outcome == Outcome::kOk) return "";
    const PhaseResult& phase = run.phases[index];
    return Printable(
        fmt::format("{}: {}: {}", phase.workload, NameOf(phase.outcome), phase.message));
  }

  const Result& sums_;
  const std::vector<Series>& series_;
  CostDetail detail_;
  std::set<std::string> reasons_;
};

}  // namespace

void AddCosts(const Result& sums, const std::vector<Series>& series, CostDetail detail,
              Report& report) {
  Costs(sums, series, detail).AddTo(report);
}

void AddCosts(const Result& result, CostDetail detail, Report& report) {
  const std::vector<Series> series = SeriesOf(result);
  AddCosts(SumsOf(result, series), series, detail, report);
}

Report CostReport(const Result& result) {
  Report report;
  AddBanner(result, report);
  AddCosts(result, CostDetail::kAll, report);
  return report;
}

StatusOr<std::string> CostsOf(const Result& result, const std::string&, const Settings&) {
  return WriteTerminal(CostReport(result));
}

}  // namespace levelfield
