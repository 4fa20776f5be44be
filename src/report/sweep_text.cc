#include "report/sweep_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "report/level_banner.h"
#include "report/number.h"
#include "report/round_notes.h"
#include "report/setup_text.h"
#include "report/text_table.h"
#include "result/result_json.h"
#include "result/series.h"
#include "result/statistics.h"
#include "result/variants.h"

namespace levelfield {
namespace {

class Sweep {
 public:
  Sweep(const Result& result, size_t columns)
      : result_(result), columns_(columns), series_(SeriesOf(result)) {
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
    std::string text = LevelBanner(result_);
    for (const PhaseResult& phase : LongestRun().phases) {
      if (phase.implicit || phase.repetition.warm_up || !phase.text.empty()) continue;
      const size_t place = static_cast<size_t>(&phase - LongestRun().phases.data());
      text += Draw(TableOf(place, phase.workload + ", ops/s", &Sweep::RateCell), columns_);
      if (phase.timed) {
        text += Draw(TableOf(place, phase.workload + ", p99", &Sweep::LatencyCell), columns_);
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
    const std::string median = Rate(Median(rates));
    const std::optional<Interval> interval = MedianInterval(rates);
    if (!interval) return median;
    return fmt::format("{} [{} .. {}]", median, Rate(interval->low), Rate(interval->high));
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
    const auto it = std::ranges::find(marks_, note);
    const auto number = it - marks_.begin() + 1;
    if (it == marks_.end()) marks_.push_back(note);
    return fmt::format("{} [{}]", OutcomeName(outcome), number);
  }

  std::string Notes() const {
    std::string text = "\n";
    for (size_t i = 0; i < marks_.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, marks_[i]);
    for (const Result& part : VariantsOf(result_)) {
      for (const std::string& note : RoundNotes(part, SeriesOf(part))) {
        text += fmt::format("{}: {}\n", Printable(VariantOf(part).name), note);
      }
    }
    for (const std::string& warning : SetupWarnings(result_, series_)) text += warning + "\n";
    const size_t rounds = series_.front().rounds.size();
    const size_t least = LeastRepetitions(ConfidenceOfEach(Comparisons()));
    if (rounds >= least) {
      return text +
             fmt::format("medians of {} rounds, in brackets the interval that holds with 95 %\n",
                         rounds);
    }
    return text + fmt::format(
                      "{} round{}: indicative, and ranks nothing; --repeat={} gives intervals "
                      "and verdicts\n",
                      rounds, rounds == 1 ? "" : "s", least);
  }

  // Of each variant with the first of its engine.
  size_t Comparisons() const {
    const auto is_other = [](const Series& series) {
      return series.sum.variant.number > 1 && !series.sum.floor;
    };
    return static_cast<size_t>(std::max<ptrdiff_t>(1, std::ranges::count_if(series_, is_other)));
  }

  const Result& result_;
  size_t columns_;
  std::vector<Series> series_;
  std::vector<std::string> engines_;
  std::vector<Variant> variants_;
  std::vector<std::string> marks_;
};

}  // namespace

std::string RenderSweep(const Result& result, size_t columns) {
  const bool has_variants = std::ranges::any_of(
      result.runs, [](const RunResult& run) { return run.variant.number != 0; });
  return has_variants ? Sweep(result, columns).Render() : "";
}

}  // namespace levelfield
