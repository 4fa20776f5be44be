#include "report/cost_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "report/heading.h"
#include "report/number.h"
#include "report/terminal.h"
#include "result/outcome.h"
#include "settings/report_formats.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

std::string Significant(double value) {
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.2f}", value);
}
std::string Percent(double share) { return fmt::format("{:.0f} %", share * 100); }
std::string Bytes(double bytes) { return Size(Whole(bytes)); }

Ratio Of(std::optional<double> value) {
  return {.value = value, .reason = value ? "" : "the kernel does not tell"};
}

// A member of the resources, where there are any.
template <class Get>
Ratio Used(const PhaseResult& phase, Get get) {
  if (!phase.resources) return {.value = std::nullopt, .reason = "written by an older version"};
  return Of(get(*phase.resources));
}

Ratio FlushesPerCommit(const PhaseResult& phase, std::optional<uint64_t> flushes) {
  const uint64_t commits = CommitsOf(phase).count;
  if (commits == 0) return {.value = std::nullopt, .reason = "no commit had anything to flush"};
  if (!flushes) return {.value = std::nullopt, .reason = "the kernel does not tell"};
  return Of(static_cast<double>(*flushes) / static_cast<double>(commits));
}

// Of the store's files, what the page cache had.
Ratio CachedShare(const PhaseResult& phase, uint64_t PageCacheShare::*part,
                  uint64_t PageCacheShare::*whole) {
  if (!phase.page_cache || (*phase.page_cache).*whole == 0) {
    return {.value = std::nullopt, .reason = "the store has no files, or they were not looked at"};
  }
  return {.value = static_cast<double>((*phase.page_cache).*part) /
                   static_cast<double>((*phase.page_cache).*whole),
          .reason = ""};
}

struct Line {
  const char* title;
  bool is_brief;
  bool of_writers_alone;
  Ratio (*value)(const PhaseResult&);
  std::string (*text)(double);
  Unit unit = Unit::kRatio;
};

constexpr std::array<Line, 20> kLines = {{
    {"CPU us/op", true, false, [](const PhaseResult& p) { return CostOf(p).cpu_us; }, Significant},
    {"of it in the background", false, false,
     [](const PhaseResult& p) { return CostOf(p).background_share; }, Percent},
    {"written/put: calls", false, true, [](const PhaseResult& p) { return CostOf(p).write_calls; },
     Significant},
    {"written/put: dirtied", false, true,
     [](const PhaseResult& p) { return CostOf(p).write_dirtied; }, Significant},
    {"written/put: device", true, true, [](const PhaseResult& p) { return CostOf(p).write_device; },
     Significant},
    {"written/put: engine", false, true,
     [](const PhaseResult& p) { return CostOf(p).write_engine; }, Significant},
    {"fetched/read", false, false, [](const PhaseResult& p) { return CostOf(p).read_device; },
     Significant},
    {"space/held", true, true, [](const PhaseResult& p) { return CostOf(p).space; }, Significant},
    {"space/held, peak", false, true, [](const PhaseResult& p) { return CostOf(p).peak_space; },
     Significant},
    {"sync calls", false, true,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return used.syncs ? std::optional(static_cast<double>(used.syncs->calls)) : std::nullopt;
       });
     },
     [](double count) { return Grouped(Whole(count)); }, Unit::kCount},
    {"durable flushes/commit", false, true,
     [](const PhaseResult& p) { return FlushesPerCommit(p, DurableFlushes(p)); }, Significant},
    {"commits without, audited", false, true,
     [](const PhaseResult& p) -> Ratio {
       if (!p.audit || p.audit->commits == 0)
         return {.value = {}, .reason = "no commit was audited"};
       return Of(static_cast<double>(p.audit->without_flush) /
                 static_cast<double>(p.audit->commits));
     },
     Percent},
    {"device flushes/commit", false, true,
     [](const PhaseResult& p) -> Ratio {
       if (IsWrittenThrough(p)) return {.value = {}, .reason = "the device has no cache to flush"};
       const bool is_counted = p.resources && p.resources->device;
       return FlushesPerCommit(p, is_counted ? p.resources->device->flushes : std::nullopt);
     },
     Significant},
    {"waited in them, s", false, true,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return used.syncs ? std::optional(used.syncs->waited_seconds) : std::nullopt;
       });
     },
     Significant},
    {"resident: anonymous", false, false,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return used.memory ? std::optional(static_cast<double>(used.memory->anonymous_bytes))
                            : std::nullopt;
       });
     },
     Bytes, Unit::kBytes},
    {"resident: of files", false, false,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return used.memory ? std::optional(static_cast<double>(used.memory->file_bytes))
                            : std::nullopt;
       });
     },
     Bytes, Unit::kBytes},
    {"faults that waited", false, false,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return std::optional(static_cast<double>(used.major_faults));
       });
     },
     [](double count) { return Grouped(Whole(count)); }, Unit::kCount},
    {"cached at the begin", false, false,
     [](const PhaseResult& p) {
       return CachedShare(p, &PageCacheShare::cached_bytes, &PageCacheShare::file_bytes);
     },
     Percent},
    {"cached at the end", false, false,
     [](const PhaseResult& p) {
       return CachedShare(p, &PageCacheShare::end_cached_bytes, &PageCacheShare::end_file_bytes);
     },
     Percent},
    {"preempted", false, false,
     [](const PhaseResult& p) {
       return Used(p, [](const Resources& used) {
         return std::optional(static_cast<double>(used.involuntary_switches));
       });
     },
     [](double count) { return Grouped(Whole(count)); }, Unit::kCount},
}};

// Null for one that has no figures.
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
      if (detail_ == CostDetail::kBrief && !line.is_brief) continue;
      if (line.of_writers_alone && !writes) continue;
      Row row{is_first ? fmt::format("{}: {}", Printable(named->workload), line.title)
                       : std::string(line.title)};
      row.is_detail = !is_first;
      bool says_something = false;
      for (const Series& series : series_) {
        row.cells.push_back(CellOf(series, index, line));
        const std::string& text = row.cells.back().text;
        says_something = says_something || !(text.empty() || text == "-");
      }
      if (!says_something) continue;
      table.rows.push_back(std::move(row));
      is_first = false;
    }
  }

  // The median over the rounds; "-" where there is none, for a reason.
  Cell CellOf(const Series& series, size_t index, const Line& line) {
    std::vector<double> values;
    std::string reason;
    std::string why_void;
    for (const RunResult* run : series.rounds) {
      const PhaseResult* const phase = PhaseOf(*run, index);
      if (phase == nullptr) {
        if (why_void.empty()) why_void = WhyVoid(*run, index);
        continue;
      }
      // A floor keeps nothing on a disk.
      if (run->floor && line.of_writers_alone) continue;
      const Ratio ratio = line.value(*phase);
      if (ratio.value) values.push_back(*ratio.value);
      if (!ratio.value) reason = ratio.reason;
    }
    if (!values.empty()) return {line.text(Median(values)), line.unit, Median(values)};
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

  // Of a phase that has no figures: "readseq: unsupported: it has no order".
  static std::string WhyVoid(const RunResult& run, size_t index) {
    if (index >= run.phases.size() || run.phases[index].outcome == Outcome::kOk) return "";
    const PhaseResult& phase = run.phases[index];
    return Printable(
        fmt::format("{}: {}: {}", phase.workload, OutcomeName(phase.outcome), phase.message));
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

Report CostReport(const Result& result) {
  const std::vector<Series> series = SeriesOf(result);
  const Result sums = SumsOf(result, series);
  Report report;
  AddBanner(sums, report);
  AddCosts(sums, series, CostDetail::kAll, report);
  return report;
}

StatusOr<std::string> CostsOf(const Result& result, const std::string&, const Settings&) {
  return WriteTerminal(CostReport(result));
}

}  // namespace levelfield
