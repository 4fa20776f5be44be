#include "result/time_series.h"

#include <algorithm>

namespace levelfield {
namespace {

// Ascending, disjoint, and within the ticks.
bool AreRunsOf(const std::vector<std::pair<uint64_t, uint64_t>>& runs, size_t ticks) {
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto& [first, last] = runs[i];
    if (first > last || last >= ticks || (i > 0 && first <= runs[i - 1].second)) return false;
  }
  return true;
}

}  // namespace

std::string Ticks::Contradiction() const {
  const auto is_one_for_each = [&](const auto& counts) { return counts.size() == end_ms.size(); };
  if (!std::ranges::is_sorted(end_ms)) return "goes back in time";
  if (!std::ranges::all_of(operations, is_one_for_each)) {
    return "has operations that are not one count for each tick";
  }
  if (!dirtied_bytes.empty() && !is_one_for_each(dirtied_bytes)) {
    return "has dirtied bytes that are not one count for each tick";
  }
  for (const Activity& activity : activities.value_or(std::vector<Activity>())) {
    if (!AreRunsOf(activity.ticks, end_ms.size())) {
      return "has activities at ticks that it has not";
    }
  }
  return "";
}

std::string SpaceSeries::Contradiction() const {
  if (!std::ranges::is_sorted(at_ms)) return "goes back in time";
  return allocated_bytes.size() == at_ms.size()
             ? ""
             : "has allocated bytes that are not one count for each moment";
}

std::string PhaseInterval::Contradiction() const {
  return begin_ms > end_ms ? "ends before it begins" : "";
}

}  // namespace levelfield
