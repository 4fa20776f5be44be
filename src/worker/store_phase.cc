#include "worker/store_phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/units.h"
#include "worker/phase_conclusion.h"

namespace levelfield {
namespace {

// For an engine's text about itself; its event must fit a line of the pipe.
constexpr size_t kMostTextBytes = 1 << 20;

void AskForText(RunningPhase& now) {
  now.BeginStage(Stage::kRun, true);
  const Role& role = now.first_role();
  PhaseResult& result = now.result();
  const auto known = now.worker().answers.find(now.number());
  StatusOr<std::string> text =
      known != now.worker().answers.end()
          ? StatusOr<std::string>(known->second)
          : role.operation->text(now.store().open(), role, now.spec().results_directory);
  if (!now.Keep(text.status())) return;
  result.outcome = Outcome::kOk;
  result.text = std::move(*text);
  if (result.text.size() <= kMostTextBytes) return;
  const size_t all = result.text.size();
  result.text.resize(kMostTextBytes);
  result.text += fmt::format("\n... cut here; {} bytes in all\n", all);
}

// The result of a role that runs on this thread.
RoleResult RoleOfOneThread(const Role& role) {
  RoleResult result{.name = role.name, .threads = 1, .statistics = {}};
  result.statistics.push_back({.operation = std::string(role.operation->result_name),
                               .effects = role.operation->effects,
                               .latency_ns = {}});
  return result;
}

void VerifyRestored(RunningPhase& now) {
  now.BeginStage(Stage::kVerify, false);
  const KnownStore& store = now.store();
  Backups& backups = now.worker().backups;
  StatusOr<Store> restored =
      Store::Open(store.engine(), backups.restored_path(),
                  store.SettingsWith(now.planned().durability), &now.result().reopen_seconds);
  if (!now.Keep(restored.status())) return;
  VerifyAgainst(now, *restored, backups.state(), "the restored store was opened and read back");
  if (now.Keep(restored->Close())) (void)now.Keep(backups.RestoredIsClosed());
}

// Backs the store up, or restores the last backup, and reads the result back.
void RunCopies(RunningPhase& now) {
  now.BeginStage(Stage::kRun, true);
  PhaseResult& result = now.result();
  WorkerState& worker = now.worker();
  const Role& role = now.first_role();
  const bool restores = role.operation->restores;
  RoleResult& summary = result.roles.emplace_back(RoleOfOneThread(role));
  OperationStatistics& stats = summary.statistics.front();
  uint64_t took_ns = 0;
  worker.conditions.Begin();
  for (uint64_t n = 0; n < role.operations && !now.IsInterrupted(); ++n) {
    const StatusOr<Backups::Copied> copied =
        restores ? worker.backups.Restore(worker.store.engine())
                 : worker.backups.Backup(worker.store.open(), worker.store.expected());
    if (!now.Keep(copied.status())) return;
    took_ns += copied->took_ns;
    now.IsUnderWay();
    ++stats.operations;
    ++stats.hits;
    stats.bytes += copied->bytes;
    if (!now.settings().histogram) continue;
    if (!stats.latency_ns) stats.latency_ns.emplace();
    stats.latency_ns->Add(copied->took_ns);
  }
  result.conditions = worker.conditions.End();
  summary.seconds = summary.thread_seconds = static_cast<double>(took_ns) * 1e-9;
  worker.streams.EndedWithoutKeys(now.workload().name, now.settings().threads);
  result.outcome = now.IsInterrupted() ? Outcome::kInterrupted : Outcome::kOk;
  const double megabytes = static_cast<double>(stats.bytes) / (1 << 20);
  result.note = fmt::format("{:.1f} MB, {:.1f} MB/s", megabytes,
                            summary.seconds > 0 ? megabytes / summary.seconds : 0);
  if (result.outcome != Outcome::kOk) return;
  restores ? VerifyRestored(now) : VerifyWhatIsKept(now);
}

// Runs operations on the store itself, one after another, each with its latency.
Status RunOperations(RunningPhase& now, RoleResult& result) {
  const Role& role = now.first_role();
  KnownStore& store = now.store();
  if (role.operation->reopens() && store.Has(LF_VOLATILE)) {
    return Status::Usage("closing it loses what it holds, so there is nothing to open again");
  }
  result = RoleOfOneThread(role);
  OperationStatistics& stats = result.statistics.front();
  if (now.settings().histogram) stats.latency_ns.emplace();
  uint64_t busy_ns = 0;
  const double duration = role.operation->reopens() ? now.settings().duration : 0;
  const auto goes_on = [&] {
    return duration > 0 ? static_cast<double>(busy_ns) * 1e-9 < duration
                        : stats.operations < role.operations;
  };
  while (goes_on()) {
    now.Tell(stats.operations, std::max(role.operations, stats.operations));
    if (now.IsInterrupted()) break;
    const uint64_t start_ns = MonotonicNs();
    const auto done = now.worker().done_ns.find(now.number());
    const uint64_t done_ns = done != now.worker().done_ns.end() ? done->second : 0;
    if (done_ns != 0) {
      // While the store was open for the phase before.
    } else if (role.operation->on_store != nullptr) {
      RETURN_IF_ERROR(role.operation->on_store(store.open()));
    } else {
      double seconds = 0;
      RETURN_IF_ERROR(store.Close(&seconds));
      RETURN_IF_ERROR(store.EnsureOpen(now.planned().durability, &seconds));
    }
    const uint64_t took_ns = done_ns != 0 ? done_ns : MonotonicNs() - start_ns;
    busy_ns += took_ns;
    now.IsUnderWay();
    ++stats.operations;
    ++stats.hits;
    if (stats.latency_ns) stats.latency_ns->Add(took_ns);
  }
  result.seconds = result.thread_seconds = static_cast<double>(busy_ns) * 1e-9;
  result.thread_operations = result.thread_calls = {stats.operations};
  result.operations_per_second = result.OperationsPerSecond();
  return Status::Ok();
}

void RunStoreOperations(RunningPhase& now) {
  now.BeginStage(Stage::kRun, true);
  PhaseResult& result = now.result();
  KnownStore& store = now.store();
  ResourceProbe& resources = now.worker().resources;
  RoleResult summary;
  const EngineCounters before = store.open().Counters();
  now.worker().conditions.Begin();
  resources.Begin();
  const uint64_t start_ns = MonotonicNs();
  const Status status = RunOperations(now, summary);
  // What was done before the store was closed is of no other phase.
  result.run_seconds = std::max(SecondsSince(start_ns), summary.seconds);
  result.resources = resources.End();
  result.conditions = now.worker().conditions.End();
  // This thread did the work.
  result.resources->foreground_seconds = std::exchange(result.resources->watcher_seconds, 0.0);
  // Opening the store resets its counters.
  if (status.ok() && now.first_role().operation->on_store != nullptr) {
    result.counters = CountersSince(before, store.open().Counters());
  }
  if (status.ok()) NoteSizes(now);
  now.worker().streams.EndedWithoutKeys(now.workload().name, now.settings().threads);
  result.roles.push_back(std::move(summary));
  if (!now.Keep(status)) return;
  result.outcome = now.IsInterrupted() ? Outcome::kInterrupted : Outcome::kOk;
  NoteProperty(now);
  if (result.outcome == Outcome::kOk) VerifyWhatIsKept(now);
}

}  // namespace

void RunOnStore(RunningPhase& now) {
  const Operation& operation = *now.first_role().operation;
  if (operation.text != nullptr) return AskForText(now);
  if (operation.backs_up || operation.restores) return RunCopies(now);
  RunStoreOperations(now);
}

void NoteProperty(RunningPhase& now) {
  const std::string& name = now.settings().phase_property;
  PhaseResult& result = now.result();
  if (name.empty() || result.outcome != Outcome::kOk) return;
  StatusOr<std::string> text = now.store().open().Property(name);
  result.text =
      text.ok() ? std::move(*text) : fmt::format("{}: {}\n", name, text.status().message());
  if (result.text.size() > kMostTextBytes) result.text.resize(kMostTextBytes);
}

void NoteSizes(RunningPhase& now) {
  const char* const* known = now.store().table().properties;
  for (; known != nullptr && *known != nullptr; ++known) {
    const std::string name = *known;
    if (name != "table_bytes" && name != "blob_bytes") continue;
    const StatusOr<std::string> text = now.store().open().Property(name);
    const StatusOr<uint64_t> bytes = text.ok() ? ParseBytes(*text) : text.status();
    if (bytes.ok()) now.result().sizes.emplace_back(name, *bytes);
  }
}

}  // namespace levelfield
