// Who leads where: the mean rates of all engines in each workload, their shares of the best, and
// which of them the verdicts tell apart. Values only, so that every form of report can draw the
// same matrix. Pure.
#ifndef LEVELFIELD_ANALYSIS_STANDINGS_H_
#define LEVELFIELD_ANALYSIS_STANDINGS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/cost_of_rounds.h"
#include "analysis/series.h"
#include "analysis/time_spent.h"
#include "result/result.h"

namespace levelfield {

// Why an engine has no rate in a workload, and what stands in its place.
enum class NoRate {
  kNotMeasured,  // Nobody ran it, or the engine cannot do it.
  kWrong,
  kTooSlow,  // It did not keep the rate that was asked for.
  kFailed,
  kInterrupted,
  kNotRun,
  kInvalid,
  kSkipped,
  kStopped,
};
inline constexpr EnumName<NoRate> kNoRateNames[] = {
    {NoRate::kNotMeasured, "-"},
    {NoRate::kWrong, "WRONG"},
    {NoRate::kTooSlow, "too slow"},
    {NoRate::kFailed, NameOf(Outcome::kFailed)},
    {NoRate::kInterrupted, NameOf(Outcome::kInterrupted)},
    {NoRate::kNotRun, NameOf(Outcome::kNotRun)},
    {NoRate::kInvalid, NameOf(Outcome::kInvalid)},
    {NoRate::kSkipped, NameOf(Outcome::kSkipped)},
    {NoRate::kStopped, NameOf(Outcome::kStopped)},
};
constexpr std::span<const EnumName<NoRate>> NamesOf(NoRate) { return kNoRateNames; }

// One engine's figures for one workload, over all rounds.
struct StandingFigure {
  // Operations a second, the geometric mean of the rounds. None: `instead` says why.
  std::optional<double> rate = {};
  std::optional<Interval> interval = {};
  std::optional<Interval> range = {};  // The least and the greatest of several rounds.
  double share = 0;  // Of the best rate in the workload.
  bool is_best = false;
  bool is_tied = false;       // It is not the best, but the rounds do not tell them apart.
  bool is_disturbed = false;  // Something else used the machine during a round.
  NoRate instead = NoRate::kNotMeasured;
  // The time of an operation on the engine that does nothing over this one's: the share of the
  // harness. Nothing if that was not measured.
  std::optional<double> harness_share = {};
  size_t stalls = 0;  // In all rounds, if they are rare (RareStallsOf).
  std::optional<uint64_t> p50_ns = {};
  std::optional<uint64_t> p99_ns = {};  // In an open loop, since the operation was due.
  std::optional<uint64_t> p999_ns = {};
  bool is_at_most = false;              // The percentiles are bounds: the load generator was late.
  std::optional<double> cpu_us = {};    // Per operation.
  std::optional<TimeSpent> spent = {};
};

struct WorkloadStandings {
  std::string name;
  size_t place = 0;            // In the plan.
  std::string operation = {};  // "get": its first kind of operation.
  uint64_t batch = 1;          // Operations for each latency.
  std::vector<StandingFigure> figures = {};
  std::vector<std::optional<uint64_t>> few_keys = {};  // Engine by engine: FewKeysOf.
  // Why the engines are not ranked: they did not find the same store. Empty: they are.
  std::string unequal = {};
  // The engine that is told apart from all others, if any.
  std::optional<size_t> leader = {};
  bool is_at_a_rate = false;  // An open loop: rates are what was asked for, and rank nobody.

  bool is_ranked() const { return unequal.empty() && !is_at_a_rate; }

  // How many engines have a rate. Of fewer than two none can lead.
  size_t measured() const {
    return static_cast<size_t>(std::ranges::count_if(
        figures, [](const StandingFigure& figure) { return figure.rate.has_value(); }));
  }
  bool has_few_keys() const {
    return std::ranges::any_of(few_keys, [](const auto& keys) { return keys.has_value(); });
  }
  bool is_unsupported = false;  // By every engine.
  bool is_unjudged = false;     // Some engine is not compared with the best (Verdict::kNotRanked).
  bool is_indicative = false;   // It needs more rounds than there are: it is not cut into slices.
};

struct Standings {
  std::vector<std::string> engines;  // Stores. If there are none, the baseline engines.
  std::vector<WorkloadStandings> workloads = {};
  // Bytes on disk for each byte of keys and values, after the last workload that has them.
  std::vector<std::optional<RoundsCost>> space = {};
  size_t rounds = 0;
  size_t disturbed = 0;       // The number of disturbed figures.
  bool is_in_slices = false;  // Some workload ran in slices, so fewer rounds suffice.
  size_t rounds_for_verdicts() const {
    return is_in_slices ? kLeastProcessPairs : kLeastRepetitions;
  }
  bool has_verdicts() const { return rounds >= rounds_for_verdicts(); }
  // The engine that is the best in most workloads: where nobody has named a baseline, verdicts
  // about it say most.
  size_t BestMostOften() const;
};

// `series` are those of the result (SeriesOf).
Standings StandingsOf(const Result& result, const std::vector<Series>& series,
                      const ComparisonRules& rules);

// The series with a column each: stores, or all series if there are none.
std::vector<const Series*> ShownOf(const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_STANDINGS_H_
