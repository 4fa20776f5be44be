// Two engines that were measured at the same moment, on processors of their own (--duet): what the
// machine did meanwhile met both, so they are compared slice by slice of the time that both ran.
// The slices of a round depend on each other, so a round is one ratio: the median of its slices'.
// Pure.
#ifndef LEVELFIELD_ANALYSIS_DUET_H_
#define LEVELFIELD_ANALYSIS_DUET_H_

#include <cstdint>
#include <optional>

#include "result/result.h"

namespace levelfield {

inline constexpr uint64_t kSliceMs = 100;
// Fewer are over before both are under way.
inline constexpr size_t kLeastSlices = 5;

// Operations a second of the first role.
struct DuetRates {
  double baseline = 0;
  double candidate = 0;
};

// Over the time that both ran: what the baseline did, and that times the median ratio. Nothing
// where one of them has no ticks, did nothing, or they ran together for fewer slices than that.
std::optional<DuetRates> RatesTogether(const PhaseResult& baseline, const PhaseResult& candidate);

// Whether the result is of --duet.
bool IsDuet(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DUET_H_
