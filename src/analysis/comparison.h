// Which of two is faster, workload by workload, and how sure that is. Rounds of one invocation are
// paired: each ran both within minutes, so the ratio of each round is free of what changed between
// rounds. Two invocations are two sessions: they compare as multiples of a yardstick that both
// have (analysis/yardstick.h), or not at all. Pure.
#ifndef LEVELFIELD_ANALYSIS_COMPARISON_H_
#define LEVELFIELD_ANALYSIS_COMPARISON_H_

#include <string>
#include <vector>

#include "analysis/compared_latency.h"
#include "analysis/series.h"
#include "base/status.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

struct ComparedWorkload {
  std::string workload;
  size_t place = 0;        // In the baseline's plan.
  size_t rounds = 0;       // That both have; of two invocations the fewer ones.
  bool in_slices = false;  // Both took turns (result/slices.h); else one ran after the other.
  double baseline = 0;     // Medians, operations a second.
  double candidate = 0;
  RateRatio ratio = {};
  double noise = 0;  // Smallest difference that may be claimed, as a share; 0: not known.
  Verdict verdict = Verdict::kIndicative;
  // The same of operations to a second of processor time, which a busy machine hardly changes.
  // Indicative with a ratio of 0: not known.
  double baseline_cpu_us = 0;  // Medians of the processor time of an operation.
  double candidate_cpu_us = 0;
  RateRatio cpu_ratio = {};
  Verdict cpu_verdict = Verdict::kIndicative;
  std::vector<ComparedPercentile> percentiles = {};  // With ComparisonRules::latencies.
  std::string invalid = {};  // Why there is nothing to compare; empty: there is.
  std::string turns = {};    // "turns with lmdb.writemap" (best_settings.h); empty: it does not.
  // Why the ratio of two sessions says nothing, so that it is unresolved; empty: it does.
  std::string not_comparable = {};
};

struct Comparison {
  std::string baseline;
  std::string candidate;
  bool paired = false;
  bool has_noise = false;  // It was measured, though perhaps not of each workload.
  std::vector<ComparedWorkload> workloads = {};
  std::vector<std::string> notes = {};  // What else differs, for people.
  // Why no verdict is given, though there are figures; empty: they are.
  std::string not_ranked = {};
  std::string yardstick = {};  // Of what two sessions are multiples; empty: they are of none.
};

struct ComparisonRules {
  double margin = 0.02;  // A difference that nobody minds.
  // Smallest claimable differences by workload, from a comparison of a thing with itself.
  std::vector<std::pair<std::string, double>> noise = {};
  bool latencies = false;  // Whether percentiles are compared as well.
};

// As far as their manifests tell: rates of different machines are never held against each other.
bool AreOfOneMachine(const Result& one, const Result& other);

// All verdicts of a list of comparisons hold together with 95 %: those of rates and of processor
// times are one family, and those of latencies another.

// Every other engine of the result against the baseline; with an empty name, against the first that
// is not a baseline engine. An error where there are not two to compare.
StatusOr<std::vector<Comparison>> CompareWithin(const Result& result, const std::string& baseline,
                                                const ComparisonRules& rules);

// Each of them with each other, both ways: who is best is seen in what is compared. The first
// with all others in their order, then the second. Their rates are a family of their own, and
// processor times have no verdict.
std::vector<Comparison> CompareAllPairs(const std::vector<const Series*>& series,
                                        const ComparisonRules& rules);

// Those that are ranked: all but baseline engines.
std::vector<const Series*> StoresOf(const std::vector<Series>& all);

// Of a result with variants: each of them against the first, engine by engine, in pairs of a round.
// An error where no engine ran in two.
StatusOr<std::vector<Comparison>> CompareVariants(const Result& result,
                                                  const ComparisonRules& rules);

// The engines of `candidate` against those of the same name of `baseline`, or the only one against
// the only one, as multiples of the yardstick. Results of different machines are an error.
StatusOr<std::vector<Comparison>> CompareAcross(const Result& baseline, const Result& candidate,
                                                const ComparisonRules& rules);

// How far apart the intervals of a thing against itself reach: by workload, the smallest difference
// that such a measurement may claim. Of a result of `levelfield noise`.
StatusOr<std::vector<std::pair<std::string, double>>> NoiseOf(const Result& result);

// 0 where nothing is slower; 1 a regression, or something is unresolved and that is to fail; 3
// something is invalid.
int ExitCodeOf(const std::vector<Comparison>& comparisons, bool fails_on_unresolved = false);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COMPARISON_H_
