#include "report/first_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/comparison.h"
#include "analysis/findings/findings.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/rate_table.h"
#include "report/result_report.h"
#include "report/screen_sentences.h"
#include "report/terminal.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

// A screen has forty lines, two of which `run` needs. A narrow terminal has this many columns.
constexpr int64_t kScreenLines = 38;
constexpr size_t kScreenColumns = 80;
constexpr size_t kMostTails = 10;
constexpr size_t kLeastTails = 2;

// " 1.23", unless the engine's name ends with it.
std::string VersionAfter(const RunResult& run) {
  const bool is_said = run.version.empty() || run.engine.ends_with(run.version);
  return is_said ? "" : " " + Printable(run.version);
}

class ScreenWriter {
 public:
  ScreenWriter(const Findings& findings, const ComparisonRules& rules, size_t most_tails)
      : findings_(findings),
        result_(findings.result),
        rules_(rules),
        screen_(findings.standings),
        shown_(findings.shown),
        most_tails_(most_tails) {}

  Report Write(const std::string& directory) {
    AddTitle();
    if (screen_.engines.size() == 1) {
      AddFigures();
    } else {
      AddMatrix();
    }
    AddSigns();
    AddSentences(findings_, rules_, report_);
    AddNext(directory);
    return std::move(report_);
  }

 private:
  void AddTitle() {
    Say(fmt::format("levelfield {}  {}, {}, {}", Printable(result_.name),
                    screen_.engines.size() == 1 ? screen_.engines[0] + VersionAfter(shown_[0]->sum)
                                                : Plural(screen_.engines.size(), "engine"),
                    Plural(screen_.workloads.size(), "workload"),
                    screen_.rounds == 1 ? "1 round" : Plural(screen_.rounds, "round")));
    if (const std::string conditions = ConditionsLine(result_); !conditions.empty())
      Say(conditions);
    AddBanner(result_, report_);
  }

  std::string LabelOf(const WorkloadStandings& workload) const {
    return workload.name + findings_.MarksOf(workload.place);
  }

  static Cell TailCell(const StandingFigure& figure, std::optional<uint64_t> ns) {
    Cell cell = LatencyCell(ns);
    if (ns && figure.is_at_most) cell.text = "<=" + cell.text;
    return cell;
  }

  // "CPU 98 %": what most of the time went to.
  static Cell LimitCell(const StandingFigure& figure) {
    if (!figure.spent || figure.spent->shares.empty()) return "n/a";
    const auto& [on, share] = figure.spent->shares.front();
    const char* const what = on == Spent::kComputing       ? "CPU"
                             : on == Spent::kInSyncs       ? "syncs"
                             : on == Spent::kReadingDevice ? "reads"
                                                           : "waits";
    return Cell(fmt::format("{} {}", what, Percent(share)));
  }

  // Too few rounds for an interval, and more than one.
  bool HasRange() const { return screen_.rounds > 1 && !screen_.has_verdicts(); }

  // For one engine: a line for each workload.
  void AddFigures() {
    Table table{
        .title = "workload",
        .columns = {{.head = "ops/s", .width = 8},
                    {.head = HasRange() ? "least .. greatest" : "95 % interval", .is_left = true},
                    {.head = "p50"},
                    {.head = "p99"},
                    {.head = "p99.9"},
                    {.head = "CPU/op"},
                    {.head = "limit", .is_left = true}}};
    for (const WorkloadStandings& workload : screen_.workloads) {
      const StandingFigure& figure = workload.figures[0];
      Row row{LabelOf(workload)};
      if (!figure.rate) {
        row.cells = {std::string(NameOf(figure.instead))};
        row.cells.resize(table.columns.size());
      } else {
        Cell rate = RateCell(*figure.rate);
        rate.text += findings_.MarksOf(*shown_[0], workload.place);
        const std::optional<Interval>& spread = HasRange() ? figure.range : figure.interval;
        row.cells = {rate,
                     spread ? Cell(fmt::format("{} .. {}", Rate(spread->low), Rate(spread->high)))
                            : Cell("n/a"),
                     TailCell(figure, figure.p50_ns),
                     TailCell(figure, figure.p99_ns),
                     TailCell(figure, figure.p999_ns),
                     figure.cpu_us ? LatencyCell(Whole(*figure.cpu_us * 1e3)) : Cell("n/a"),
                     LimitCell(figure)};
      }
      table.rows.push_back(std::move(row));
    }
    report_.Add(std::move(table));
  }

  Cell RateCellOf(const WorkloadStandings& workload, size_t engine) const {
    const StandingFigure& figure = workload.figures[engine];
    const bool is_ranked = workload.is_ranked();
    if (!figure.rate) {
      Cell cell{std::string(NameOf(figure.instead))};
      if (figure.instead != NoRate::kNotMeasured) cell.tone = Tone::kWarning;
      return cell;
    }
    Cell cell = RateCell(*figure.rate);
    if (is_ranked && !figure.is_best) {
      cell.text = Times(figure.share);
    }
    if (figure.is_tied) cell.text += "=";
    cell.text += findings_.MarksOf(*shown_[engine], workload.place);
    cell.tone = figure.is_best             ? Tone::kBest
                : figure.is_tied           ? Tone::kTied
                : !is_ranked               ? Tone::kPlain
                : figure.share < kFarShare ? Tone::kFar
                                           : Tone::kPlain;
    return cell;
  }

  void AddMatrix() {
    Table table{.title = "ops/s"};
    for (const Series* const one : shown_) table.columns.push_back(ColumnOf(one->sum));
    for (const WorkloadStandings& workload : screen_.workloads) {
      Row row{LabelOf(workload)};
      for (size_t i = 0; i < shown_.size(); ++i) row.cells.push_back(RateCellOf(workload, i));
      table.rows.push_back(std::move(row));
    }
    AddTails(table);
    AddSpace(table);
    AddLibraries(table, "version", &RunResult::version);
    AddLibraries(table, "released", &RunResult::released);
    report_.Add(std::move(table));
  }

  // As many of them as fit, the first of each kind of operation first.
  void AddTails(Table& table) {
    std::set<size_t> chosen;
    std::set<std::string> operations;
    const auto choose = [&](bool is_new_operation_only) {
      for (size_t i = 0; i < screen_.workloads.size() && chosen.size() < most_tails_; ++i) {
        const WorkloadStandings& workload = screen_.workloads[i];
        const bool has_tail = std::ranges::any_of(
            workload.figures,
            [](const StandingFigure& figure) { return figure.p99_ns.has_value(); });
        if (!has_tail || (is_new_operation_only && operations.contains(workload.operation))) {
          continue;
        }
        operations.insert(workload.operation);
        chosen.insert(i);
      }
    };
    choose(true);
    choose(false);
    if (chosen.empty()) return;
    has_tails_ = true;
    table.rows.push_back({"p99", std::vector<Cell>(table.columns.size())});
    for (const size_t i : chosen) {
      const WorkloadStandings& workload = screen_.workloads[i];
      has_batches_ = has_batches_ || workload.batch > 1;
      Row row{workload.name + (workload.batch > 1 ? "*" : ""), {}, true};
      std::optional<uint64_t> least;
      for (const StandingFigure& figure : workload.figures) {
        if (figure.p99_ns) least = std::min(least.value_or(*figure.p99_ns), *figure.p99_ns);
      }
      for (const StandingFigure& figure : workload.figures) {
        Cell cell = figure.p99_ns ? TailCell(figure, figure.p99_ns) : Cell("-");
        lacks_tails_ = lacks_tails_ || (figure.rate && !figure.p99_ns);
        const bool is_best = figure.p99_ns && figure.p99_ns == least && workload.unequal.empty();
        if (is_best) cell.tone = Tone::kBest;
        row.cells.push_back(std::move(cell));
      }
      table.rows.push_back(std::move(row));
    }
  }

  void AddSpace(Table& table) {
    if (std::ranges::none_of(screen_.space, [](const auto& space) { return space.has_value(); })) {
      return;
    }
    has_space_ = true;
    Row row{"disk/data"};
    for (const std::optional<RoundsCost>& space : screen_.space) {
      Cell& cell = row.cells.emplace_back("-");
      if (!space) continue;
      cell = Cell(fmt::format("{:.2f}", space->median), Unit::kRatio, space->median);
      if (space->interval) cell.interval = *space->interval;
    }
    table.rows.push_back(std::move(row));
  }

  // Of the engines' libraries. A long one does not widen the table.
  void AddLibraries(Table& table, const char* what, std::string RunResult::* text_of) {
    constexpr size_t kMost = 12;
    Row row{what};
    for (const Series* const one : shown_) {
      const std::string text = Printable(one->sum.*text_of);
      row.cells.emplace_back(
          text.size() <= kMost ? text : Printable(text.substr(0, kMost - 3)) + "...");
    }
    if (std::ranges::any_of(row.cells, [](const Cell& cell) { return !cell.text.empty(); })) {
      table.rows.push_back(std::move(row));
    }
  }

  void Say(const std::string& words, Tone tone = Tone::kPlain) {
    report_.Add(Paragraph{words, 2, true, tone});
  }

  // Explains the rates, and of one engine its other columns.
  std::string RateSigns() const {
    if (screen_.engines.size() != 1) {
      const bool has_rounds = screen_.rounds > 1;
      return fmt::format(
          "ops/s: operations a second of the fastest engine{}; the others' as a share of it "
          "(0.50x: half)",
          has_rounds ? ", the geometric mean of the rounds" : "");
    }
    std::string signs = fmt::format(
        "ops/s: operations a second{}; {}; p50, p99, p99.9: 50 %, 99 %, 99.9 % of the operations "
        "took this long or less; CPU/op: processor time of one; limit: what took most of the time "
        "(CPU: computing)",
        screen_.rounds > 1 ? ", the geometric mean of the rounds" : "",
        screen_.has_verdicts()
            ? "interval: where that mean lies with 95 %"
            : fmt::format("{}: it needs --repeat={}",
                          HasRange() ? "no 95 % interval" : "interval n/a", kLeastRepetitions));
    if (screen_.space[0]) {
      signs += fmt::format(". On disk: {:.2f} bytes for each byte of keys and values",
                           screen_.space[0]->median);
    }
    return signs;
  }

  // Explains every sign in the table.
  void AddSigns() {
    const auto any = [&](const auto& is_so) {
      return std::ranges::any_of(screen_.workloads, [&](const WorkloadStandings& workload) {
        return std::ranges::any_of(workload.figures, is_so);
      });
    };
    std::string signs = RateSigns();
    if (any([](const StandingFigure& figure) { return figure.is_tied; })) {
      signs += "; =: its rate is not told apart from the fastest";
    }
    if (any([](const StandingFigure& figure) {
          return !figure.rate && figure.instead == NoRate::kNotMeasured;
        })) {
      signs += "; -: not measured (report -v says why)";
    }
    if (any([](const StandingFigure& figure) { return figure.instead == NoRate::kTooSlow; })) {
      signs += "; too slow: it did not keep the rate that was asked for";
    }
    if (std::ranges::any_of(screen_.workloads, &WorkloadStandings::is_at_a_rate)) {
      signs +=
          "; with --rate, ops/s is the rate that was asked for and ranks no engine; p99 counts "
          "from "
          "when an operation was due";
    }
    if (any([](const StandingFigure& figure) { return figure.is_at_most; })) {
      signs += "; <=: at most, as the load generator was late";
    }
    if (has_tails_) {
      signs += "; p99: 99 % of the operations took this long or less";
      if (has_batches_) signs += " (*: of a whole batch)";
      if (lacks_tails_) signs += " (-: fewer than ten took longer)";
    }
    if (has_space_)
      signs +=
          "; disk/data: bytes on disk for each byte of keys and values, "
          "of stores of 1 MiB or more";
    if (screen_.is_in_slices) {
      signs += "; the engines took turns of milliseconds, so each is slower than it is alone";
    }
    if (const std::string yardstick = SettingOf(result_, "yardstick"); !yardstick.empty()) {
      signs += fmt::format(
          "; {}, the yardstick, ran beside them: `compare` and `history` measure "
          "other sessions by it",
          Printable(yardstick));
    }
    report_.Add(Gap{});
    Say(signs + ".");
  }

  void AddNext(const std::string& directory) {
    if (directory.empty()) return;
    report_.Add(Gap{});
    report_.AddLine("workloads:    levelfield workloads");
    report_.AddLine("all figures:  levelfield report -v " + ShellWord(directory));
    if (!screen_.has_verdicts()) return;
    std::string name = SettingOf(result_, "against");
    if (name.empty()) name = SettingOf(result_, "baseline");
    if (name.empty()) name = shown_[screen_.BestMostOften()]->sum.engine;
    if (!CheckEngines(result_, name).ok()) return;
    std::vector<std::string> words = {"--baseline=" + name};
    const std::string noise = SettingOf(result_, "noise");
    if (!noise.empty()) words.push_back("--noise=" + noise);
    words.push_back(directory);
    report_.AddLine("verdicts:     levelfield compare " + ShellLine(words));
  }

  static constexpr double kFarShare = 0.25;

  const Findings& findings_;
  const Result& result_;
  const ComparisonRules& rules_;
  const Standings& screen_;
  const std::vector<const Series*>& shown_;
  const size_t most_tails_;
  Report report_;
  bool has_tails_ = false;
  bool lacks_tails_ = false;
  bool has_batches_ = false;
  bool has_space_ = false;
};

}  // namespace

Report ScreenReport(const Result& result, const ComparisonRules& rules,
                    const std::string& directory) {
  Report report;
  if (result.runs.empty()) return report;
  const Findings findings = FindingsOf(result, rules);
  for (size_t tails = kMostTails; tails >= kLeastTails; --tails) {
    report = ScreenWriter(findings, rules, tails).Write(directory);
    const std::string text = WriteTerminal(report, kScreenColumns);
    if (std::ranges::count(text, '\n') <= kScreenLines) break;
  }
  AddStepsAndTexts(findings, report);
  return report;
}

}  // namespace levelfield
