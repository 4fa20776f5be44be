#include "worker/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "probe/calls/call_tracer.h"
#include "probe/calls/sync_calls.h"
#include "probe/resource_probe.h"
#include "result/phase_result.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// On a slow disk fewer commits show as much, and the measurement does not wait.
constexpr uint64_t kMostNs = 2'000'000'000;
constexpr uint64_t kMostValueBytes = 64 << 10;
constexpr uint64_t kBatchEntries = 4;

bool WritesToStore(const PlannedPhase& phase) {
  return !phase.implicit && phase.workload.need != StoreNeed::kNone &&
         std::ranges::any_of(phase.workload.roles,
                             [](const Role& role) { return role.changes_store(); });
}

// Keys that are all new, one after another.
class NewKeys {
 public:
  NewKeys(const KeyShape& shape, uint64_t count) : format_(shape, count), key_(format_.Blank()) {}

  std::string Next() {
    format_.Format(std::span(&index_, 1), key_.data());
    ++index_;
    return key_;
  }

 private:
  KeyFormat format_;
  std::string key_;
  uint64_t index_ = 0;
};

lf_bytes Bytes(const std::string& text) { return {text.data(), text.size()}; }

class Auditor {
 public:
  Auditor(const WorkerSpec& spec, const Engine& engine, MessageWriter& events)
      : spec_(spec),
        engine_(engine),
        events_(events),
        value_(std::clamp<uint64_t>(static_cast<uint64_t>(ValueSizesOf(spec.settings).Mean()), 1,
                                    kMostValueBytes),
               'x'),
        shape_(KeyShapeOf(spec.settings)),
        keys_(shape_, std::min(shape_.Limit(), uint64_t{1} << 20)),
        probe_(spec.directory) {}

  Audit Of(const std::string& durability) {
    Audit audit;
    const uint64_t by_libc = SyncCallsSoFar().Durable();
    const TracedCalls before = TracedCallsSoFar();
    StatusOr<Store> store = Store::Open(engine_, spec_.directory, SettingsWith(durability));
    Status status = store.status();
    if (status.ok()) {
      StatusOr<Session> session = store->BeginSession();
      status = session.ok() ? Commit(*session, audit) : session.status();
    }
    // While the store is still open.
    if (status.ok()) status = events_.Ask(Request::kFindDirtyPages);
    if (store.ok()) (void)store->Close();
    audit.reason = status.ok() ? "" : status.message();
    const TracedCalls after = TracedCallsSoFar();
    audit.uncounted = after.uncounted;
    if (after.durable && before.durable) {
      const uint64_t made = *after.durable - *before.durable;
      const uint64_t seen_by_libc = SyncCallsSoFar().Durable() - by_libc;
      audit.flushes_past_libc = made > seen_by_libc ? made - seen_by_libc : 0;
    }
    return audit;
  }

 private:
  // Asks the kernel-level tracer if there is one, else libc's functions.
  static uint64_t DurableCallsSoFar() {
    return TracedCallsSoFar().durable.value_or(SyncCallsSoFar().Durable());
  }

  SettingList SettingsWith(const std::string& durability) const {
    SettingList settings = spec_.engine_settings;
    settings.emplace_back("expected_keys",
                          std::to_string(spec_.settings.audit * (kBatchEntries + 1)));
    settings.emplace_back(kSessionsHint, "1");
    settings.emplace_back("expected_value_bytes", std::to_string(value_.size()));
    settings.emplace_back("durability", durability);
    if (shape_.kind == KeyKind::kInteger) settings.emplace_back("integer_keys", "1");
    return settings;
  }

  // Four puts, a delete of the last of them, a batch, and so on.
  Status Commit(Session& session, Audit& audit) {
    const uint64_t begin_ns = MonotonicNs();
    probe_.Begin();
    while (audit.commits < spec_.settings.audit && MonotonicNs() - begin_ns < kMostNs) {
      events_.Send(Progressed{audit.commits + 1, spec_.settings.audit});
      const uint64_t flushes = DurableCallsSoFar();
      const lf_code code = CommitOne(session.get(), audit);
      if (code != LF_OK) return engine_.StatusOf(code, "write");
      const uint64_t made = DurableCallsSoFar() - flushes;
      ++audit.commits;
      audit.flushes += made;
      if (made == 0) ++audit.without_flush;
    }
    const Resources used = probe_.Used();
    if (used.io) audit.written_bytes = used.io->write_call_bytes;
    if (used.device) audit.device_flushes = used.device->flushes;
    return Status::Ok();
  }

  lf_code CommitOne(lf_session* session, Audit& audit) {
    const uint64_t trial = audit.commits % 6;
    if (trial == 4) return engine_.table().erase(session, Bytes(last_key_));
    const uint64_t entries = trial == 5 ? kBatchEntries : 1;
    audit.acknowledged_bytes += entries * (shape_.size + value_.size());
    if (entries == 1) {
      last_key_ = keys_.Next();
      return engine_.table().put(session, Bytes(last_key_), Bytes(value_));
    }
    std::vector<std::string> keys;
    for (uint64_t i = 0; i < entries; ++i) keys.push_back(keys_.Next());
    std::vector<lf_entry> batch;
    for (const std::string& key : keys) batch.push_back({Bytes(key), Bytes(value_), 0});
    return engine_.table().write(session, batch.data(), batch.size());
  }

  const WorkerSpec& spec_;
  const Engine& engine_;
  MessageWriter& events_;
  const std::string value_;
  const KeyShape shape_;
  NewKeys keys_;
  std::string last_key_;
  ResourceProbe probe_;
};

}  // namespace

bool IsAuditDue(const Settings& settings, const std::vector<PlannedPhase>& phases,
                uint32_t capabilities) {
  return settings.audit != 0 && (capabilities & (LF_VOLATILE | LF_NO_ANSWERS)) == 0 &&
         std::ranges::any_of(phases, WritesToStore);
}

void AuditClasses(const WorkerSpec& spec, const Engine& engine, MessageWriter& events) {
  Auditor auditor(spec, engine, events);
  std::set<std::string> seen;
  for (size_t i = 0; i < spec.phases.size(); ++i) {
    const std::string& durability = spec.phases[i].durability;
    if (!WritesToStore(spec.phases[i]) || !seen.insert(durability).second) continue;
    events.Send(StageBegan{i, "audit", false});
    events.Send(Audited{durability, auditor.Of(durability)});
  }
}

}  // namespace levelfield
