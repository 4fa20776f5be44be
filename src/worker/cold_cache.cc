#include "worker/cold_cache.h"

namespace levelfield {

bool IsColdBefore(const Workload& workload, const Settings& settings) {
  return settings.cache == "cold" && workload.need == StoreNeed::kLoaded &&
         !workload.roles.front().changes_store();
}

bool BeginCache(RunningPhase& now, KnownStore& store) {
  if (now.workload().need == StoreNeed::kNone || store.Has(LF_VOLATILE) ||
      store.Has(LF_NO_ANSWERS)) {
    return true;
  }
  if (!IsColdBefore(now.workload(), now.settings())) {
    return now.Keep(now.events().Ask(Request::kLookAtPageCache));
  }
  now.Stage("drop", true);
  double seconds = 0;
  return now.Keep(store.host().Close(&seconds)) &&
         now.Keep(now.events().Ask(Request::kDropPageCache)) &&
         now.Keep(store.host().EnsureOpen(now.planned().durability, &now.result().open_seconds));
}

}  // namespace levelfield
