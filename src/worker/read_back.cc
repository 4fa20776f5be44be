#include "worker/read_back.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "check/verify.h"

namespace levelfield {
namespace {

constexpr uint64_t kVerifySeconds = 60;

// What the page cache still owes of the writes is on the device then, and counted there.
void SyncWhatWasWritten(RunningPhase& now, const KnownStore& store,
                        const ResourceProbe& resources) {
  PhaseResult& result = now.result();
  if (!result.resources || !result.resources->device || store.Has(LF_VOLATILE)) return;
  if (now.settings().carry_debt) return;  // What comes next is to begin at once.
  now.Stage("sync", true);
  if (!now.Keep(now.events().Ask(Request::kSyncFiles))) return;
  result.resources->synced_device = resources.DeviceSinceBegin();
}

// Whether there is nothing to compare with, which the result says then.
bool IsUnknown(RunningPhase& now, const ExpectedState& state) {
  if (!now.spec().origin.exists || !state.Empty()) return false;
  now.result().checked = "none";
  now.result().check_detail = "the store was there before, so what it has to hold is not known";
  return true;
}

}  // namespace

void VerifyWhatIsKept(RunningPhase& now, KnownStore& store, const ResourceProbe& resources) {
  PhaseResult& result = now.result();
  SyncWhatWasWritten(now, store, resources);
  if (result.outcome != Outcome::kOk) return;
  if (store.Has(LF_NO_ANSWERS)) {
    result.checked = "none";
    result.check_detail = "the engine keeps nothing, so its answers mean nothing";
    return;
  }
  if (IsUnknown(now, store.expected())) return;
  StoreHost& host = store.host();
  if (!store.Has(LF_VOLATILE)) {
    now.Stage("close", true);
    if (!now.Keep(host.Close(&result.close_seconds))) return;
    now.Stage("reopen", true);
    if (!now.Keep(host.EnsureOpen(now.planned().durability, &result.reopen_seconds))) return;
  }
  now.Stage("verify", false);
  store.set_live_bytes(0);
  VerifyAgainst(now, store, host.store(), store.expected(),
                store.Has(LF_VOLATILE) ? "read back" : "reopened and read back");
  const bool is_dense =
      store.expected().IsComplete() && result.verified_entries == store.expected().Range();
  if (result.outcome == Outcome::kOk && is_dense) store.KnowEntries(result.verified_entries);
}

void VerifyAgainst(RunningPhase& now, KnownStore& store, Store& opened, const ExpectedState& state,
                   const std::string& how) {
  PhaseResult& result = now.result();
  if (IsUnknown(now, state)) return;
  StatusOr<Session> session = opened.BeginSession();
  if (!session.ok()) {
    (void)now.Keep(session.status());
    return;
  }
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
  result.check_detail = (result.check_detail.empty() ? "" : result.check_detail + "; ") +
                        fmt::format("{}: {}", how, verification.extent);
  result.checked = result.checked.empty() ? "verified" : result.checked + ", verified";
  if (verification.code != LF_OK) {
    (void)now.Keep(Status::Failed("verification: " + verification.error));
  } else if (!verification.difference.empty()) {
    result.outcome = Outcome::kWrong;
    result.message = "wrong content: " + verification.difference;
    now.EndRun();
  }
}

}  // namespace levelfield
