#include "analysis/yardstick.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace levelfield {
namespace {

// The workloads of a store up to that one, with their files.
std::string StepsTo(const Result& result, const Series& series, size_t place) {
  std::string steps;
  for (size_t i = 0; i <= place; ++i) {
    const std::string& workload = series.sum.phases[i].workload;
    steps += workload + "\n";
    for (const auto& [name, text] : result.workload_texts) {
      if (name == workload) steps += text;
    }
  }
  return steps;
}

// Over the rounds in which both are known.
std::vector<double> LogRatiosOfCpu(const Series& yardstick, const Series& series, size_t place) {
  const PairedValues pairs = Paired(yardstick.CpuRates(place), series.CpuRates(place));
  std::vector<double> ratios;
  for (size_t i = 0; i < pairs.first.size(); ++i) {
    ratios.push_back(std::log(pairs.second[i] / pairs.first[i]));
  }
  return ratios;
}

}  // namespace

const Series* YardstickOf(const Result& result, const std::vector<Series>& all,
                          const Series& engine) {
  const auto it = std::ranges::find_if(all, [&](const Series& series) {
    return IsYardstick(result, series.sum) && series.sum.variant == engine.sum.variant;
  });
  return it == all.end() ? nullptr : &*it;
}

std::string BuildOf(const Series& yardstick) {
  const RunResult& run = yardstick.sum;
  std::string build = fmt::format("{} {}", run.label, run.library_sha256.substr(0, 16));
  for (const auto& [name, value] : run.settings) build += fmt::format(" {}={}", name, value);
  return build;
}

std::vector<double> LogRatiosInSlices(const Series& baseline, size_t baseline_place,
                                      const Series& candidate, size_t candidate_place) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(baseline.rounds.size(), candidate.rounds.size()); ++i) {
    const PhaseResult* const before = PhaseAt(*baseline.rounds[i], baseline_place);
    const PhaseResult* const after = PhaseAt(*candidate.rounds[i], candidate_place);
    if (before == nullptr || after == nullptr || !before->slices || !after->slices) continue;
    if (baseline.rounds[i]->round != candidate.rounds[i]->round) continue;
    const std::optional<double> rate_before = RateOf(*before);
    const std::optional<double> rate_after = RateOf(*after);
    if (rate_before && rate_after) ratios.push_back(std::log(*rate_after / *rate_before));
  }
  return ratios;
}

RatioOfSessions CompareOfSessions(const Sessions& sessions, const Series& baseline,
                                  size_t baseline_place, const Series& candidate,
                                  size_t candidate_place) {
  if (!sessions.differ.empty()) return {.not_comparable = sessions.differ};
  if (StepsTo(*sessions.before, baseline, baseline_place) !=
      StepsTo(*sessions.after, candidate, candidate_place)) {
    return {.not_comparable = "another workload, or others before it"};
  }
  const Series& fixed_before = *sessions.yardstick_before;
  const Series& fixed_after = *sessions.yardstick_after;
  const std::vector<double> before =
      LogRatiosInSlices(fixed_before, baseline_place, baseline, baseline_place);
  const std::vector<double> after =
      LogRatiosInSlices(fixed_after, candidate_place, candidate, candidate_place);
  if (before.empty() || after.empty()) {
    return {.not_comparable = "not in slices beside the yardstick"};
  }
  RatioOfSessions ratio{.rounds = std::min(before.size(), after.size()),
                        .rate = CompareUnpaired(before, after, kLeastProcessPairs)};
  const std::vector<double> cpu_before = LogRatiosOfCpu(fixed_before, baseline, baseline_place);
  const std::vector<double> cpu_after = LogRatiosOfCpu(fixed_after, candidate, candidate_place);
  if (!cpu_before.empty() && !cpu_after.empty()) {
    ratio.cpu = CompareUnpaired(cpu_before, cpu_after, kLeastProcessPairs);
  }
  return ratio;
}

}  // namespace levelfield
