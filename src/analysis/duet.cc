#include "analysis/duet.h"

#include <algorithm>
#include <vector>

#include "result/setting_of.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// Of the first role, what was done in each slice up to `end_ms`; of a tick that lies across the end
// of one, its share.
std::vector<double> SlicesOf(const Ticks& ticks, uint64_t end_ms) {
  std::vector<double> slices(end_ms / kSliceMs);
  const std::vector<uint64_t>& operations = ticks.operations.front();
  for (size_t i = 0; i < std::min(ticks.end_ms.size(), operations.size()); ++i) {
    const uint64_t begin = ticks.BeginMs(i);
    const uint64_t end = ticks.end_ms[i];
    if (end <= begin) continue;
    const double per_ms = static_cast<double>(operations[i]) / static_cast<double>(end - begin);
    for (uint64_t slice = begin / kSliceMs; slice < slices.size(); ++slice) {
      const uint64_t from = std::max(begin, slice * kSliceMs);
      const uint64_t to = std::min(end, (slice + 1) * kSliceMs);
      if (from >= to) break;
      slices[slice] += per_ms * static_cast<double>(to - from);
    }
  }
  return slices;
}

bool HasTicks(const PhaseResult& phase) {
  return phase.outcome == Outcome::kOk && phase.ticks && !phase.ticks->end_ms.empty() &&
         !phase.ticks->operations.empty();
}

}  // namespace

std::optional<DuetRates> RatesTogether(const PhaseResult& baseline, const PhaseResult& candidate) {
  if (!HasTicks(baseline) || !HasTicks(candidate)) return std::nullopt;
  const uint64_t end_ms = std::min(baseline.ticks->end_ms.back(), candidate.ticks->end_ms.back());
  const std::vector<double> one = SlicesOf(*baseline.ticks, end_ms);
  const std::vector<double> other = SlicesOf(*candidate.ticks, end_ms);
  std::vector<double> ratios;
  double done = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    done += one[i];
    if (one[i] > 0) ratios.push_back(other[i] / one[i]);
  }
  if (ratios.size() < kLeastSlices) return std::nullopt;
  const double rate = done / (static_cast<double>(one.size() * kSliceMs) * 1e-3);
  const DuetRates rates{.baseline = rate, .candidate = rate * Median(ratios)};
  return rates.candidate > 0 ? std::optional(rates) : std::nullopt;
}

bool IsDuet(const Result& result) { return SettingOf(result, "duet") == "1"; }

}  // namespace levelfield
