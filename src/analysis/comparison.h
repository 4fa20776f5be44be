// Which of two is faster, workload by workload, and how sure that is. The rounds of one invocation
// are paired. Each ran both within minutes, so the ratio of a round is free of changes between
// rounds. Two invocations are two sessions. They compare as multiples of a yardstick that both have
// (analysis/yardstick.h), or not at all. Pure.
#ifndef LEVELFIELD_ANALYSIS_COMPARISON_H_
#define LEVELFIELD_ANALYSIS_COMPARISON_H_

#include <string>
#include <string_view>
#include <vector>

#include "analysis/compared_latency.h"
#include "analysis/findings/remark.h"
#include "analysis/series.h"
#include "base/status.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

struct ComparedWorkload {
  std::string workload;
  size_t place = 0;   // In the baseline's plan.
  size_t rounds = 0;  // Rounds that both have. For two invocations, the smaller number.
  bool in_slices =
      false;  // Both took turns (result/time_series.h). Otherwise one ran after the other.
  // In slices: others had the processors for so long that the verdict is unresolved (KeptShareOf).
  bool is_much_kept = false;
  bool is_disturbed = false;  // Something else used the machine while one of them ran.
  size_t baseline_stalls = 0;  // In all rounds, if they are rare (RareStallsOf).
  size_t candidate_stalls = 0;
  double baseline = 0;        // Geometric means, operations a second. The ratio is their quotient.
  double candidate = 0;
  RateRatio ratio = {};
  double noise = 0;  // Smallest difference that may be claimed, as a share. 0: not known.
  Verdict verdict = Verdict::kIndicative;
  // The same for operations per second of processor time, which a busy machine hardly changes.
  // Indicative with a ratio of 0: not known.
  double baseline_cpu_us = 0;  // Medians of the processor time per operation.
  double candidate_cpu_us = 0;
  RateRatio cpu_ratio = {};
  Verdict cpu_verdict = Verdict::kIndicative;
  std::vector<ComparedPercentile> percentiles = {};  // With ComparisonRules::latencies.
  std::string invalid = {};     // Why there is nothing to compare. Empty: there is.
  bool is_unsupported = false;  // An engine cannot do this. That is no failure.
  bool is_of_unequal_stores = false;  // Both have a rate, but over stores that differ.
  std::string turns = {};       // "turns with lmdb.writemap" (best_settings.h). Empty: it does not.
  // Why the ratio of two sessions says nothing and so is unresolved. Empty: it is valid.
  std::string not_comparable = {};

  // In the place of a verdict.
  std::string_view WordForNothing() const {
    return is_unsupported ? "unsupported" : is_of_unequal_stores ? "not ranked" : "invalid";
  }

  // An operation costs more processor time, and the rate is unresolved.
  bool IsSlowerByCpu() const {
    return verdict == Verdict::kUnresolved && cpu_verdict == Verdict::kSlower;
  }
};

struct Comparison {
  std::string baseline;
  std::string candidate;
  std::string engine = {};  // The baseline's, without the variant.
  bool paired = false;
  bool has_noise = false;  // It was measured, though perhaps not for each workload.
  std::vector<ComparedWorkload> workloads = {};
  // Other differences: of settings, clocks, builds.
  std::vector<Remark> remarks = {};
  // Why no verdict is given although there are figures. Nothing: verdicts are given.
  std::optional<Remark> not_ranked = {};
  std::string yardstick = {};  // The yardstick that two sessions are multiples of. Empty: none.
};

struct ComparisonRules {
  double margin = 0.02;  // A difference that nobody minds.
  // Smallest claimable differences by workload, from comparing a thing with itself.
  std::vector<std::pair<std::string, double>> noise = {};
  bool latencies = false;  // Whether percentiles are compared too.
};

// As far as their manifests tell. Rates from different machines are never compared.
bool AreOfOneMachine(const Result& one, const Result& other);

// All verdicts in a list of comparisons hold together with 95 %. Verdicts on rates and processor
// times are one family, those on latencies another.

// An error if the result has not two engines to compare, or none of the baseline's name.
Status CheckEngines(const Result& result, const std::string& baseline);

// Compares every other engine of the result with the baseline. An empty name means the first engine
// that is not a baseline engine. An error if there are not two to compare.
StatusOr<std::vector<Comparison>> CompareWithin(const Result& result, const std::string& baseline,
                                                const ComparisonRules& rules);

// Compares each with each, both ways, because the best is found from the same figures. The order is
// the first with all others, then the second, and so on. Their rates are a family of their own.
// Processor times get no verdict.
std::vector<Comparison> CompareAllPairs(const std::vector<const Series*>& series,
                                        const ComparisonRules& rules);

// The ranked series: all but baseline engines.
std::vector<const Series*> StoresOf(const std::vector<Series>& all);

// For a result with variants: compares each with the first, engine by engine, in pairs of a round.
// An error if no engine ran in two variants.
StatusOr<std::vector<Comparison>> CompareVariants(const Result& result,
                                                  const ComparisonRules& rules);

// Compares the engines of `candidate` with those of the same name in `baseline`, or the only one
// with the only one, as multiples of the yardstick. Results of different machines are an error.
StatusOr<std::vector<Comparison>> CompareAcross(const Result& baseline, const Result& candidate,
                                                const ComparisonRules& rules);

// How far the intervals reach when a thing is compared with itself: by workload, the smallest
// difference that such a measurement may claim. For a result of `levelfield noise`.
StatusOr<std::vector<std::pair<std::string, double>>> NoiseOf(const Result& result);

// 0: nothing is slower. 1: a regression, whatever else there is, or something is unresolved and
// that counts as failure. 3: something is invalid, or no row has anything to compare. An
// unsupported row does not count beside others.
int ExitCodeOf(const std::vector<Comparison>& comparisons, bool fails_on_unresolved = false);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COMPARISON_H_
