// Combines the rounds of a result: for each engine its rounds, phase by phase. Pure.
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
  // All rounds together: histograms and counts added, the worst outcome. A single round is the run
  // itself.
  RunResult sum;
  std::vector<const RunResult*> rounds;  // In their order. They belong to the result.

  // Operations a second of the first role, round by round, of the phase with that place in the
  // plan. Nothing for a round in which it is not ok.
  std::vector<std::optional<double>> Rates(size_t phase) const;
  // The same, with the time of settling added to the phase's time, and that time alone.
  std::vector<std::optional<double>> ChargedRates(size_t phase) const;
  std::vector<std::optional<double>> SettleSeconds(size_t phase) const;
  // Operations per second of processor time.
  std::vector<std::optional<double>> CpuRates(size_t phase) const;
  // Results of a search for the highest rate that keeps an objective. 0 if no rate kept it.
  std::vector<std::optional<double>> KeptRates(size_t phase) const;
  // That phase of the round whose rate is nearest to the median: a real measurement that represents
  // all rounds. Null if no round has a rate.
  const PhaseResult* MiddleRound(size_t phase) const;
};

// Operations a second of the first role: all that it did over all the time that it took, stalls
// included, from its first thread's start to its last one's end. In slices without the time in
// which its threads were ready and others had the processors (KeptShareOf). Nothing for a phase
// that is not ok, or did nothing.
std::optional<double> RateOf(const PhaseResult& phase);

// In slices: the share of the first role's time in which its threads were ready to run, by the
// kernel's count, and processes other than the engine's had the processors. 0 otherwise.
double KeptShareOf(const PhaseResult& phase);

// How often the first role of that phase stalled (analysis/steady_state.h) in all rounds, if that
// is less than ten times a round: so few are not spread evenly over the rounds, and an interval
// from the rounds does not cover them. Otherwise 0.
size_t RareStallsOf(const Series& series, size_t phase);

// The rate over the time of the phase and of settling after it. Nothing if nothing was settled.
std::optional<double> ChargedRateOf(const PhaseResult& phase);

// The statistics of the first kind of operation of the first role. Null for a phase that is not ok.
const OperationStatistics* StatisticsOf(const PhaseResult* phase);

// The latencies, or response times, of all kinds of operations of the role together. A mix of
// reads and synced writes has its slowest thousandth among the writes. Nothing if none was timed.
using LatencyMember = std::optional<SparseHistogram> OperationStatistics::*;
std::optional<SparseHistogram> LatenciesOf(const RoleResult& role, LatencyMember member);

// A percentile of the first role's response times in an open loop, otherwise of its latencies.
// Nothing if they were not timed, or were too few.
std::optional<uint64_t> PercentileOf(const PhaseResult* phase, double p);

// One series for each engine and variant, in the order in which they first ran. The result has to
// outlive them.
std::vector<Series> SeriesOf(const Result& result);

// The name of each run's engine, in the order of the runs: "leveldb", and "leveldb (2)" where it is
// compared with itself and this is the other side. For formats in which the name alone tells two
// series apart.
std::vector<std::string> EngineNamesOf(const Result& result);

// How many rounds there are: of a result that was cut off the whole ones, as its note says.
size_t RoundsOf(const Result& result, const std::vector<Series>& all);

// The values that are present.
std::vector<double> Present(std::span<const std::optional<double>> values);

// The values of both at the places where both have one.
struct PairedValues {
  std::vector<double> first = {};
  std::vector<double> second = {};
};
PairedValues Paired(std::span<const std::optional<double>> first,
                    std::span<const std::optional<double>> second);

// Splits a result with several variants (--vary) into one result for each, so that each is drawn
// and judged like a result of its own, with its own settings. Pure.

// The engine, and which variant of it.
std::string RunName(const std::string& engine, const Variant& variant);

// The parts in the order of their numbers. A result without variants is its only part: it is not
// copied and must outlive this.
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

// Whether there is more than one part. Copies nothing.
bool HasVariants(const Result& result);

// Of the run's engine, with its variant if the result has several. Printable.
std::string NameIn(const Result& result, const RunResult& run);

// The variant of such a part, or of a result without any.
Variant VariantOf(const Result& part);

// The figures of one engine's one workload over all rounds, computed once for every format. Pure.

struct Figures {
  std::vector<double> rates;              // Operations a second of the rounds that have one.
  // Their geometric mean, which ratios and shares are quotients of, and its interval of 95 %.
  std::optional<double> rate = {};
  std::optional<Interval> rate_interval = {};
  std::optional<double> median = {};      // For comparison with the mean: rounds may be far apart.
  std::optional<Interval> interval = {};  // The interval that holds the median with 95 %.
  // The rates with the time of settling added: their geometric mean and median.
  std::optional<double> charged_rate = {};
  std::optional<double> charged = {};
  std::optional<double> settle_seconds = {};  // Median of that time.
  std::optional<double> cpu_us = {};          // Median of the processor time per operation.
};
// For the phase with that place in the plan.
Figures FiguresOf(const Series& series, size_t phase);

// The median of a figure over the rounds in which the phase ended well. Nothing: none did.
std::optional<double> MedianOfRounds(const Series& series, size_t phase,
                                     const std::function<double(const PhaseResult&)>& figure_of);

// Whether something else used the machine in half of its rounds or more: fewer do not move their
// median. A baseline engine's figures are no measurement.
bool IsDisturbed(const Series& series, size_t phase);

// Measurements of stores: how many there are, and which ones something else on the machine
// disturbed.
struct Disturbed {
  size_t measurements = 0;
  size_t disturbed = 0;
  std::vector<std::string> workloads;  // Each once.
  std::vector<std::string> worst;      // The disturbances of the most disturbed one.

  void Add(const RunResult& run);
};

// Whether it ended before --duration because it had done all of its operations.
bool EndedBefore(const PhaseResult& phase, double duration);

// The keys that the phase found in its store, where those are fewer than half of those that its
// workload is made for. Erasing and reading what is not there is fast.
std::optional<uint64_t> FewKeysOf(const Result& result, const Series& series, size_t phase);

// Whether some workload ran in slices, so that fewer rounds suffice for verdicts.
bool HasSlices(const Result& result);

// The phase with that place. Null for an engine that did not reach it.
const PhaseResult* PhaseAt(const RunResult& run, size_t place);

// The number of places in the plan: as many as the longest run has phases.
size_t PlacesIn(const Result& sums);
size_t PlacesIn(const std::vector<Series>& all);

// The first engine's phase with that place, which has its name. Null: none.
const PhaseResult* NamedAt(const Result& sums, size_t place);

// One run for each of the series: all of its rounds together.
Result SumsOf(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_SERIES_H_
