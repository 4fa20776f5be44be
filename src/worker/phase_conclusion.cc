#include "worker/phase_conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "check/verify.h"
#include "operations/operations.h"
#include "result/load_verdict.h"
#include "worker/rest_of_fill.h"
#include "worker/store_phase.h"
#include "worker/verifier.h"

namespace levelfield {
namespace {

constexpr uint64_t kVerifySeconds = 60;

// Adds the writes to the expected contents, and skips what the originals would have drawn for them.
// Returns whether there were any.
bool TakeWrites(RunningPhase& now, const PhaseRun& run) {
  const Workload& workload = now.workload();
  OriginalStreams& streams = now.worker().streams;
  if (now.needs_store()) {
    streams.EndedPhase(DrawsOf(workload, run));
  } else {
    streams.EndedWithoutKeys(workload.name, now.settings().threads);
  }
  const std::vector<WriteLayer> layers = LayersOf(workload, run);
  for (const WriteLayer& layer : layers) {
    if (layer.windows) streams.Wrote(*layer.windows, layer.shares.front().operations);
    now.store().expected().Add(layer);
  }
  return !layers.empty();
}

struct HeldKeys {
  uint64_t keys = 0;
  uint64_t bytes = 0;
};

// The keys that the store must hold.
HeldKeys KeysIn(KnownStore& store) {
  const ExpectedState& state = store.expected();
  const KeyShape& shape = store.key_shape();
  if (!shape.vary()) {
    const uint64_t keys = state.PresentCount();
    return {keys, keys * shape.size};
  }
  HeldKeys held;
  for (uint64_t at = state.NextPresent(0); at < state.Range(); at = state.NextPresent(at + 1)) {
    ++held.keys;
    held.bytes += shape.SizeOf(at);
  }
  return held;
}

// The same, where the phase erases single keys and changes nothing else.
std::optional<HeldKeys> KeysBeforeErasing(RunningPhase& now) {
  const std::vector<Role>& roles = now.workload().roles;
  const bool only_erases = std::ranges::count_if(roles, &Role::changes_store) == 1 &&
                           std::ranges::any_of(roles, [](const Role& role) {
                             return role.changes_store() && role.operation == &operations::kErase;
                           });
  if (now.spec().fleet.is_fleet()) return std::nullopt;  // The model has what all ranks erased.
  if (!only_erases || now.store().Has(LF_NO_ANSWERS)) return std::nullopt;
  if (!now.store().expected().IsComplete()) return std::nullopt;
  return KeysIn(now.store());
}

// No engine says whether an erased key was there. The model knows: each key that it lost was found
// by one erasure.
void CountErased(const HeldKeys& before, const HeldKeys& after, const Workload& workload,
                 PhaseResult& result) {
  for (size_t r = 0; r < result.roles.size(); ++r) {
    const bool has_erased =
        workload.roles[r].operation == &operations::kErase && !result.roles[r].statistics.empty();
    if (!has_erased) continue;
    OperationStatistics& stats = result.roles[r].statistics.front();
    if (stats.operations == 0) continue;
    stats.bytes = before.bytes - after.bytes;
    stats.hits = before.keys - after.keys;
    stats.misses = stats.operations - stats.hits;
  }
}

// What the page cache still owes of the writes is on the device then, and counted there.
void SyncWhatWasWritten(RunningPhase& now) {
  PhaseResult& result = now.result();
  if (!result.resources || !result.resources->device || now.store().Has(LF_VOLATILE)) return;
  if (result.resources->synced_device) return;  // It has been, before the rest of a fill.
  if (now.settings().carry_debt) return;        // The next phase must begin at once.
  if (now.IsInterrupted()) return;
  now.BeginStage(Stage::kSync, true);
  if (!now.Keep(now.events().Ask(Request::kSyncFiles))) return;
  result.resources->synced_device = now.worker().resources.DeviceSinceBegin();
}

// Whether there is nothing to compare with; then the result says so.
bool IsUnknown(RunningPhase& now, const ExpectedState& state) {
  if (!now.spec().origin.exists || !state.Empty()) return false;
  now.result().checked.answers = AnswersChecked::kNone;
  now.result().check_detail = "the store was there before, so what it has to hold is not known";
  return true;
}

// Whether an engine refused a call of a role in the middle of it: after calls of the same kind,
// where the role has only one, or after writes. Then it has failed, and left its store half
// changed. An engine that cannot do the workload refuses its first call.
bool WasUnderWay(const PhaseRun& run) {
  return std::ranges::any_of(run.roles, [](const RoleRun& role) {
    const bool is_refused = std::ranges::any_of(
        role.results, [](const ThreadResult& thread) { return thread.code == LF_UNSUPPORTED; });
    if (!is_refused) return false;
    const bool is_of_one_kind = role.Statistics().size() == 1;
    return std::ranges::any_of(role.results, [&](const ThreadResult& thread) {
      return std::ranges::any_of(thread.statistics, [&](const ThreadStatistics& stats) {
        return stats.counts.operations != 0 &&
               (is_of_one_kind || (stats.effects && stats.effects->Has(Effect::kCommits)));
      });
    });
  });
}

// Ends what the phase has left to the store's own threads, for a phase that asks for that once and
// is to begin at once. Returns whether that is done.
bool EndDeferredWork(RunningPhase& now, size_t number) {
  if (now.worker().done_ns.contains(number)) return true;
  const Role& role = now.spec().phases[number].workload.roles.front();
  const bool is_meant = now.settings().carry_debt && role.operation->on_store != nullptr &&
                        role.operation->ends_deferred_work && role.operations == 1;
  if (!is_meant) return false;
  now.BeginStage(Stage::kSettle, true);
  const uint64_t start_ns = MonotonicNs();
  if (!role.operation->on_store(now.store().open()).ok()) return false;  // It will say so itself.
  now.worker().done_ns[number] = MonotonicNs() - start_ns;
  return true;
}

// An engine forgets what it has counted when it is closed, and its threads stop.
void AnswerPhasesBehind(RunningPhase& now) {
  const auto& phases = now.spec().phases;
  for (size_t i = now.number() + 1; i < phases.size(); ++i) {
    const Role& role = phases[i].workload.roles.front();
    if (role.operation->text == nullptr) {
      if (EndDeferredWork(now, i)) continue;
      return;
    }
    if (role.property.empty() || now.worker().answers.contains(i)) continue;
    StatusOr<std::string> text = now.store().open().Property(role.property);
    if (text.ok()) now.worker().answers[i] = std::move(*text);
  }
}

// For the workloads behind it: how many entries there are, of those that the whole fill writes.
void NoteHeld(RunningPhase& now, const PhaseRun& run) {
  constexpr uint64_t kMostCounted = 10'000'000;
  KnownStore& store = now.store();
  if (store.Has(LF_NO_ANSWERS)) return;
  if (now.workload().need == StoreNeed::kEmpty) {
    uint64_t planned = 0;
    for (const RoleRun& role : run.RolesOfAll()) {
      const Role& its = *role.tasks.front().role;
      if (!its.changes_store() || !its.until_role.empty()) continue;
      planned = std::max(planned, std::min(role.planned_operations, its.range));
    }
    store.set_planned_entries(planned);
  }
  const bool was_read_back = now.result().outcome == Outcome::kOk && store.live_bytes() != 0;
  if (was_read_back) {
    store.NoteHeld(now.result().verified_entries);
  } else if (store.expected().IsOneOrder() || store.expected().Range() <= kMostCounted) {
    store.NoteHeld(store.expected().PresentCount());
  } else {
    store.NoteHeld(std::nullopt);
  }
}

// The store stays open and is read back behind the last act, for all of them.
void LeaveToTheLastAct(RunningPhase& now, bool wrote) {
  if (!wrote) return;
  now.worker().acts_wrote = true;
  now.store().set_live_bytes(0);  // How many there are now is not known.
  PhaseResult& result = now.result();
  result.check_detail += std::string(result.check_detail.empty() ? "" : "; ") +
                         "the store is read back behind the last act";
}

}  // namespace

void ConcludePhase(RunningPhase& now, const PhaseContext& context, PhaseRun& run) {
  PhaseResult& result = now.result();
  const bool is_refused = run.code == LF_UNSUPPORTED;
  if (is_refused && !WasUnderWay(run)) {
    now.End(Outcome::kUnsupported, run.error);
  } else if (run.code != LF_OK) {
    (void)now.Keep(
        Status::Failed(fmt::format("{}{}; the numbers are those until the error", run.error,
                                   is_refused ? " (in the middle of the phase)" : "")));
    return;
  } else {
    result.outcome = run.interrupted ? Outcome::kInterrupted : Outcome::kOk;
  }
  if (!run.fleet_failure.empty()) {  // What the store holds is not known any more.
    result.void_because = run.fleet_failure;
    now.EndRun();
    return;
  }
  if (result.outcome == Outcome::kOk) VerifyPhase(now, run);
  if (now.needs_store()) NoteProperty(now);
  if (result.outcome == Outcome::kOk && HasRest(now, run)) {
    SyncWhatWasWritten(now);  // Before more is.
    WriteRest(now, context, run);
  }
  const std::optional<HeldKeys> before = KeysBeforeErasing(now);
  const bool wrote = TakeWrites(now, run);
  if (before) CountErased(*before, KeysIn(now.store()), now.workload(), result);
  if (now.workload().act.goes_on()) {
    LeaveToTheLastAct(now, wrote);
  } else {
    const bool is_owed = std::exchange(now.worker().acts_wrote, false) || wrote;
    if (is_owed && result.outcome == Outcome::kOk) VerifyWhatIsKept(now);
    if (is_owed) NoteHeld(now, run);
  }
  for (RoleResult& role : result.roles) {
    if (role.load) role.load->verdict = JudgeLoad(role).verdict;
  }
}

void VerifyWhatIsKept(RunningPhase& now) {
  now.IsUnderWay();
  PhaseResult& result = now.result();
  KnownStore& store = now.store();
  SyncWhatWasWritten(now);
  if (result.outcome != Outcome::kOk) return;
  if (store.Has(LF_NO_ANSWERS)) {
    result.checked.answers = AnswersChecked::kNone;
    result.check_detail = kNoAnswers;
    return;
  }
  if (IsUnknown(now, store.expected())) return;
  const bool is_volatile = store.Has(LF_VOLATILE);
  if (!is_volatile) {
    AnswerPhasesBehind(now);
    now.BeginStage(Stage::kClose, true);
    if (!now.Keep(store.Close(&result.close_seconds))) return;
    now.BeginStage(Stage::kReopen, true);
    if (!now.Keep(store.EnsureOpen(now.planned().durability, &result.reopen_seconds))) return;
  }
  now.BeginStage(Stage::kVerify, false);
  store.set_live_bytes(0);
  VerifyAgainst(now, store.open(), store.expected(),
                is_volatile ? "read back" : "reopened and read back");
  const bool is_dense =
      store.expected().IsComplete() && result.verified_entries == store.expected().Range();
  if (result.outcome == Outcome::kOk && is_dense) store.KnowEntries(result.verified_entries);
}

void VerifyAgainst(RunningPhase& now, Store& opened, const ExpectedState& state,
                   const std::string& how) {
  if (IsUnknown(now, state)) return;
  PhaseResult& result = now.result();
  KnownStore& store = now.store();
  StatusOr<Session> session = opened.BeginSession();
  if (!now.Keep(session.status())) return;
  const uint64_t start_ns = MonotonicNs();
  const auto progress = [&](uint64_t done, uint64_t of) {
    now.Tell(done, of);
    return !now.IsInterrupted() && MonotonicNs() - start_ns < kVerifySeconds * 1'000'000'000;
  };
  const auto verify = now.spec().origin.exists ? VerifyTouched : VerifyStore;
  const Verification verification =
      verify(*session, store.table(), state, store.stored_values(), store.key_shape(), progress);
  result.verified_entries = verification.entries;
  store.set_live_bytes(verification.bytes);
  result.check_detail +=
      fmt::format("{}{}: {}", result.check_detail.empty() ? "" : "; ", how, verification.extent);
  result.checked.is_store_verified = true;
  if (verification.code != LF_OK) {
    (void)now.Keep(Status::Failed("verification: " + verification.error));
  } else if (!verification.difference.empty()) {
    now.End(Outcome::kWrong, "wrong content: " + verification.difference);
    now.EndRun();
  }
}

}  // namespace levelfield
