// The repetitions of a result put together: for each engine what its rounds came to, phase by
// phase. Pure.
#ifndef LEVELFIELD_ANALYSIS_SERIES_H_
#define LEVELFIELD_ANALYSIS_SERIES_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

struct Series {
  // Everything of all rounds: histograms and counts added, the worst outcome. Of one round alone it
  // is that run.
  RunResult sum;
  std::vector<const RunResult*> rounds;  // In their order; they belong to the result.

  // Operations a second of the first role, round by round, of the phase with that place in the
  // plan; nothing for a round in which it is not ok.
  std::vector<std::optional<double>> Rates(size_t phase) const;
  // The same, each over the time that settling took besides; and that time.
  std::vector<std::optional<double>> ChargedRates(size_t phase) const;
  std::vector<std::optional<double>> SettleSeconds(size_t phase) const;
  // Operations to a second of processor time.
  std::vector<std::optional<double>> CpuRates(size_t phase) const;
  // What a search for the highest rate that keeps an objective came to; 0 where it was kept at
  // none.
  std::vector<std::optional<double>> KeptRates(size_t phase) const;
  // That phase of the round whose rate is nearest to the median of them: what stands for all of
  // them and was really measured. Null where no round has a rate.
  const PhaseResult* MiddleRound(size_t phase) const;
};

// Operations a second of the first role; nothing for a phase that is not ok, or did nothing.
std::optional<double> RateOf(const PhaseResult& phase);

// The same over its time and what settling took after it; nothing where nothing was settled.
std::optional<double> ChargedRateOf(const PhaseResult& phase);

// What the first role did of its first kind of operation; null for a phase that is not ok.
const OperationStatistics* StatisticsOf(const PhaseResult* phase);

// Of these operations' response times in an open loop, else of their latencies; nothing where they
// were not timed, or were too few.
std::optional<uint64_t> PercentileOf(const PhaseResult* phase, double p);

// One for each engine, and each of its variants, in the order in which they first ran. The result
// has to outlive them.
std::vector<Series> SeriesOf(const Result& result);

// The values that are there.
std::vector<double> Present(std::span<const std::optional<double>> values);

// A result of several ways of setting things (--vary), taken apart into one result for each: all
// that is drawn and judged of a result is then drawn and judged of each, with its own settings.
// Pure.

// The engine, and which variant of it.
std::string RunName(const std::string& engine, const Variant& variant);

// The parts, in the order of their numbers; of a result without variants that one itself, which is
// not copied and has to outlive them.
class Variants {
 public:
  explicit Variants(const Result& whole);
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;
  Variants(Variants&&) = default;

  size_t size() const { return all_.size(); }
  const Result& operator[](size_t i) const { return all_[i]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<Result> parts_;
  std::vector<std::reference_wrapper<const Result>> all_;
};

inline Variants VariantsOf(const Result& result) { return Variants(result); }

// Whether there is more than one part; nothing is copied.
bool HasVariants(const Result& result);

// Of such a part, or of a result without any.
Variant VariantOf(const Result& part);

// The figures of one engine's one workload over all rounds, computed once for every format. Pure.

struct Figures {
  std::vector<double> rates;                  // Operations a second of the rounds that have one,
  std::optional<double> median = {};          // their median,
  std::optional<Interval> interval = {};      // and the interval that holds it with 95 %.
  std::optional<double> charged = {};         // The median over the time of settling besides,
  std::optional<double> settle_seconds = {};  // and the median of that time.
};
// Of the phase with that place in the plan.
Figures FiguresOf(const Series& series, size_t phase);

// Whether something else used the machine in half of its rounds or more: fewer do not move their
// median. A baseline engine's figures are no measurement.
bool IsDisturbed(const Series& series, size_t phase);

// The phase with that place; null for an engine that did not come to it.
const PhaseResult* PhaseAt(const RunResult& run, size_t place);

// The places of the plan, as many as the run with the most phases has.
size_t PlacesIn(const Result& sums);

// The first engine's phase with that place that there is: it says what runs there. Null: none.
const PhaseResult* NamedAt(const Result& sums, size_t place);

// One run for each of the series: all of its rounds put together.
Result SumsOf(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_SERIES_H_
