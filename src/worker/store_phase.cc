#include "worker/store_phase.h"

#include <utility>

#include "base/clock.h"
#include "probe/resource_probe.h"
#include "worker/read_back.h"
#include "worker/store_operations.h"
#include "worker/store_text.h"

namespace levelfield {

void RunOnStore(RunningPhase& now, KnownStore& store, ResourceProbe& resources,
                OriginalStreams& streams) {
  now.Stage("run", true);
  PhaseResult& result = now.result();
  const Role& role = now.first_role();
  const auto go_on = [&](uint64_t done) {
    now.Tell(done, role.operations);
    return !now.IsInterrupted();
  };
  StoreHost& host = store.host();
  RoleResult summary;
  const EngineCounters before = host.store().Counters();
  resources.Begin();
  const uint64_t start_ns = MonotonicNs();
  const Status status = RunStoreOperations(role, now.planned().durability, now.settings().histogram,
                                           host, go_on, summary);
  result.run_seconds = SecondsSince(start_ns);
  result.resources = resources.End();
  // This thread did it.
  result.resources->foreground_seconds = std::exchange(result.resources->watcher_seconds, 0.0);
  // An opening of the store begins its counters anew.
  if (status.ok() && role.operation != OperationKind::kOpen) {
    result.counters = CountersSince(before, host.store().Counters());
  }
  if (status.ok()) NoteSizes(host.store(), store.table(), result);
  streams.EndedWithoutKeys(now.workload().name, now.settings().threads);
  result.roles.push_back(std::move(summary));
  if (!now.Keep(status)) return;
  result.outcome = now.IsInterrupted() ? Outcome::kInterrupted : Outcome::kOk;
  AskForProperty(host.store(), now.settings().phase_property, result);
  if (result.outcome == Outcome::kOk) VerifyWhatIsKept(now, store, resources);
}

}  // namespace levelfield
