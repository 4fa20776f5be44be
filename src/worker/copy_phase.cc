#include "worker/copy_phase.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "worker/judge.h"
#include "worker/read_back.h"

namespace levelfield {
namespace {

void VerifyRestored(RunningPhase& now, KnownStore& store, Backups& backups) {
  now.Stage("verify", false);
  const StoreHost& host = store.host();
  const uint64_t start_ns = MonotonicNs();
  StatusOr<Store> restored = Store::Open(host.engine(), backups.restored_path(),
                                         host.SettingsWith(now.planned().durability));
  if (!now.Keep(restored.status())) return;
  now.result().reopen_seconds = SecondsSince(start_ns);
  VerifyAgainst(now, store, *restored, backups.state(),
                "the restored store was opened and read back");
  if (now.Keep(restored->Close())) (void)now.Keep(backups.RestoredIsClosed());
}

}  // namespace

void RunCopies(RunningPhase& now, KnownStore& store, Backups& backups,
               const ResourceProbe& resources, OriginalStreams& streams) {
  now.Stage("run", true);
  PhaseResult& result = now.result();
  const Role& role = now.first_role();
  const bool restores = role.operation->restores;
  RoleResult& summary = result.roles.emplace_back();
  summary.name = role.name;
  summary.threads = 1;
  LaneResult& lane = summary.lanes.emplace_back();
  lane.operation = role.operation->result_name;
  uint64_t took_ns = 0;
  for (uint64_t n = 0; n < role.operations && !now.IsInterrupted(); ++n) {
    const StatusOr<Backups::Copied> copied =
        restores ? backups.Restore(store.host().engine())
                 : backups.Backup(store.host().store(), store.expected());
    if (!now.Keep(copied.status())) return;
    took_ns += copied->took_ns;
    ++lane.operations;
    ++lane.hits;
    lane.bytes += copied->bytes;
    if (!now.settings().histogram) continue;
    if (!lane.latency_ns) lane.latency_ns.emplace();
    lane.latency_ns->Add(copied->took_ns);
  }
  summary.seconds = summary.thread_seconds = static_cast<double>(took_ns) * 1e-9;
  streams.EndedWithoutKeys(now.workload().name, now.settings().threads);
  result.outcome = now.IsInterrupted() ? Outcome::kInterrupted : Outcome::kOk;
  const double megabytes = static_cast<double>(lane.bytes) / (1 << 20);
  result.note = fmt::format("{:.1f} MB, {:.1f} MB/s", megabytes,
                            summary.seconds > 0 ? megabytes / summary.seconds : 0);
  if (result.outcome != Outcome::kOk) return;
  if (restores) return VerifyRestored(now, store, backups);
  VerifyWhatIsKept(now, store, resources);
}

}  // namespace levelfield
