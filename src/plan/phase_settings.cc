#include "plan/phase_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/quote.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"

namespace levelfield {
namespace {

struct Length {
  double seconds = 0;
  uint64_t operations = 0;  // 0: use the seconds.
};

std::optional<Length> LengthOf(std::string_view text) {
  if (text.ends_with('s')) {
    const auto seconds = WholeNumber<double>(text.substr(0, text.size() - 1));
    if (!seconds || !(*seconds > 0 && *seconds <= kLongestSeconds)) return std::nullopt;
    return Length{.seconds = *seconds};
  }
  const StatusOr<uint64_t> operations = ParseCount(text);
  if (!operations.ok() || *operations == 0) return std::nullopt;
  return Length{.operations = *operations};
}

bool LeavesStore(const Role& role) { return role.operation->can_warm_up && !role.inserts(); }

}  // namespace

Status CheckWarmUp(const Settings& settings) {
  if (settings.warmup.empty() || LengthOf(settings.warmup)) return Status::Ok();
  return Status::Usage(
      fmt::format("--warmup={}: seconds (`5s`) or operations (`100k`) are accepted, more than none",
                  Printable(settings.warmup)));
}

Settings WarmUpSettings(const Settings& settings) {
  Settings warm_up = settings;
  const Length length = LengthOf(settings.warmup).value_or(Length{});
  warm_up.duration = length.seconds;
  if (length.operations != 0) {
    warm_up.reads = length.operations;
    warm_up.writes = std::min(warm_up.writes, length.operations);  // Some do the larger of the two.
  }
  return warm_up;
}

bool CanWarmUp(const Workload& workload) {
  if (workload.act.of != 0) return false;
  if (workload.need != StoreNeed::kLoaded && workload.need != StoreNeed::kAny) return false;
  return std::ranges::all_of(workload.roles, LeavesStore) &&
         std::ranges::any_of(workload.roles,
                             [](const Role& role) { return role.operation->reads(); });
}

bool IsColdBefore(const Workload& workload, const Settings& settings) {
  return settings.cache == "cold" && workload.need == StoreNeed::kLoaded &&
         !workload.roles.front().changes_store();
}

bool CanBeSliced(const PlannedPhase& phase) {
  const auto is_due_at_no_time = [](const Role& role) {
    return role.rate == 0 && role.trace.speed == 0;
  };
  return !phase.implicit && phase.workload.need != StoreNeed::kNone && phase.workload.act.of == 0 &&
         !phase.workload.roles.front().operation->is_of_store() &&
         std::ranges::all_of(phase.workload.roles, is_due_at_no_time);
}

Settings PhaseSettings(const Settings& settings, const PlannedPhase& phase, double seconds,
                       uint64_t step) {
  Settings of_phase = phase.leads_in ? WarmUpSettings(settings) : settings;
  // Repetitions are independent: each has its own seeds.
  if (phase.repetition.number != 0) {
    of_phase.seed = DeriveSeed(of_phase.seed, "repetition",
                               phase.repetition.warm_up ? "warm-up" : "", phase.repetition.number);
  }
  if (step != 0) of_phase.seed = DeriveSeed(of_phase.seed, "step", "", step);
  if (phase.workload.act.of != 0) of_phase.duration = phase.workload.act.seconds;
  if (seconds > 0) of_phase.duration = seconds;
  // A loader of records loads all of them, because workloads that need one know that they are
  // there. The same holds for loading the store for requested workloads, which are made for that
  // many keys.
  const Role& first = phase.workload.roles.front();
  const bool loads_records = first.records != 0 || first.trace.loads;
  if ((loads_records || phase.implicit) && phase.workload.need == StoreNeed::kEmpty)
    of_phase.duration = 0;
  return of_phase;
}

}  // namespace levelfield
