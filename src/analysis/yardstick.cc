#include "analysis/yardstick.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "result/run_settings.h"
#include "stats/slice_ratio.h"

namespace levelfield {
namespace {

std::optional<double> LogRatioInSlices(const PhaseResult& baseline, const PhaseResult& candidate) {
  if (!baseline.slices || !candidate.slices) return std::nullopt;
  const auto work = [](const Slices& slices) {
    return SlicedWork{
        .operations = slices.operations, .active_ns = slices.active_ns, .kept_ns = slices.kept_ns};
  };
  return LogRatioOfSlices(work(*baseline.slices), work(*candidate.slices));
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
    if (before == nullptr || after == nullptr || !RateOf(*before) || !RateOf(*after)) continue;
    if (baseline.rounds[i]->round != candidate.rounds[i]->round) continue;
    const std::optional<double> ratio = LogRatioInSlices(*before, *after);
    if (ratio) ratios.push_back(*ratio);
  }
  return ratios;
}

}  // namespace levelfield
