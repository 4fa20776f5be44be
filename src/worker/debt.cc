#include "worker/debt.h"

#include <algorithm>
#include <utility>

#include "worker/settle.h"

namespace levelfield {

bool SettleDebt(RunningPhase& now, StoreHost& host, ResourceProbe& resources) {
  const bool writes = std::ranges::any_of(now.workload().roles, &Role::changes_store);
  if (!writes || now.workload().need == StoreNeed::kNone || now.settings().carry_debt) return true;
  now.Stage("settle", true);
  resources.Begin();
  StatusOr<Settle> settle =
      SettleStore(host.store(), now.result(), SettleRule(), [&](uint64_t ms, uint64_t of) {
        now.Tell(ms, of);
        return !now.IsInterrupted();
      });
  if (!now.Keep(settle.status())) return false;
  const Resources used = resources.Used();
  settle->cpu_seconds = used.user_seconds + used.system_seconds;
  if (used.io) settle->dirtied_bytes = used.io->dirtied_bytes;
  now.result().settle = std::move(*settle);
  return true;
}

}  // namespace levelfield
