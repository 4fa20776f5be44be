#include "plan/completed_fills.h"

#include <algorithm>

#include "plan/compat.h"
#include "plan/phase_settings.h"

namespace levelfield {
namespace {

// Whether what the store holds matters to it. What an engine says of itself, and what is left to
// its background, are of the fill as it was measured.
bool WorksOnEntries(const Workload& workload) {
  const Operation& operation = *workload.roles.front().operation;
  const bool is_of_fill = operation.text != nullptr || operation.ends_deferred_work;
  return workload.need != StoreNeed::kNone && !is_of_fill;
}

}  // namespace

bool FillsByCount(const Role& role) {
  return role.changes_store() && role.operation->goes_on && role.until_role.empty();
}

void PlanCompletedFills(const Settings& settings, std::vector<PlannedPhase>& phases) {
  if (settings.is_original || IsExact(settings)) return;
  for (auto fill = phases.begin(); fill != phases.end(); ++fill) {
    const bool is_cut = fill->workload.need == StoreNeed::kEmpty &&
                        PhaseSettings(settings, *fill, 0, 0).duration > 0;
    if (fill->workload.act.of != 0) continue;  // Its time is what was asked for.
    if (!is_cut || std::ranges::none_of(fill->workload.roles, FillsByCount)) continue;
    for (auto later = fill + 1; later != phases.end(); ++later) {
      if (later->workload.need == StoreNeed::kEmpty) break;
      if (!WorksOnEntries(later->workload)) continue;
      fill->completed_for = later->workload.name;
      break;
    }
  }
}

}  // namespace levelfield
