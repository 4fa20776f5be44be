#include "worker/ceiling_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/durability.h"
#include "base/whole_file.h"
#include "plan/file_system_settings.h"
#include "probe/medium_probe.h"

namespace levelfield {

bool ProbeCeilings(RunningPhase& now, double copy_bytes_per_second) {
  if (now.workload().need == StoreNeed::kNone) return true;
  PhaseResult& result = now.result();
  result.limits.emplace().copy_bytes_per_second = copy_bytes_per_second;
  if (std::ranges::none_of(now.workload().roles, &Role::changes_store)) return true;
  const Medium& medium =
      result.medium.emplace(MediumOf(now.spec().directory, JournalPlaceOf(now.settings())));
  if (!ClaimsFlushes(result)) return true;
  if (const std::string eater = SyncEaterIn(ReadAll("/proc/self/maps")); !eater.empty()) {
    result.outcome = Outcome::kInvalid;
    result.message = fmt::format(
        "not durable: {} is preloaded, which has syncs do nothing; run it without", eater);
    return false;
  }
  if (!medium.volatile_because.empty() && !now.settings().allow_volatile) {
    result.outcome = Outcome::kUnsupported;
    result.message = fmt::format(
        "nothing is synced where the store is: {}; give --db on a disk, or --allow_volatile for a "
        "number that says so",
        medium.volatile_because);
    return false;
  }
  now.Stage("probe", true);
  const bool is_known = now.Keep(now.events().Ask(Request::kTimeSyncs));
  now.Stage("run", false);
  return is_known;
}

}  // namespace levelfield
