#include "analysis/compared_latency.h"

#include <algorithm>
#include <cmath>

#include "result/load_verdict.h"

namespace levelfield {

std::vector<ComparedPercentile> ComparePercentiles(const Series& baseline, size_t baseline_phase,
                                                   const Series& candidate, size_t candidate_phase,
                                                   size_t least, double margin) {
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}};
  std::vector<ComparedPercentile> compared;
  for (const auto& [name, p] : kPercentiles) {
    std::vector<double> before;
    std::vector<double> after;
    std::vector<double> logarithms;
    bool has_bounds = false;
    for (size_t i = 0; i < std::min(baseline.rounds.size(), candidate.rounds.size()); ++i) {
      if (baseline.rounds[i]->round != candidate.rounds[i]->round) continue;
      const auto one = PercentileOf(PhaseAt(*baseline.rounds[i], baseline_phase), p);
      const auto other = PercentileOf(PhaseAt(*candidate.rounds[i], candidate_phase), p);
      if (one.value_or(0) == 0 || other.value_or(0) == 0) continue;
      has_bounds = has_bounds || HasUpperBounds(*PhaseAt(*baseline.rounds[i], baseline_phase)) ||
                   HasUpperBounds(*PhaseAt(*candidate.rounds[i], candidate_phase));
      before.push_back(static_cast<double>(*one));
      after.push_back(static_cast<double>(*other));
      logarithms.push_back(std::log(before.back() / after.back()));
    }
    if (logarithms.empty()) continue;
    const RateRatio ratio = CompareRounds(logarithms, least);
    compared.push_back({.name = name,
                        .baseline_ns = Median(before),
                        .candidate_ns = Median(after),
                        .ratio = ratio,
                        .verdict = has_bounds && ratio.interval
                                       ? Verdict::kUnresolved
                                       : Judge(ratio, margin, kLatencyResolution),
                        .is_of_upper_bounds = has_bounds});
  }
  return compared;
}

}  // namespace levelfield
