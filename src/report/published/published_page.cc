#include "report/published/published_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/markdown.h"
#include "report/published/compared_row.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// The conditions of results for a page: the machine, its disturbances, and how much of each
// workload ran. Markdown. Pure.

std::string WorkloadRow(const Result& result, const Series& series, size_t place) {
  const PhaseResult& phase = *series.MiddleRound(place);
  const RoleResult& role = phase.roles.front();
  const double disk_bytes =
      MedianOfRounds(series, place, [](const PhaseResult& of) {
        return static_cast<double>(of.disk_bytes);
      }).value_or(0);
  uint64_t peak_bytes = 0;
  for (const RunResult* const run : series.rounds) {
    peak_bytes = std::max(peak_bytes, run->memory ? run->memory->peak_bytes : 0);
  }
  const auto& used = phase.resources;
  return PageRow({Printable(result.name), Printable(phase.workload), Printable(series.sum.engine),
                  Printable(SettingOf(result, "num")), Grouped(role.Operations()),
                  std::to_string(role.threads), std::to_string(series.rounds.size()),
                  fmt::format("{}, {}", Printable(phase.durability), NameOf(phase.level)),
                  Size(series.sum.memory->limit_bytes), Size(peak_bytes), Size(Whole(disk_bytes)),
                  used && used->io ? Size(used->io->storage_read_bytes) : "-",
                  WordsOf(phase.checked)});
}

// The operations of each workload under a limit of memory. Empty without a limit.
std::string CappedWorkloads(const std::vector<Result>& results) {
  std::string rows;
  for (const Result& result : results) {
    const std::vector<Series> all = SeriesOf(result);
    for (const Series& series : all) {
      if (series.sum.is_baseline_engine || !series.sum.memory) continue;
      for (size_t i = 0; i < series.sum.phases.size(); ++i) {
        const PhaseResult& phase = series.sum.phases[i];
        const std::string row = SettingOf(result, "report_row");
        if (phase.implicit || phase.roles.empty() || series.MiddleRound(i) == nullptr) continue;
        if (!row.empty() && row != phase.workload) continue;
        rows += WorkloadRow(result, series, i);
      }
    }
  }
  if (rows.empty()) return "";
  return PageHead({"job", "workload", "engine", "keys", "operations", "threads", "rounds",
                   "durability, level", "limit of memory", "its peak", "on disk",
                   "read from the disk", "checked"}) +
         rows +
         "\n`read from the disk` is what the process had fetched for it meanwhile, in the middle "
         "round.\n";
}

// A paragraph on the machine and the versions. Empty without results.
std::string MachineText(const std::vector<Result>& results) {
  if (results.empty()) return "Here: nothing was run.\n\n";
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  std::vector<std::string> keys;
  std::vector<std::string> machines;
  size_t least = 0;
  size_t most = 0;
  for (const Result& result : results) {
    AddOnce(machines, MachineWords(result));
    AddOnce(keys, fmt::format("{} keys of {} bytes with values of {}", SettingOf(result, "num"),
                              SettingOf(result, "key_size"), SettingOf(result, "value_size")));
    size_t rounds = 0;
    for (const RunResult& run : result.runs) {
      rounds = std::max<size_t>(rounds, run.round);
      if (run.is_baseline_engine) continue;
      AddOnce(labels, run.label);
      if (!run.warning.empty()) AddOnce(warnings, run.label + ": " + run.warning);
    }
    least = least == 0 ? rounds : std::min(least, rounds);
    most = std::max(most, rounds);
  }
  std::string text =
      fmt::format("Here: {}; {} on {}; {}; {} {} of every job, in fresh processes.\n\n",
                  Printable(Joined(labels, ", ")), Printable(results.front().started.substr(0, 10)),
                  Printable(Joined(machines, "; ")), Printable(Joined(keys, "; ")),
                  least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                  most == 1 ? "round" : "rounds");
  Disturbed disturbed;
  for (const Result& result : results) {
    for (const RunResult& run : result.runs) disturbed.Add(run);
  }
  if (disturbed.disturbed > 0) {
    text += fmt::format(
        "Other programs used the machine: {} of {} measurements were disturbed (`!` in the "
        "tables), at worst: {}.\n\n",
        disturbed.disturbed, disturbed.measurements, Printable(Joined(disturbed.worst, "; ")));
  }
  if (most < kLeastRepetitions) {
    text += fmt::format(
        "**Figures of fewer than {} rounds have no interval, and are too few to rank the "
        "engines.**\n\n",
        kLeastRepetitions);
  }
  for (const std::string& warning : warnings) text += Printable(warning) + "\n\n";
  return text;
}

// The commands, and the workloads that ran under a limit of memory.
std::string HowItWasRun(const std::string& suite, const std::vector<Result>& results) {
  if (results.empty()) return "It was not.\n\n";
  std::string text;
  std::vector<std::string> commands;
  for (const Result& result : results) AddOnce(commands, result.command);
  for (const std::string& command : commands) text += fmt::format("    {}\n", Printable(command));
  const std::string capped = CappedWorkloads(results);
  return text + "\n" + capped + (capped.empty() ? "" : "\n") +
         fmt::format(
             "`suites/{}.suite` has the settings of each job. Deferred work of writes is not in "
             "the "
             "figures, as it is not in the published ones.\n\n",
             suite);
}

double OwnIn(FigureUnit unit, const MeasuredFigure& own) {
  switch (unit) {
    case FigureUnit::kOpsPerSecond:
      return own.rate;
    case FigureUnit::kMicros:
      return own.micros;
    case FigureUnit::kMebibytesPerSecond:
      return own.mebibytes_per_second;
  }
  return 0;
}

std::string IntervalIn(FigureUnit unit, const MeasuredFigure& own) {
  if (!own.interval)
    return fmt::format("none: {} of {} rounds", own.rates.size(), kLeastRepetitions);
  const auto of_rate = [&](double rate) {
    return unit == FigureUnit::kMicros ? own.micros * own.rate / rate : rate;
  };
  const double ends[] = {of_rate(own.interval->low), of_rate(own.interval->high)};
  return fmt::format("{} to {}", Significant(std::min(ends[0], ends[1])),
                     Significant(std::max(ends[0], ends[1])));
}

// The published digits, with thousands separated in a whole number.
std::string QuotedText(const Quoted& quoted) {
  const bool is_whole = quoted.text.find('.') == std::string::npos;
  return is_whole ? Grouped(static_cast<uint64_t>(quoted.value)) : quoted.text;
}

// Builds the tables of the sections, and counts figures.
class Tables {
 public:
  Tables(const Published& published, const MeasuredFigures& figures)
      : published_(published), figures_(figures) {}

  std::string Section(const PublishedSection& section) {
    std::string text = fmt::format("## {}\n\n", section.title);
    if (!section.text.empty()) text += section.text + "\n\n";
    std::string rows;
    std::string orders;
    std::vector<std::string> same;
    std::vector<OtherRow> others;
    has_ratios_ = std::ranges::any_of(
        section.rows, [](const PublishedRow& row) { return row.figures.size() > 1; });
    for (const PublishedRow& row : section.rows) {
      const std::vector<ComparedCell> cells = CompareRow(published_, row, figures_);
      rows += RowsOf(row, cells);
      const RowOrder order = OrderOf(cells);
      if (order.is_same) same.push_back(row.name);
      if (!order.text.empty()) orders += fmt::format("- {}: {}\n", row.name, order.text);
      if (OtherRow other = OthersOf(row, cells); !other.second.empty()) others.push_back(other);
    }
    if (!same.empty()) orders += fmt::format("- The same order: {}.\n", Joined(same, ", "));
    if (!rows.empty()) text += PageHead(Titles()) + rows + "\n";
    return text + orders + (orders.empty() ? "" : "\n") + OthersTable(others);
  }

  size_t published() const { return counted_; }
  size_t missing() const { return missing_; }
  size_t without() const { return without_; }

 private:
  // A row's name, and its figures by engine.
  using OtherRow = std::pair<std::string, std::map<std::string, std::string>>;

  // An experiment may be published without figures.
  bool HasFigures() const {
    return std::ranges::any_of(published_.sections, [](const PublishedSection& section) {
      return std::ranges::any_of(section.rows,
                                 [](const PublishedRow& row) { return !row.figures.empty(); });
    });
  }

  std::vector<std::string> Titles() const {
    std::vector<std::string> titles = {"", "engine"};
    for (const std::string_view whose : {"published", "here"}) {
      if (whose == "published" && !HasFigures()) continue;
      for (size_t i = 0; i < published_.units.size(); ++i) {
        if (IsShown(i)) titles.push_back(fmt::format("{} {}", whose, NameOf(published_.units[i])));
      }
    }
    titles.push_back(fmt::format("95 % interval, {}", NameOf(published_.units.front())));
    if (has_ratios_) {
      titles.push_back("times the first, published");
      titles.push_back("times the first, here");
    }
    titles.emplace_back("level");
    return titles;
  }

  // A time and an operation's bytes say the MB/s. Where nothing was published a rate is enough.
  bool IsShown(size_t unit) const {
    if (!HasFigures()) return unit == 0;
    return published_.units[unit] != FigureUnit::kMebibytesPerSecond ||
           published_.units.front() != FigureUnit::kMicros;
  }

  std::string RowsOf(const PublishedRow& row, const std::vector<ComparedCell>& cells) {
    if (cells.empty()) {
      return PageRow({Printable(row.name), "-", fmt::format("missing: no result of {}", row.job)});
    }
    const auto first = std::ranges::find_if(cells, &ComparedCell::IsCompared);
    const ComparedCell* const reference = first == cells.end() ? nullptr : &*first;
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (IsOther(cells[i]) || cells[i].is_again) continue;
      const bool is_repeated = i + 1 < cells.size() && cells[i + 1].is_again;
      text += CellRow(text.empty() ? row.name : "", cells[i], is_repeated ? &cells[i + 1] : nullptr,
                      reference);
    }
    return text;
  }

  // Measured here but not published, if any figures were.
  bool IsOther(const ComparedCell& cell) const { return HasFigures() && cell.quoted.empty(); }

  OtherRow OthersOf(const PublishedRow& row, const std::vector<ComparedCell>& cells) const {
    OtherRow other = {Printable(row.name), {}};
    for (const ComparedCell& cell : cells) {
      if (!IsOther(cell)) continue;
      other.second[Printable(cell.name)] =
          cell.own.is_unsupported ? "unsupported" : OwnCell(cell, 0);
    }
    return other;
  }

  std::string OthersTable(const std::vector<OtherRow>& others) const {
    if (others.empty()) return "";
    std::vector<std::string> heads = {""};
    for (const OtherRow& other : others) {
      for (const auto& [engine, _] : other.second) AddOnce(heads, engine);
    }
    std::string text = fmt::format("Not published, measured here, medians in {}:\n\n{}",
                                   NameOf(published_.units.front()), PageHead(heads));
    for (const OtherRow& other : others) {
      std::vector<std::string> line = {other.first};
      for (size_t i = 1; i < heads.size(); ++i) {
        const auto it = other.second.find(heads[i]);
        line.push_back(it != other.second.end() ? it->second : "");
      }
      text += PageRow(line);
    }
    return text + "\n";
  }

  void Count(const ComparedCell& cell) {
    if (cell.quoted.empty() || cell.is_again) return;
    ++counted_;
    missing_ += cell.own.is_missing ? 1 : 0;
    without_ += cell.own.Has() ? 0 : 1;
  }

  // `again` has what they measured once more.
  std::string CellRow(const std::string& title, const ComparedCell& cell, const ComparedCell* again,
                      const ComparedCell* reference) {
    Count(cell);
    const MeasuredFigure& own = cell.own;
    std::vector<std::string> line = {Printable(title),
                                     Printable(RunName(cell.name, own.run.variant))};
    for (size_t i = 0; i < published_.units.size() && HasFigures(); ++i) {
      if (!IsShown(i)) continue;
      const bool is_quoted_again = again != nullptr && again->quoted[i];
      line.push_back(QuotedCell(cell, i) +
                     (is_quoted_again ? " / " + QuotedText(*again->quoted[i]) : ""));
    }
    for (size_t i = 0; i < published_.units.size(); ++i) {
      if (IsShown(i)) line.push_back(OwnCell(cell, i));
    }
    const bool has = own.Has();
    line.push_back(has ? IntervalIn(published_.units.front(), own) : "");
    if (has_ratios_) {
      const bool can = reference != nullptr;
      line.push_back(can && cell.then ? Significant(*cell.then / *reference->then) : "");
      line.push_back(can && has ? Significant(own.rate / reference->own.rate) : "");
    }
    line.push_back(has ? std::string(NameOf(own.phase.level)) : "");
    return PageRow(line);
  }

  std::string QuotedCell(const ComparedCell& cell, size_t unit) const {
    if (cell.quoted[unit]) return QuotedText(*cell.quoted[unit]);
    if (unit == 0 && cell.is_derived) return Significant(*cell.then) + " (from MB/s)";
    return "-";
  }

  std::string OwnCell(const ComparedCell& cell, size_t unit) const {
    if (!cell.own.Has()) return unit == 0 ? Printable(cell.own.why_not) : "";
    const double value = OwnIn(published_.units[unit], cell.own);
    if (value == 0) return "-";
    return Significant(value) + (unit == 0 && cell.own.disturbed > 0 ? " ~" : "");
  }

  const Published& published_;
  const MeasuredFigures& figures_;
  bool has_ratios_ = false;  // The section has rows of several published figures.
  size_t counted_ = 0;
  size_t missing_ = 0;
  size_t without_ = 0;
};

std::string ConsistencyText(const Consistency& consistency) {
  std::string checks;
  if (consistency.times_compared > 0) {
    checks += fmt::format(
        "Ratios printed beside figures: {}; {} of them do not follow from the figures.\n",
        consistency.times_compared, consistency.times_wrong);
  }
  if (consistency.rates_compared > 0) {
    checks += fmt::format(
        "Figures published as both a time and a rate: {}; {} do not agree with an operation's "
        "bytes.\n",
        consistency.rates_compared, consistency.rates_wrong);
  }
  const bool is_empty = consistency.contradictions.empty();
  if (is_empty && checks.empty()) return "";
  std::string text = fmt::format("## Where the published figures contradict each other\n\n{}{}",
                                 checks, checks.empty() || is_empty ? "" : "\n");
  if (is_empty) return text;
  text += PageHead({"what is said", "what follows"});
  for (const Contradiction& one : consistency.contradictions) {
    text += PageRow({Printable(one.said), Printable(one.follows)});
  }
  return text;
}

// Which figures may be compared.
std::string RatiosText(const Published& published) {
  std::string text =
      "Their machine, sizes and versions differed, so a figure here and a published one cannot be "
      "ranked.";
  if (published.columns.size() > 1) {
    text +=
        " Compare the ratios between engines, then and now: `times the first` is the rate over "
        "that "
        "of the first engine of the row. Ratios below the tables are medians over the rounds.";
  }
  const bool has_mebibytes =
      std::ranges::find(published.units, FigureUnit::kMebibytesPerSecond) != published.units.end();
  return text + (has_mebibytes ? " MB/s are of 1048576 bytes, as in db_bench.\n\n" : "\n\n");
}

std::string CountsText(const PublishedPage& page, const Tables& tables) {
  const std::string counts = fmt::format("{} of {} published figures have one of ours",
                                         page.published - tables.without(), page.published);
  if (tables.without() == 0) return counts + ".\n\n";
  return fmt::format("{}; {} are missing, {} could not be had: their rows say so.\n\n", counts,
                     page.missing, tables.without() - page.missing);
}

}  // namespace

StatusOr<PublishedPage> RenderPublishedPage(const std::string& suite, const Published& published,
                                            const std::vector<Result>& results) {
  ASSIGN_OR_RETURN(const Consistency consistency, ConsistencyOf(published));
  const MeasuredFigures figures(results);
  Tables tables(published, figures);
  std::string sections;
  for (const PublishedSection& section : published.sections) sections += tables.Section(section);
  PublishedPage page;
  page.published = tables.published();
  page.missing = tables.missing();
  page.text = fmt::format(
      "# {}\n\nFor readers who know the published figures and ask what became of them. Made by "
      "`levelfield docs {}`. {}\n\n{}",
      published.title, suite, published.introduction, MachineText(results));
  if (page.published > 0) page.text += RatiosText(published) + CountsText(page, tables);
  page.text += sections + "## How it was run here\n\n" + HowItWasRun(suite, results);
  if (!published.notes.empty()) page.text += published.notes + "\n\n";
  page.text += ConsistencyText(consistency);
  while (page.text.ends_with("\n\n")) page.text.pop_back();
  return page;
}

}  // namespace levelfield
