// Compares percentiles of two engines' latencies round by round. Percentiles over all rounds would
// let one bad round decide, and would have no interval. Pure.
#ifndef LEVELFIELD_ANALYSIS_COMPARED_LATENCY_H_
#define LEVELFIELD_ANALYSIS_COMPARED_LATENCY_H_

#include <vector>

#include "analysis/series.h"
#include "stats/statistics.h"

namespace levelfield {

struct ComparedPercentile {
  const char* name = "";   // "p99.9".
  double baseline_ns = 0;  // Medians over the rounds.
  double candidate_ns = 0;
  RateRatio ratio = {};  // The baseline's over the candidate's: less than 1 is slower.
  Verdict verdict = Verdict::kIndicative;
  bool is_of_upper_bounds = false;  // Of either, because the load generator was late.
};

// A smaller difference is none: it is the width of a histogram's bucket.
inline constexpr double kLatencyResolution = 1.0 / 128;

// p50, p99 and p99.9 of the first kind of operation, as far as rounds have them. They have
// intervals from `least` rounds on. Upper bounds have no verdict.
std::vector<ComparedPercentile> ComparePercentiles(const Series& baseline, size_t baseline_phase,
                                                   const Series& candidate, size_t candidate_phase,
                                                   size_t least, double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COMPARED_LATENCY_H_
