#include "report/rate_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/over_time.h"
#include "result/load_verdict.h"
#include "result/phase_result.h"
#include "result/result.h"

namespace levelfield {
namespace {

constexpr const char* kInterval = "95 % interval";
constexpr const char* kRange = "least .. greatest";
constexpr const char* kMean = "geometric mean";

// What programs call a detail that people know by this title.
std::string FigureOf(const std::string& title) {
  if (title == kInterval) return "interval";
  if (title == kMean) return "mean";
  return title == kRange ? "range" : title;
}

// One percentile of the latencies; p = 1: the largest.
struct LatencyRow {
  std::string title;
  double p;
  LatencyMember which;
};

std::vector<LatencyRow> LatencyRows(bool is_open) {
  std::vector<LatencyRow> rows;
  for (const auto& [title, p] :
       {std::pair("p50", 0.5), {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1.0}}) {
    if (!is_open) {
      rows.push_back({title, p, &OperationStatistics::latency_ns});
      continue;
    }
    rows.push_back({fmt::format("{} service", title), p, &OperationStatistics::latency_ns});
    rows.push_back({fmt::format("{} response", title), p, &OperationStatistics::response_ns});
  }
  return rows;
}

Cell PercentileCell(const std::optional<SparseHistogram>& latency, double p) {
  if (!latency) return {};
  if (p == 1) return latency->Count() != 0 ? LatencyCell(latency->Max()) : Cell();
  return LatencyCell(latency->Percentile(p));
}

bool HasFigures(const PhaseResult* phase) { return StatisticsOf(phase) != nullptr; }

// Whether settling took at least a millisecond and a hundredth of the phase.
bool HasDeferredWork(const PhaseResult* phase) {
  return phase != nullptr && phase->outcome == Outcome::kOk && phase->settle &&
         !phase->roles.empty() &&
         phase->settle->seconds >= std::max(1e-3, 0.01 * phase->roles[0].seconds);
}

// The claimed level, and the observed one if somebody looked: "D4, seen D1".
std::string LevelText(const RunResult& run, const PhaseResult& phase) {
  const Durability durability = DurabilityOf(run, phase);
  return ClaimAndWord(phase.level, durability.verdict) +
         (durability.volatile_because.empty() ? "" : ", volatile");
}

// The rows of one workload: its rate, further remarks, and its latencies.
class WorkloadRows {
 public:
  WorkloadRows(const Result& sums, const Findings& findings, size_t place, Marks& marks)
      : sums_(sums), findings_(findings), series_(findings.series), place_(place), marks_(marks) {}

  void AddTo(Table& table, bool& has_charged) {
    const PhaseResult& named = *NamedAt(sums_, place_);
    const auto any = [&](const auto& is_so) {
      return std::ranges::any_of(sums_.runs,
                                 [&](const RunResult& run) { return is_so(PhaseAt(run, place_)); });
    };
    is_deferred_ = any(HasDeferredWork);
    const bool is_open = any([](const PhaseResult* phase) { return phase && HasLoad(*phase); });
    const bool has_batch = !named.roles.empty() && named.roles[0].batch > 1;
    const std::vector<LatencyRow> latencies = LatencyRows(is_open);
    Row rates{Printable(named.workload) + (named.repetition.warm_up ? " (warm-up)" : "") +
              findings_.MarksOf(place_)};
    std::vector<Row> percentiles;
    for (const LatencyRow& row : latencies) {
      percentiles.push_back({row.title + (has_batch ? " a batch" : ""), {}, true});
    }
    for (size_t run = 0; run < sums_.runs.size(); ++run) {
      const PhaseResult* const phase = PhaseAt(sums_.runs[run], place_);
      const Figures figures = FiguresOf(series_[run], place_);
      rates.cells.push_back(RateCellOf(run, phase, figures));
      for (size_t i = 0; i < latencies.size(); ++i) {
        percentiles[i].cells.push_back(HasFigures(phase) ? LatencyCellOf(*phase, latencies[i], run)
                                                         : Cell());
      }
      if (phase != nullptr) AddOthers(*phase, figures, run);
    }
    const size_t first = table.rows.size();
    table.rows.push_back(std::move(rates));
    for (auto& [title, cells] : others_) table.rows.push_back({title, std::move(cells), true});
    for (Row& row : percentiles) {
      if (std::ranges::any_of(row.cells, &Cell::HasFigure)) table.rows.push_back(std::move(row));
    }
    for (size_t i = first; i < table.rows.size(); ++i) {
      table.rows[i].workload = named.workload;
      table.rows[i].figure = i == first ? "rate" : FigureOf(table.rows[i].title);
    }
    has_charged = has_charged || has_charged_;
  }

 private:
  Cell LatencyCellOf(const PhaseResult& phase, const LatencyRow& row, size_t run) {
    Cell cell = PercentileCell(LatenciesOf(phase.roles[0], row.which), row.p);
    const bool is_response = row.which == &OperationStatistics::response_ns;
    if (!is_response || !cell.HasFigure()) return cell;
    const std::string why = WhyUpperBounds(phase);
    if (why.empty()) return cell;
    cell.text = "<=" + cell.text +
                marks_.Mark(fmt::format("{}, {}: {}", Printable(sums_.runs[run].engine),
                                        Printable(phase.workload), Printable(why)));
    return cell;
  }

  // The cell of a detail, in the row of that title, which is made if it is missing.
  Cell& At(const std::string& title, size_t run) {
    std::vector<Cell>& cells = others_[title];
    cells.resize(sums_.runs.size());
    return cells[run];
  }

  // Further roles and operations, hits, and the course over time.
  void AddOthers(const PhaseResult& phase, const Figures& figures, size_t run) {
    if (phase.outcome == Outcome::kOk && figures.rates.size() > 1) AddInterval(figures, run);
    if (HasFigures(&phase) && is_deferred_) AddSettle(phase, figures, run);
    if (HasLoad(phase)) AddLoad(phase, run);
    if (!HasFigures(&phase)) return;
    AddOtherRoles(phase, run);
    AddFound(phase, run);
    AddMachine(phase, run);
    AddOverTime(run);
  }

  void AddInterval(const Figures& figures, size_t run) {
    const auto [least, greatest] = std::ranges::minmax(figures.rates);
    const Interval interval = figures.interval.value_or(Interval{least, greatest});
    Cell& cell = At(figures.interval ? kInterval : kRange, run);
    cell = fmt::format("{} .. {}", Rate(interval.low), Rate(interval.high));
    cell.interval = interval;
    cell.unit = Unit::kPerSecond;
    // What ratios, the screen and the page are of.
    Cell& mean = At(kMean, run);
    mean = RateCell(*figures.rate);
    if (figures.rate_interval) mean.interval = *figures.rate_interval;
  }

  // Medians over the rounds, like the rate.
  void AddSettle(const PhaseResult& phase, const Figures& figures, size_t run) {
    if (!figures.charged || !figures.settle_seconds) return;
    has_charged_ = true;
    At("charged", run) = RateCell(*figures.charged);
    Cell& settled = At("settled in", run);
    settled = LatencyCell(Whole(*figures.settle_seconds * 1e9));
    if (phase.settle->complete) return;
    settled.text += marks_.Mark(
        fmt::format("{}, {}: settling was given up; the next workload pays for the rest",
                    Printable(sums_.runs[run].engine), Printable(phase.workload)));
  }

  // How an open loop kept its schedule. If the engine did not keep the rate, what it achieved.
  void AddLoad(const PhaseResult& phase, size_t run) {
    const RoleResult& role = phase.roles[0];
    At("rate asked for", run) = CountCell(role.rate);
    if (phase.outcome == Outcome::kOk) {
      At("lateness p99", run) = PercentileCell(role.load->lateness_ns, 0.99);
    } else if (phase.outcome == Outcome::kInvalid) {
      At("achieved", run) = RateCell(role.OperationsPerSecond());
    }
  }

  // A background role's rate, and the operations of a mix.
  void AddOtherRoles(const PhaseResult& phase, size_t run) {
    for (size_t i = 1; i < phase.roles.size(); ++i) {
      const RoleResult& role = phase.roles[i];
      const std::string wanted = role.rate != 0 ? fmt::format(" of {}", Grouped(role.rate)) : "";
      At(fmt::format("[{}]{}", Printable(role.name), wanted), run) = MedianRate(
          phase, run,
          [&](const PhaseResult& round) { return round.roles[i].OperationsPerSecond(); });
    }
    const RoleResult& role = phase.roles[0];
    if (role.rate != 0) At("rate asked for", run) = CountCell(role.rate);
    if (role.statistics.size() < 2 || role.seconds <= 0) return;
    for (size_t i = 0; i < role.statistics.size(); ++i) {
      const OperationStatistics& stats = role.statistics[i];
      At("of it " + Printable(stats.operation), run) =
          MedianRate(phase, run, [&](const PhaseResult& round) {
            const RoleResult& first = round.roles[0];
            return static_cast<double>(first.statistics[i].operations) / first.seconds;
          });
      At("p99 of " + Printable(stats.operation), run) = PercentileCell(stats.latency_ns, 0.99);
    }
  }

  // Over the rounds, as the rate is. `phase` is their sum, whose own rate is a mean, which is shown
  // if no round came to its end.
  template <class RateOf>
  Cell MedianRate(const PhaseResult& phase, size_t run, const RateOf& rate_of) const {
    const std::optional<double> median = MedianOfRounds(series_[run], place_, rate_of);
    return RateCell(median ? *median : rate_of(phase));
  }

  // How many of the requested keys were there.
  void AddFound(const PhaseResult& phase, size_t run) {
    const OperationStatistics& stats = phase.roles[0].statistics[0];
    // That erasures found all is what everybody expects.
    const bool asks =
        stats.lookup != Lookup::kNone || (stats.effects == kErasures && stats.misses != 0);
    if (!asks || stats.operations == 0 || phase.checked.answers == AnswersChecked::kNone) return;
    At("found", run) =
        stats.misses == 0 ? "all"
        : stats.hits == 0 ? "none"
                          : fmt::format("{} of {}", Grouped(stats.hits), Grouped(stats.operations));
  }

  // The bandwidth of a workload that measures the machine (no store was opened for it, so no level
  // is claimed), and its note.
  void AddMachine(const PhaseResult& phase, size_t run) {
    const RoleResult& role = phase.roles[0];
    const auto bytes = static_cast<double>(role.statistics[0].bytes);
    if (phase.level == DurabilityLevel::kNone && bytes > 0 && role.seconds > 0) {
      At("MiB/s", run) = fmt::format("{:.1f}", bytes / role.seconds / (1 << 20));
    }
    if (phase.note.empty()) return;
    const bool is_of_all = std::ranges::all_of(series_[run].rounds, [&](const RunResult* round) {
      const PhaseResult* const of_round = PhaseAt(*round, place_);
      return of_round == nullptr || of_round->note.empty() || of_round->note == phase.note;
    });
    At("note", run) = Printable(phase.note) + (is_of_all ? "" : " (round 1)");
  }

  void AddOverTime(size_t run) {
    std::vector<const PhaseResult*> rounds;
    for (const RunResult* round : series_[run].rounds) {
      if (const PhaseResult* const phase = PhaseAt(*round, place_)) rounds.push_back(phase);
    }
    for (const OverTimeCell& told : OverTime(rounds)) {
      const std::string mark =
          told.note.empty()
              ? ""
              : marks_.Mark(fmt::format("{}, {}", Printable(sums_.runs[run].engine), told.note));
      At(told.title, run) = told.cell + mark;
    }
  }

  Cell RateCellOf(size_t at, const PhaseResult* phase, const Figures& figures) {
    const RunResult& run = sums_.runs[at];
    if (phase == nullptr) return "-";
    if (phase->outcome != Outcome::kOk) return WhyNone(run, *phase);
    if (phase->IsText()) return "below";
    if (phase->roles.empty()) return {};
    Cell cell = RateCell(figures.median.value_or(0));
    if (figures.interval) cell.interval = *figures.interval;
    cell.text += findings_.MarksOf(series_[at], place_);
    const Durability durability = DurabilityOf(run, *phase);
    if (!durability.volatile_because.empty()) cell.text += " volatile";
    if (!durability.suspect_because.empty()) {
      cell.text += " suspect" +
                   marks_.Mark(fmt::format("{}, {}: suspect: {}", Printable(run.engine),
                                           Printable(phase->workload), durability.suspect_because));
    }
    return cell;
  }

  std::string WhyNone(const RunResult& run, const PhaseResult& phase) {
    // A failure of the whole run is one note for all its rows.
    const bool is_of_run = phase.outcome == Outcome::kNotRun || phase.message == run.message;
    const std::string mark =
        phase.message.empty()
            ? ""
            : marks_.Mark(fmt::format("{}{}: {}", Printable(run.engine),
                                      is_of_run ? "" : ", " + Printable(phase.workload),
                                      Printable(phase.message)));
    if (phase.outcome == Outcome::kWrong) return "WRONG" + mark;
    if (phase.outcome == Outcome::kInvalid && HasLoad(phase) &&
        phase.roles[0].load->verdict == LoadOutcome::kNotSustainable) {
      return std::string(NameOf(LoadOutcome::kNotSustainable)) + mark;
    }
    return fmt::format("{}{}", NameOf(phase.outcome), mark);
  }

  const Result& sums_;
  const Findings& findings_;
  const std::vector<Series>& series_;
  const size_t place_;
  Marks& marks_;
  bool is_deferred_ = false;
  bool has_charged_ = false;
  std::map<std::string, std::vector<Cell>> others_;  // By their titles.
};

// In the order in which they first ran.
std::vector<std::string> FamiliesIn(const Result& sums) {
  std::vector<std::string> families;
  for (const RunResult& run : sums.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (!phase.implicit) AddOnce(families, phase.family);
    }
  }
  return families;
}

// Whether the answers in a family's workloads were right, in one engine's run.
struct Answers {
  void Add(const PhaseResult& phase) {
    if (phase.outcome != Outcome::kOk && phase.outcome != Outcome::kWrong) return;
    if (phase.IsText()) return;  // Text, which nobody can check.
    (phase.level == DurabilityLevel::kNone ? without_store : with_store) += 1;
    if (phase.outcome == Outcome::kOk && IsChecked(phase)) ++right;
    is_wrong = is_wrong || phase.outcome == Outcome::kWrong;
  }

  std::string Text() const {
    const size_t phases = with_store + without_store;
    if (is_wrong) return "WRONG";
    if (phases == 0) return "";
    if (right == phases) return "checked";
    return right == 0 ? "unchecked" : fmt::format("{} of {}", right, phases);
  }

  size_t right = 0;
  size_t with_store = 0;
  size_t without_store = 0;
  bool is_wrong = false;
};

// The level that each engine claims, and whether its answers were checked. A table holds one
// durability class.
void AddDurability(const Result& sums, const std::string& family, Table& table) {
  Row durability{"durability"};
  Row checked{"answers"};
  size_t with_store = 0;
  size_t without_store = 0;
  for (const RunResult& run : sums.runs) {
    std::string level;
    Answers answers;
    for (const PhaseResult& phase : run.phases) {
      if (phase.family != family || phase.implicit) continue;
      if (level.empty()) level = LevelText(run, phase);
      answers.Add(phase);
    }
    const bool is_baseline = run.is_baseline_engine && !IsYardstick(sums, run);
    durability.cells.emplace_back(is_baseline ? "baseline" : level);
    checked.cells.emplace_back(answers.Text());
    with_store += answers.with_store;
    without_store += answers.without_store;
  }
  if (with_store != 0 || without_store == 0) table.rows.push_back(std::move(durability));
  const bool is_any_checked =
      std::ranges::any_of(checked.cells, [](const Cell& answers) { return !answers.text.empty(); });
  if (is_any_checked) table.rows.push_back(std::move(checked));
}

}  // namespace

RateTables RateTablesOf(const Result& sums, const Findings& findings, Marks& marks) {
  RateTables all;
  for (const std::string& family : FamiliesIn(sums)) {
    Table table{.title = Printable(family) + ", ops/s", .columns = ColumnsOf(sums)};
    for (size_t place = 0; place < PlacesIn(sums); ++place) {
      const PhaseResult& named = *NamedAt(sums, place);
      if (named.family != family || named.implicit) continue;
      WorkloadRows(sums, findings, place, marks).AddTo(table, all.has_charged);
    }
    AddDurability(sums, family, table);
    all.tables.push_back(std::move(table));
  }
  return all;
}

}  // namespace levelfield
