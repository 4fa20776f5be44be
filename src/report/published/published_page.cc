#include "report/published/published_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/variants.h"
#include "base/quote.h"
#include "report/markdown.h"
#include "report/number.h"
#include "report/published/claims.h"
#include "report/published/compared_row.h"
#include "report/published/run_conditions.h"

namespace levelfield {
namespace {

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

// Digits as they were published, with the thousands of a whole number apart.
std::string QuotedText(const Quoted& quoted) {
  const bool is_whole = quoted.text.find('.') == std::string::npos;
  return is_whole ? Grouped(static_cast<uint64_t>(quoted.value)) : quoted.text;
}

// Builds the tables of the sections, and counts.
class Tables {
 public:
  Tables(const Published& published, const MeasuredFigures& figures)
      : published_(published), figures_(figures) {}

  std::string Section(const PublishedSection& section) {
    std::string text = fmt::format("## {}\n\n", section.title);
    if (!section.text.empty()) text += section.text + "\n\n";
    text += PageHead(Titles());
    std::string orders;
    for (const PublishedRow& row : section.rows) {
      const std::vector<ComparedCell> cells = CompareRow(published_, row, figures_);
      text += RowsOf(row, cells);
      const std::string order = OrderText(cells);
      if (!order.empty()) orders += fmt::format("- {}: {}\n", row.name, order);
    }
    return text + "\n" + orders + (orders.empty() ? "" : "\n");
  }

  size_t published() const { return counted_; }
  size_t missing() const { return missing_; }
  size_t without() const { return without_; }

 private:
  bool HasOthers() const { return published_.columns.size() > 1; }
  // An experiment may have been published without figures.
  bool HasFigures() const {
    return std::ranges::any_of(published_.sections, [](const PublishedSection& section) {
      return std::ranges::any_of(section.rows,
                                 [](const PublishedRow& row) { return !row.figures.empty(); });
    });
  }

  std::vector<std::string> Titles() const {
    std::vector<std::string> titles = {"", "engine"};
    for (const FigureUnit unit : published_.units) {
      if (HasFigures()) titles.push_back(fmt::format("published {}", NameOf(unit)));
    }
    for (const FigureUnit unit : published_.units) {
      titles.push_back(fmt::format("here {}", NameOf(unit)));
    }
    titles.push_back(fmt::format("95 % interval, {}", NameOf(published_.units.front())));
    if (HasFigures()) titles.emplace_back("here / published");
    if (HasOthers()) {
      titles.push_back("times the first, published");
      titles.push_back("times the first, here");
    }
    titles.emplace_back("level");
    return titles;
  }

  std::string RowsOf(const PublishedRow& row, const std::vector<ComparedCell>& cells) {
    if (cells.empty()) {
      return PageRow({Printable(row.name), "-", fmt::format("missing: no result of {}", row.job)});
    }
    const auto first = std::ranges::find_if(cells, &ComparedCell::IsCompared);
    const ComparedCell* const reference = first == cells.end() ? nullptr : &*first;
    std::string text;
    for (const ComparedCell& cell : cells) {
      text += CellRow(&cell == &cells.front() ? row.name : "", cell, reference);
    }
    return text;
  }

  void Count(const ComparedCell& cell) {
    if (cell.quoted.empty() || cell.is_again) return;
    ++counted_;
    missing_ += cell.own.is_missing ? 1 : 0;
    without_ += cell.own.Has() ? 0 : 1;
  }

  std::string CellRow(const std::string& title, const ComparedCell& cell,
                      const ComparedCell* reference) {
    Count(cell);
    const MeasuredFigure& own = cell.own;
    std::vector<std::string> line = {Printable(title),
                                     Printable(RunName(cell.name, own.run.variant))};
    for (size_t i = 0; i < published_.units.size() && HasFigures(); ++i) {
      line.push_back(QuotedCell(cell, i));
    }
    for (size_t i = 0; i < published_.units.size(); ++i) line.push_back(OwnCell(cell, i));
    const bool has = own.Has() && !cell.is_again;
    line.push_back(has ? IntervalIn(published_.units.front(), own) : "");
    if (HasFigures()) line.push_back(has && cell.then ? Significant(own.rate / *cell.then) : "");
    if (HasOthers()) {
      const bool can = reference != nullptr;
      line.push_back(can && cell.then ? Significant(*cell.then / *reference->then) : "");
      line.push_back(can && has ? Significant(own.rate / reference->own.rate) : "");
    }
    line.push_back(has ? Printable(own.phase.level) : "");
    return PageRow(line);
  }

  std::string QuotedCell(const ComparedCell& cell, size_t unit) const {
    if (cell.quoted.empty()) return unit == 0 ? "not published" : "";
    if (cell.quoted[unit]) return QuotedText(*cell.quoted[unit]);
    if (unit == 0 && cell.is_derived) return Significant(*cell.then) + " (from MB/s)";
    return "-";
  }

  std::string OwnCell(const ComparedCell& cell, size_t unit) const {
    if (cell.is_again) return unit == 0 ? "as above" : "";
    if (!cell.own.Has()) return unit == 0 ? Printable(cell.own.why_not) : "";
    const double value = OwnIn(published_.units[unit], cell.own);
    if (value == 0) return "-";
    return Significant(value) + (unit == 0 && cell.own.disturbed > 0 ? " ~" : "");
  }

  const Published& published_;
  const MeasuredFigures& figures_;
  size_t counted_ = 0;
  size_t missing_ = 0;
  size_t without_ = 0;
};

std::string ConsistencyText(const Consistency& consistency) {
  std::string checks;
  if (consistency.times_compared > 0) {
    checks += fmt::format(
        "Ratios that are printed beside figures: {}; of them {} do not follow from the figures.\n",
        consistency.times_compared, consistency.times_wrong);
  }
  if (consistency.rates_compared > 0) {
    checks += fmt::format(
        "Figures that are told as a time and as a rate: {}; {} do not agree with an operation's "
        "bytes.\n",
        consistency.rates_compared, consistency.rates_wrong);
  }
  std::string text = fmt::format(
      "## Where the published figures contradict each other\n\n{}{}On the left what is said, "
      "quoted; on the right what follows from its own numbers.\n\n",
      checks, checks.empty() ? "" : "\n");
  text += PageHead({"what is said", "what follows"});
  for (const Contradiction& one : consistency.contradictions) {
    text += PageRow({Printable(one.said), Printable(one.follows)});
  }
  if (consistency.holds.empty()) return text;
  text += "\nWhat was checked and is so:\n\n";
  for (const std::string& said : consistency.holds) text += fmt::format("- {}\n", Printable(said));
  return text;
}

// The command that made all of the results; of several, the one that put them together.
std::string HowItWasMade(const std::string& suite, const std::vector<Result>& results) {
  const auto is_another = [&](const Result& result) {
    return result.command != results.front().command;
  };
  const bool is_one = !results.empty() && std::ranges::none_of(results, is_another);
  return is_one ? results.front().command : "levelfield docs " + suite;
}

// What may be compared with what.
std::string RatiosText(const Published& published) {
  const bool has_mebibytes =
      std::ranges::find(published.units, FigureUnit::kMebibytesPerSecond) != published.units.end();
  return fmt::format(
      "All ratios are of rates: above 1 is faster.{} **`here / published` compares two machines, "
      "two sizes and two versions: it says that the work is done, and ranks nothing.**{}\n\n",
      has_mebibytes ? " MB/s are of 1048576 bytes, as they are printed by db_bench." : "",
      published.columns.size() > 1
          ? " What can be compared is the ratio between engines, then and now: `times the first` "
            "is over the first engine of the row that has a figure of both. "
            "Ratios in the lines below the tables are medians of what each round comes to, or, of "
            "engines that ran in different jobs, those of the medians."
          : "");
}

std::string CountsText(const PublishedPage& page, const Tables& tables) {
  const std::string counts = fmt::format("Of {} published figures {} have one of ours",
                                         page.published, page.published - tables.without());
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
      "# {}\n\nMade by `{}`: every figure of \"here\" is measured, every ratio computed. {}\n\n{}",
      published.title, Printable(HowItWasMade(suite, results)), published.introduction,
      MachineText(results));
  if (page.published > 0) page.text += RatiosText(published) + CountsText(page, tables);
  page.text += sections + "## How it was run here\n\n" + HowItWasRun(results);
  if (!published.notes.empty()) page.text += published.notes + "\n\n";
  page.text += ConsistencyText(consistency);
  return page;
}

}  // namespace levelfield
