#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "analysis/series.h"
#include "base/quote.h"
#include "report/conditions_text.h"
#include "report/cost_table.h"
#include "report/durability_table.h"
#include "report/heading.h"
#include "report/level_banner.h"
#include "report/load_table.h"
#include "report/number.h"
#include "report/over_time.h"
#include "report/paper.h"
#include "report/price_text.h"
#include "report/round_notes.h"
#include "report/setup_text.h"
#include "report/text_table.h"
#include "report/whole.h"
#include "result/load_verdict.h"
#include "result/outcome_name.h"
#include "result/setting_of.h"
#include "result/without_runs.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

class Tables {
 public:
  // `result` has one run for each of the series: all of its rounds put together.
  Tables(const Result& result, const std::vector<Series>& series, const Paper& paper)
      : result_(result), series_(series), paper_(paper) {}

  std::string Render() {
    std::string text = RenderHeading(result_, series_, paper_) + paper_.Lines(LevelBanner(result_));
    for (const std::string& family : Families()) text += paper_.Drawn(MakeTable(family));
    return text + LoadSteps() + RenderCosts(result_, series_, CostDetail::kBrief, paper_) +
           RenderDurability(result_, paper_) + Texts() + Notes();
  }

 private:
  static bool HasLoad(const PhaseResult& phase) {
    return !phase.roles.empty() && phase.roles[0].load;
  }

  std::string LoadSteps() const {
    std::string text;
    for (const Series& series : series_) {
      for (size_t i = 0; i < series.sum.phases.size(); ++i) {
        text +=
            RenderLoadSteps(series.sum.engine, series.sum.phases[i], SettingOf(result_, "arrival"),
                            paper_, Present(series.KeptRates(i)));
      }
    }
    return text;
  }

  // In the order in which they first ran.
  std::vector<std::string> Families() const {
    std::vector<std::string> families;
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (!phase.implicit && std::ranges::find(families, phase.family) == families.end()) {
          families.push_back(phase.family);
        }
      }
    }
    return families;
  }

  // The n-th phase of the plan is the n-th phase of every run.
  const PhaseResult* PhaseOf(const RunResult& run, size_t index) const {
    return index < run.phases.size() ? &run.phases[index] : nullptr;
  }

  Table MakeTable(const std::string& family) {
    Table table{.title = Printable(family) + ", ops/s", .heads = ColumnTitles(result_), .rows = {}};
    size_t most_phases = 0;
    for (const RunResult& run : result_.runs)
      most_phases = std::max(most_phases, run.phases.size());
    for (size_t i = 0; i < most_phases; ++i) {
      const PhaseResult* named = nullptr;
      for (const RunResult& run : result_.runs) {
        if (named == nullptr) named = PhaseOf(run, i);
      }
      if (named == nullptr || named->family != family || named->implicit) continue;
      AddRows(*named, i, table);
    }
    AddDurability(family, table);
    return table;
  }

  void AddRows(const PhaseResult& named, size_t index, Table& table) {
    std::vector<Row> rows;
    rows.push_back(
        {.title = Printable(named.workload) + (named.repetition.warm_up ? " (warm-up)" : ""),
         .cells = {}});
    const bool has_batch = !named.roles.empty() && named.roles[0].batch > 1;
    const bool is_open = std::ranges::any_of(result_.runs, [&](const RunResult& run) {
      const PhaseResult* const phase = PhaseOf(run, index);
      return phase != nullptr && HasLoad(*phase);
    });
    const std::vector<LatencyRow> latencies = LatencyRows(is_open);
    for (const LatencyRow& row : latencies) {
      rows.push_back(
          {.title = fmt::format("  {}{}", row.title, has_batch ? " a batch" : ""), .cells = {}});
    }
    // What else there is to say of it: further roles and operations, what was found.
    std::map<std::string, std::vector<std::string>> others;
    const bool owes = Owes(index);
    for (size_t run = 0; run < result_.runs.size(); ++run) {
      const PhaseResult* const phase = PhaseOf(result_.runs[run], index);
      const std::vector<double> rates = Present(series_[run].Rates(index));
      rows[0].cells.push_back(RateCell(result_.runs[run], phase, rates));
      if (phase != nullptr && phase->outcome == Outcome::kOk && rates.size() > 1) {
        const auto interval = MedianInterval(rates);
        const auto [least, greatest] = std::ranges::minmax(rates);
        Cell(others, interval ? "  95 % interval" : "  least .. greatest", run) =
            interval ? fmt::format("{} .. {}", Rate(interval->low), Rate(interval->high))
                     : fmt::format("{} .. {}", Rate(least), Rate(greatest));
      }
      const bool counts = phase != nullptr && phase->outcome == Outcome::kOk &&
                          !phase->roles.empty() && !phase->roles[0].lanes.empty();
      if (counts && owes) AddSettle(*phase, run, index, others);
      for (size_t i = 0; i < latencies.size(); ++i) {
        rows[i + 1].cells.push_back(
            counts ? PercentileCell(phase->roles[0].lanes[0].*latencies[i].which, latencies[i].p)
                   : "");
      }
      if (phase != nullptr && HasLoad(*phase)) AddLoad(*phase, run, others);
      if (!counts) continue;
      AddOtherRoles(*phase, run, others);
      AddFound(*phase, run, others);
      AddMachine(*phase, run, others);
      AddOverTime(index, run, others);
    }
    table.rows.push_back(rows[0]);
    for (auto& [title, cells] : others) {
      cells.resize(result_.runs.size());
      table.rows.push_back({.title = title, .cells = std::move(cells)});
    }
    for (size_t i = 1; i < rows.size(); ++i) {
      const bool says_something = std::ranges::any_of(
          rows[i].cells, [](const std::string& cell) { return !cell.empty() && cell != "n/a"; });
      if (says_something) table.rows.push_back(std::move(rows[i]));
    }
  }

  // Whether settling took a millisecond and more than a hundredth of the phase, in any engine's
  // run.
  bool Owes(size_t index) const {
    return std::ranges::any_of(result_.runs, [&](const RunResult& run) {
      const PhaseResult* const phase = PhaseOf(run, index);
      return phase != nullptr && phase->outcome == Outcome::kOk && phase->settle &&
             !phase->roles.empty() &&
             phase->settle->seconds >= std::max(1e-3, 0.01 * phase->roles[0].seconds);
    });
  }

  // The medians of the rounds, as the rate's is.
  void AddSettle(const PhaseResult& phase, size_t run, size_t index,
                 std::map<std::string, std::vector<std::string>>& others) {
    const std::vector<double> rates = Present(series_[run].ChargedRates(index));
    const std::vector<double> seconds = Present(series_[run].SettleSeconds(index));
    if (rates.empty() || seconds.empty()) return;
    charges_ = true;
    Cell(others, "  charged", run) = Rate(Median(rates));
    Cell(others, "  settled in", run) =
        Latency(Whole(Median(seconds) * 1e9)) +
        (phase.settle->complete
             ? ""
             : Mark(fmt::format("{}, {}: settling was given up; what was left "
                                "is paid for by what follows",
                                Printable(result_.runs[run].engine), Printable(phase.workload))));
  }

  // One percentile of the latencies; p = 1: the largest.
  struct LatencyRow {
    std::string title;
    double p;
    std::optional<SparseHistogram> LaneResult::*which;
  };

  static std::vector<LatencyRow> LatencyRows(bool is_open) {
    std::vector<LatencyRow> rows;
    for (const auto& [title, p] :
         {std::pair("p50", 0.5), {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1.0}}) {
      if (!is_open) {
        rows.push_back({title, p, &LaneResult::latency_ns});
        continue;
      }
      rows.push_back({fmt::format("{} service", title), p, &LaneResult::latency_ns});
      rows.push_back({fmt::format("{} response", title), p, &LaneResult::response_ns});
    }
    return rows;
  }

  // How an open loop kept to its schedule; where the engine did not keep the rate, what it did.
  void AddLoad(const PhaseResult& phase, size_t run,
               std::map<std::string, std::vector<std::string>>& others) const {
    const RoleResult& role = phase.roles[0];
    Cell(others, "  rate asked for", run) = Grouped(role.rate);
    if (phase.outcome == Outcome::kOk) {
      Cell(others, "  lateness p99", run) = PercentileCell(role.load->lateness_ns, 0.99);
    } else if (phase.outcome == Outcome::kInvalid) {
      Cell(others, "  achieved", run) = Rate(role.OperationsPerSecond());
    }
  }

  // A background role's rate, and the operations of a mix.
  void AddOtherRoles(const PhaseResult& phase, size_t run,
                     std::map<std::string, std::vector<std::string>>& others) const {
    for (size_t i = 1; i < phase.roles.size(); ++i) {
      const RoleResult& role = phase.roles[i];
      const std::string wanted = role.rate != 0 ? fmt::format(" of {}", Grouped(role.rate)) : "";
      Cell(others, fmt::format("  [{}]{}", Printable(role.name), wanted), run) =
          Rate(role.OperationsPerSecond());
    }
    const RoleResult& role = phase.roles[0];
    if (role.rate != 0) Cell(others, "  rate asked for", run) = Grouped(role.rate);
    if (role.lanes.size() < 2 || role.seconds <= 0) return;
    for (const LaneResult& lane : role.lanes) {
      Cell(others, "  of it " + Printable(lane.operation), run) =
          Rate(static_cast<double>(lane.operations) / role.seconds);
    }
  }

  // How many of the keys that were asked for were there.
  void AddFound(const PhaseResult& phase, size_t run,
                std::map<std::string, std::vector<std::string>>& others) const {
    const LaneResult& lane = phase.roles[0].lanes[0];
    const bool asks = lane.operation == "get" || lane.operation == "seek";
    if (!asks || lane.operations == 0 || phase.checked.starts_with("none")) return;
    Cell(others, "  found", run) =
        lane.misses == 0 ? "all"
        : lane.hits == 0 ? "none"
                         : fmt::format("{} of {}", Grouped(lane.hits), Grouped(lane.operations));
  }

  // The bandwidth of what measures the machine (no store was opened for it, so no level is
  // claimed), and its note.
  void AddMachine(const PhaseResult& phase, size_t run,
                  std::map<std::string, std::vector<std::string>>& others) const {
    const RoleResult& role = phase.roles[0];
    const auto bytes = static_cast<double>(role.lanes[0].bytes);
    if (phase.level.empty() && bytes > 0 && role.seconds > 0) {
      Cell(others, "  MiB/s", run) = fmt::format("{:.1f}", bytes / role.seconds / (1 << 20));
    }
    if (!phase.note.empty()) Cell(others, "  note", run) = Printable(phase.note);
  }

  void AddOverTime(size_t index, size_t run,
                   std::map<std::string, std::vector<std::string>>& others) {
    std::vector<const PhaseResult*> rounds;
    for (const RunResult* round : series_[run].rounds) {
      if (const PhaseResult* const phase = PhaseOf(*round, index)) rounds.push_back(phase);
    }
    for (const OverTimeCell& told : OverTime(rounds)) {
      const std::string mark =
          told.note.empty()
              ? ""
              : Mark(fmt::format("{}, {}", Printable(result_.runs[run].engine), told.note));
      Cell(others, "  " + told.title, run) = told.cell + mark;
    }
  }

  std::string& Cell(std::map<std::string, std::vector<std::string>>& rows, const std::string& title,
                    size_t run) const {
    std::vector<std::string>& cells = rows[title];
    cells.resize(result_.runs.size());
    return cells[run];
  }

  std::string RateCell(const RunResult& run, const PhaseResult* phase,
                       const std::vector<double>& rates) {
    if (phase == nullptr) return "-";
    if (phase->outcome == Outcome::kOk && !phase->text.empty()) return "below";
    if (phase->outcome == Outcome::kOk) {
      if (phase->roles.empty()) return "";
      const bool is_disturbed =
          phase->conditions && !DisturbancesOf(*phase->conditions).empty() && !run.floor;
      const std::string suspect = SuspectBecause(*phase);
      return (is_disturbed ? "~" : "") + Rate(rates.empty() ? 0 : Median(rates)) +
             (IsVolatile(*phase) ? " volatile" : "") +
             (suspect.empty()
                  ? ""
                  : " suspect" + Mark(fmt::format("{}, {}: suspect: {}", Printable(run.engine),
                                                  Printable(phase->workload), suspect)));
    }
    // What befell the whole run is one note for all its rows.
    const bool is_of_run = phase->outcome == Outcome::kNotRun || phase->message == run.message;
    const std::string mark =
        phase->message.empty()
            ? ""
            : Mark(fmt::format("{}{}: {}", Printable(run.engine),
                               is_of_run ? "" : ", " + Printable(phase->workload),
                               Printable(phase->message)));
    if (phase->outcome == Outcome::kWrong) return "WRONG" + mark;
    if (phase->outcome == Outcome::kInvalid && HasLoad(*phase) &&
        phase->roles[0].load->verdict == kLoadNotSustainable) {
      return std::string(kLoadNotSustainable) + mark;
    }
    return fmt::format("{}{}", OutcomeName(phase->outcome), mark);
  }

  static std::string PercentileCell(const std::optional<SparseHistogram>& latency, double p) {
    if (!latency) return "";
    if (p == 1) return latency->Count() != 0 ? Latency(latency->Max()) : "";
    const std::optional<uint64_t> value = latency->Percentile(p);
    return value ? Latency(*value) : "n/a";
  }

  // The level that is claimed, and what was seen of it where somebody looked: "D4, seen D1".
  static std::string LevelCell(const PhaseResult& phase) {
    const std::string claimed = Printable(phase.level);
    return (HasWritten(phase) ? ClaimAndWord(claimed, JudgementOf(phase)) : claimed) +
           (IsVolatile(phase) ? ", volatile" : "");
  }

  // The level that each engine claims; a table holds one class.
  void AddDurability(const std::string& family, Table& table) const {
    Row durability{.title = "durability", .cells = {}};
    Row checked{.title = "answers", .cells = {}};
    bool uses_store = false;
    bool uses_no_store = false;
    for (const RunResult& run : result_.runs) {
      std::string level;
      size_t phases = 0;
      size_t right = 0;
      bool is_wrong = false;
      for (const PhaseResult& phase : run.phases) {
        if (phase.family != family || phase.implicit) continue;
        if (level.empty()) level = LevelCell(phase);
        if (phase.outcome != Outcome::kOk && phase.outcome != Outcome::kWrong) continue;
        if (!phase.text.empty()) continue;  // Words, which nobody can check.
        ++phases;
        (phase.level.empty() ? uses_no_store : uses_store) = true;
        if (phase.outcome == Outcome::kOk && IsChecked(phase)) ++right;
        is_wrong = is_wrong || phase.outcome == Outcome::kWrong;
      }
      durability.cells.push_back(run.floor ? "floor" : level);
      checked.cells.push_back(is_wrong          ? "WRONG"
                              : phases == 0     ? ""
                              : right == phases ? "checked"
                              : right == 0      ? "unchecked"
                                                : fmt::format("{} of {}", right, phases));
    }
    const auto says_something = [](const Row& row) {
      return std::ranges::any_of(row.cells, [](const std::string& cell) { return !cell.empty(); });
    };
    if (uses_store || !uses_no_store) table.rows.push_back(std::move(durability));
    if (says_something(checked)) table.rows.push_back(std::move(checked));
  }

  // What the engines say of themselves, line by line as they say it.
  std::string Texts() const {
    std::string text;
    for (const RunResult& run : result_.runs) {
      for (const PhaseResult& phase : run.phases) {
        if (phase.outcome != Outcome::kOk || phase.text.empty()) continue;
        std::string lines;
        for (size_t begin = 0; begin < phase.text.size();) {
          const size_t end = std::min(phase.text.find('\n', begin), phase.text.size());
          std::string line = Printable(phase.text.substr(begin, end - begin));
          line.erase(line.find_last_not_of(' ') + 1);
          lines += line + "\n";
          begin = end + 1;
        }
        text += paper_.Verbatim(
            fmt::format("{}, {}:", Printable(run.engine), Printable(phase.workload)), lines);
      }
    }
    return text;
  }

  std::string Mark(const std::string& note) {
    const auto it = std::ranges::find(marks_, note);
    const auto number = it - marks_.begin() + 1;
    if (it == marks_.end()) marks_.push_back(note);
    return fmt::format("[{}]", number);
  }

  std::string Notes() const {
    std::string text = paper_.Gap();
    const auto add = [&](const std::string& paragraph, size_t indent) {
      text += paper_.Paragraph(paragraph, indent);
    };
    for (size_t i = 0; i < marks_.size(); ++i) add(fmt::format("[{}] {}", i + 1, marks_[i]), 4);
    for (const RunResult& run : result_.runs) {
      const bool is_shown =
          run.message.empty() ||
          std::ranges::find(run.phases, run.message, &PhaseResult::message) != run.phases.end();
      if (!is_shown) {  // It ended between two phases, or after the last.
        add(fmt::format("{}: {}", Printable(run.engine), Printable(run.message)), 4);
      }
    }
    if (text != paper_.Gap()) text += paper_.Gap();
    const bool is_open = std::ranges::any_of(result_.runs, [](const RunResult& run) {
      return std::ranges::any_of(run.phases, [](const PhaseResult& phase) {
        return HasLoad(phase) || !phase.load_steps.empty();
      });
    });
    add(fmt::format(
            "ops/s of the first role, over the time from its first thread's start to its last "
            "one's end; {}; n/a: fewer than ten operations lie beyond that percentile.",
            is_open ? "service times are from the begin of a call to its end, response times from "
                      "when it was due; lateness is the load generator's own"
                    : "latencies are service times"),
        0);
    for (const std::string& line : PriceLines(result_)) add(line, 4);
    if (charges_) {
      add("charged: ops/s over that time and the time that settling took after it, until what was "
          "put off (buffers, compactions, checkpoints) was done.",
          0);
    }
    const auto is_stub = [](const RunResult& run) { return run.engine == "stub"; };
    if (std::ranges::any_of(result_.runs,
                            [&](const RunResult& run) { return run.floor && !is_stub(run); })) {
      add("A floor is no store: `null` does nothing, which leaves the price of the harness itself; "
          "`memory` is the least that an ordered map costs. Neither keeps anything.",
          0);
    }
    for (const std::string& line : FileSystemLines(result_)) add(line, 4);
    for (const std::string& line : DurabilityNotes(result_)) add(line, 4);
    for (const std::string& line : DisturbedLines(series_)) add(line, 4);
    if (std::ranges::any_of(result_.runs, is_stub)) {
      add("`stub` is no store to choose: it does wrong what its options say.", 0);
    }
    for (const RunResult& run : result_.runs) {
      if (run.library_path.empty()) continue;  // It never came to be loaded.
      const bool names_version = run.floor || run.engine.ends_with(run.version);
      add(fmt::format("{}{}: {}{}{}", Printable(run.engine),
                      names_version ? "" : " " + Printable(run.version),
                      Printable(run.library_path),
                      run.library_sha256.empty()
                          ? ""
                          : " (sha256 " + Printable(run.library_sha256.substr(0, 16)) + ")",
                      AfterSemicolon(ConfigurationWords(run))),
          4);
      if (!run.warning.empty()) add("    WARNING: " + Printable(run.warning), 8);
      if (run.floor) continue;
      for (const std::string& note : run.notes) add("    " + Printable(note), 8);
    }
    for (const std::string& note : RoundNotes(result_, series_)) add(note, 4);
    for (const std::string& warning : SetupWarnings(result_, series_)) add(warning, 4);
    return text;
  }

  const Result& result_;
  const std::vector<Series>& series_;
  const Paper& paper_;
  std::vector<std::string> marks_;
  bool charges_ = false;
};

}  // namespace

std::string RenderTables(const Result& result, const Paper& paper) {
  const std::vector<Series> series = SeriesOf(result);
  Result sums = WithoutRuns(result);
  for (const Series& of_engine : series) sums.runs.push_back(of_engine.sum);
  return Tables(sums, series, paper).Render();
}

std::string RenderTables(const Result& result, size_t columns) {
  return RenderTables(result, TerminalPaper(columns));
}

}  // namespace levelfield
