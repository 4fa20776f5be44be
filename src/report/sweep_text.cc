#include "report/sweep_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/series.h"
#include "analysis/variants.h"
#include "base/quote.h"
#include "report/level_banner.h"
#include "report/number.h"
#include "report/round_notes.h"
#include "report/setup_text.h"
#include "report/text_table.h"
#include "result/outcome_name.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

class Sweep {
 public:
  Sweep(const Result& result, const Paper& paper)
      : result_(result), paper_(paper), series_(SeriesOf(result)) {
    std::ranges::stable_sort(series_, {},
                             [](const Series& series) { return series.sum.variant.number; });
    for (const Series& series : series_) {
      if (std::ranges::find(engines_, series.sum.engine) == engines_.end()) {
        engines_.push_back(series.sum.engine);
      }
      if (variants_.empty() || variants_.back() != series.sum.variant) {
        variants_.push_back(series.sum.variant);
      }
    }
  }

  std::string Render() {
    std::string text = paper_.Lines(LevelBanner(result_));
    const SharedList<PhaseResult>& phases = LongestRun().phases;
    for (size_t place = 0; place < phases.size(); ++place) {
      const PhaseResult& phase = phases[place];
      if (phase.implicit || phase.repetition.warm_up || !phase.text.empty()) continue;
      text += paper_.Drawn(TableOf(place, phase.workload + ", ops/s", &Sweep::RateCell));
      if (phase.timed) {
        text += paper_.Drawn(TableOf(place, phase.workload + ", p99", &Sweep::LatencyCell));
      }
    }
    return text + Notes();
  }

 private:
  using Cell = std::string (Sweep::*)(const Series& series, size_t phase);

  // Whose phases are those of the plan; one that failed early has fewer.
  const RunResult& LongestRun() const {
    const auto phases = [](const Series& series) { return series.sum.phases.size(); };
    return std::ranges::max_element(series_, {}, phases)->sum;
  }

  Table TableOf(size_t phase, const std::string& title, Cell cell) {
    Table table{.title = Printable(title), .heads = {}, .rows = {}};
    for (const std::string& engine : engines_) table.heads.push_back(Printable(engine));
    for (const Variant& variant : variants_) {
      Row row{.title = Printable(variant.name), .cells = {}};
      for (const std::string& engine : engines_) {
        const auto it = std::ranges::find_if(series_, [&](const Series& series) {
          return series.sum.engine == engine && series.sum.variant == variant;
        });
        row.cells.push_back(it == series_.end() ? "" : (this->*cell)(*it, phase));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  std::string RateCell(const Series& series, size_t phase) {
    const std::vector<double> rates = Present(series.Rates(phase));
    if (rates.empty()) return WhyNone(series, phase);
    std::string cell = Rate(Median(rates));
    if (const std::optional<Interval> interval = MedianInterval(rates)) {
      cell += fmt::format(" [{} .. {}]", Rate(interval->low), Rate(interval->high));
    }
    const std::string ignored = WhatDoesNotApply(series.sum);
    return ignored.empty() ? cell : fmt::format("{} [{}]", cell, Mark(ignored));
  }

  std::string LatencyCell(const Series& series, size_t phase) {
    if (phase >= series.sum.phases.size()) return "";
    const PhaseResult& sum = series.sum.phases[phase];
    if (sum.outcome != Outcome::kOk || sum.roles.empty() || sum.roles.front().lanes.empty() ||
        !sum.roles.front().lanes.front().latency_ns) {
      return "-";
    }
    const std::optional<uint64_t> p99 =
        sum.roles.front().lanes.front().latency_ns->Percentile(0.99);
    return p99 ? Latency(*p99) : "n/a";
  }

  std::string WhyNone(const Series& series, size_t phase) {
    const bool is_there = phase < series.sum.phases.size();
    const Outcome outcome = is_there ? series.sum.phases[phase].outcome : series.sum.outcome;
    const std::string& message = is_there ? series.sum.phases[phase].message : series.sum.message;
    const std::string note =
        fmt::format("{}: {}", Printable(RunName(series.sum.engine, series.sum.variant)),
                    message.empty() ? "did not come to it" : Printable(message));
    return fmt::format("{} [{}]", OutcomeName(outcome), Mark(note));
  }

  // What varies and is nothing to this engine: its rows differ by chance alone.
  static std::string WhatDoesNotApply(const RunResult& run) {
    for (const auto& [name, value] : run.variant.settings) {
      for (const std::string& note : run.notes) {
        if (note.find(name + " does not apply") != std::string::npos) return Printable(note);
      }
    }
    return "";
  }

  ptrdiff_t Mark(const std::string& note) {
    const auto it = std::ranges::find(marks_, note);
    const auto number = it - marks_.begin() + 1;
    if (it == marks_.end()) marks_.push_back(note);
    return number;
  }

  std::string Notes() const {
    std::string text = paper_.Gap();
    const auto add = [&](const std::string& words) { text += paper_.Paragraph(words, 4); };
    for (size_t i = 0; i < marks_.size(); ++i) add(fmt::format("[{}] {}", i + 1, marks_[i]));
    for (const Result& part : VariantsOf(result_)) {
      for (const std::string& note : RoundNotes(part, SeriesOf(part))) {
        add(fmt::format("{}: {}", Printable(VariantOf(part).name), note));
      }
    }
    for (const std::string& warning : SetupWarnings(result_, series_)) add(warning);
    const size_t rounds = series_.front().rounds.size();
    const size_t least = LeastRepetitions(ConfidenceOfEach(Comparisons()));
    add(rounds >= least
            ? fmt::format("medians of {} rounds, in brackets the interval that holds with 95 %",
                          rounds)
            : fmt::format(
                  "{} round{}: indicative, and ranks nothing; --repeat={} gives intervals and "
                  "verdicts",
                  rounds, rounds == 1 ? "" : "s", least));
    return text;
  }

  // Of each variant with the first of its engine.
  size_t Comparisons() const {
    const auto is_other = [](const Series& series) {
      return series.sum.variant.number > 1 && !series.sum.floor;
    };
    return static_cast<size_t>(std::max<ptrdiff_t>(1, std::ranges::count_if(series_, is_other)));
  }

  const Result& result_;
  const Paper& paper_;
  std::vector<Series> series_;
  std::vector<std::string> engines_;
  std::vector<Variant> variants_;
  std::vector<std::string> marks_;
};

}  // namespace

std::string RenderSweep(const Result& result, const Paper& paper) {
  const bool has_variants = std::ranges::any_of(
      result.runs, [](const RunResult& run) { return run.variant.number != 0; });
  return has_variants ? Sweep(result, paper).Render() : "";
}

std::string RenderSweep(const Result& result, size_t columns) {
  return RenderSweep(result, TerminalPaper(columns));
}

}  // namespace levelfield
