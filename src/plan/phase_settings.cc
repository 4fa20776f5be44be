#include "plan/phase_settings.h"

#include "base/random.h"
#include "plan/warm_up.h"

namespace levelfield {

Settings PhaseSettings(const Settings& settings, const PlannedPhase& phase, double seconds,
                       uint64_t step) {
  Settings of_phase = phase.leads_in ? WarmUpSettings(settings) : settings;
  // Repetitions are independent of each other: each has seeds of its own.
  if (phase.repetition.number != 0) {
    of_phase.seed = DeriveSeed(of_phase.seed, "repetition",
                               phase.repetition.warm_up ? "warm-up" : "", phase.repetition.number);
  }
  if (step != 0) of_phase.seed = DeriveSeed(of_phase.seed, "step", "", step);
  if (seconds > 0) of_phase.duration = seconds;
  // A loader of records loads all of them: what asks for one knows that it is there.
  const Role& first = phase.workload.roles.front();
  const bool loads_records = first.records != 0 || first.trace.loads;
  if (loads_records && phase.workload.need == StoreNeed::kEmpty) of_phase.duration = 0;
  return of_phase;
}

}  // namespace levelfield
