#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/findings/findings.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/result_report.h"
#include "result/phase_result.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

class VariantTables {
 public:
  explicit VariantTables(const Result& result)
      : result_(result), findings_(FindingsOf(result, {})), series_(findings_.series) {
    for (const Series& series : series_) {
      AddOnce(engines_, series.sum.engine);
      AddOnce(variants_, series.sum.variant);
    }
    std::ranges::stable_sort(variants_, {}, &Variant::number);
  }

  void AddTo(Report& report) {
    report.Add(Paragraph{fmt::format("levelfield {}  {}, {}, {}", Printable(result_.name),
                                     Plural(engines_.size(), "engine"),
                                     Plural(variants_.size(), "variant"),
                                     Plural(series_.front().rounds.size(), "round")),
                         2});
    if (const std::string conditions = ConditionsLine(result_); !conditions.empty()) {
      report.Add(Paragraph{conditions, 2});
    }
    AddBanner(result_, report);
    const SharedList<PhaseResult>& phases = LongestRun().phases;
    for (size_t place = 0; place < phases.size(); ++place) {
      const PhaseResult& phase = phases[place];
      if (phase.implicit || phase.repetition.warm_up || phase.IsText()) continue;
      report.Add(TableOf(place, phase.workload + ", ops/s" + findings_.MarksOf(place),
                         &VariantTables::RateCellOf));
      if (phase.timed) {
        report.Add(TableOf(place, phase.workload + ", p99", &VariantTables::LatencyCellOf));
      }
    }
    report.Add(Gap{});
    AddNotes(report);
  }

 private:
  using MakeCell = Cell (VariantTables::*)(const Series& series, size_t phase);

  // Its phases are those of the plan. A run that failed early has fewer.
  const RunResult& LongestRun() const {
    const auto phases = [](const Series& series) { return series.sum.phases.size(); };
    return std::ranges::max_element(series_, {}, phases)->sum;
  }

  Table TableOf(size_t phase, const std::string& title, MakeCell cell) {
    Table table{.title = Printable(title)};
    for (const std::string& engine : engines_) table.columns.push_back({Printable(engine)});
    for (const Variant& variant : variants_) {
      Row row{Printable(variant.name)};
      for (const std::string& engine : engines_) {
        const auto it = std::ranges::find_if(series_, [&](const Series& series) {
          return series.sum.engine == engine && series.sum.variant == variant;
        });
        row.cells.push_back(it == series_.end() ? Cell() : (this->*cell)(*it, phase));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Cell RateCellOf(const Series& series, size_t phase) {
    const Figures figures = FiguresOf(series, phase);
    if (!figures.rate) return WhyNone(series, phase);
    Cell cell = RateCell(*figures.rate, figures.rate_interval);
    cell.text += findings_.MarksOf(series, phase);
    const std::string ignored = WhatDoesNotApply(series.sum);
    if (!ignored.empty()) cell.text += " " + marks_.Mark(ignored);
    return cell;
  }

  Cell LatencyCellOf(const Series& series, size_t phase) {
    const PhaseResult* const sum = PhaseAt(series.sum, phase);
    if (sum == nullptr) return {};
    const std::optional<uint64_t> p99_ns = PercentileOf(sum, 0.99);
    return p99_ns ? LatencyCell(*p99_ns) : "-";
  }

  std::string WhyNone(const Series& series, size_t phase) {
    const bool is_there = phase < series.sum.phases.size();
    const Outcome outcome = is_there ? series.sum.phases[phase].outcome : series.sum.outcome;
    const std::string& message = is_there ? series.sum.phases[phase].message : series.sum.message;
    const std::string note =
        fmt::format("{}: {}", Printable(RunName(series.sum.engine, series.sum.variant)),
                    message.empty() ? "did not come to it" : Printable(message));
    return fmt::format("{} {}", NameOf(outcome), marks_.Mark(note));
  }

  // Varied settings that mean nothing to this engine: its rows differ only by chance.
  static std::string WhatDoesNotApply(const RunResult& run) {
    for (const auto& [name, value] : run.variant.settings) {
      const std::string why_not = TextIn(run.not_applied, name);
      if (!why_not.empty()) return Printable(NotAppliedWords(run.engine, name, why_not));
    }
    return "";
  }

  void AddNotes(Report& report) const {
    marks_.AddTo(report);
    for (const Remark& remark : findings_.remarks) {
      report.AddRemark(remark, ReportWords(remark), 4);
    }
    const size_t rounds = series_.front().rounds.size();
    const size_t least = HasSlices(result_) ? kLeastProcessPairs : kLeastRepetitions;
    report.AddNote(rounds >= least
                       ? fmt::format("medians of {} rounds{}", rounds,
                                     rounds >= kLeastRepetitions
                                         ? ", in brackets the interval that holds with 95 %"
                                         : "")
                       : fmt::format("{}, too few for a verdict; --repeat={} gives verdicts",
                                     Plural(rounds, "round"), least));
  }

  const Result& result_;
  const Findings findings_;
  const std::vector<Series>& series_;
  std::vector<std::string> engines_;
  std::vector<Variant> variants_;
  Marks marks_;
};

}  // namespace

void AddVariants(const Result& result, Report& report) {
  const bool has_variants = std::ranges::any_of(
      result.runs, [](const RunResult& run) { return run.variant.number != 0; });
  if (has_variants) VariantTables(result).AddTo(report);
}

}  // namespace levelfield
