#include "worker/store_phase.h"

#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "probe/resource_probe.h"
#include "worker/read_back.h"
#include "worker/store_text.h"

namespace levelfield {
namespace {

// What the store itself does, one operation after the other, each with its latency.
Status RunStoreOperations(const Role& role, const std::string& durability, bool timed,
                          StoreHost& host, const std::function<bool(uint64_t)>& go_on,
                          RoleResult& result) {
  if (role.operation->on_store == nullptr && host.engine().Has(LF_VOLATILE)) {
    return Status::Usage("closing it loses what it holds, so there is nothing to open again");
  }
  result.name = role.name;
  result.threads = 1;
  LaneResult& lane = result.lanes.emplace_back();
  lane.operation = role.operation->result_name;
  if (timed) lane.latency_ns.emplace();
  uint64_t busy_ns = 0;
  for (uint64_t i = 0; i < role.operations && go_on(i); ++i) {
    const uint64_t start_ns = MonotonicNs();
    double seconds = 0;
    Status status = Status::Ok();
    if (role.operation->on_store != nullptr) {
      status = role.operation->on_store(host.store());
    } else {
      status = host.Close(&seconds);
      if (status.ok()) status = host.EnsureOpen(durability, &seconds);
    }
    const uint64_t took_ns = MonotonicNs() - start_ns;
    if (!status.ok()) return status;
    busy_ns += took_ns;
    ++lane.operations;
    ++lane.hits;
    if (timed) lane.latency_ns->Add(took_ns);
  }
  result.seconds = static_cast<double>(busy_ns) * 1e-9;
  result.thread_seconds = result.seconds;
  result.thread_operations = {lane.operations};
  result.thread_calls = {lane.operations};
  result.operations_per_second = result.OperationsPerSecond();
  return Status::Ok();
}

}  // namespace

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
  if (status.ok() && role.operation->on_store != nullptr) {
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
