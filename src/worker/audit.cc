#include "worker/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
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
constexpr uint64_t kMostUnseenNs = kMostNs / 4;
constexpr uint64_t kMostValueBytes = 64 << 10;
constexpr uint64_t kBatchEntries = 4;

bool WritesToStore(const PlannedPhase& phase) {
  return !phase.implicit && phase.workload.need != StoreNeed::kNone &&
         std::ranges::any_of(phase.workload.roles,
                             [](const Role& role) { return role.changes_store(); });
}

// Keys that are all new, one after another, as long as there are any.
class NewKeys {
 public:
  NewKeys(const KeyShape& shape, uint64_t count)
      : count_(count), format_(shape, count), key_(format_.Blank()) {}

  std::string Next() {
    const size_t size = format_.FormatOne(index_, key_.data());
    index_ = (index_ + 1) % count_;
    return key_.substr(0, size);
  }

 private:
  uint64_t count_;
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
        value_bytes_(std::clamp<uint64_t>(static_cast<uint64_t>(ValueSizesOf(spec.settings).Mean()),
                                          1, kMostValueBytes)),
        shape_(KeyShapeOf(spec.settings)),
        keys_(shape_, std::min(shape_.Limit(), uint64_t{1} << 20)),
        probe_(spec.directory) {}

  Audit Of(const std::string& durability) {
    Audit audit;
    made_ = 0;  // A delete is of what this store has been given.
    const uint64_t by_libc = SyncCallsSoFar().Durable();
    const TracedCalls before = TracedCallsSoFar();
    StatusOr<Store> store = Store::Open(engine_, spec_.directory, SettingsWith(durability));
    Status status = store.status();
    if (status.ok()) {
      events_.SendProcessesOf(*store);
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
    // As KnownStore::RemoveFromServer: the run begins with an empty server.
    if (engine_.Has(LF_SERVER)) (void)engine_.Destroy(spec_.directory);
    return audit;
  }

 private:
  // Asks the kernel-level tracer if there is one, else libc's functions.
  static uint64_t DurableIn(const TracedCalls& calls) {
    return calls.durable.value_or(SyncCallsSoFar().Durable());
  }

  // What a commit wrote, of which so many bytes cannot be packed into fewer, is durable: a sync
  // before it, or of another file, is none. Where calls have not written that much, it went through
  // a map, or past the tracer, and any durable call may have kept it.
  static bool IsKept(const WrittenByCalls& written, uint64_t least_bytes) {
    return written.kept_bytes >= least_bytes || written.bytes < least_bytes ||
           written.is_map_synced;
  }

  SettingList SettingsWith(const std::string& durability) const {
    SettingList settings = spec_.engine_settings;
    settings.emplace_back("expected_keys",
                          std::to_string(spec_.settings.audit * 3 * (kBatchEntries + 1)));
    settings.emplace_back(kSessionsHint, "1");
    settings.emplace_back("expected_value_bytes", std::to_string(value_bytes_));
    settings.emplace_back("durability", durability);
    if (shape_.kind == KeyKind::kInteger) settings.emplace_back("integer_keys", "1");
    return settings;
  }

  // Four puts, a delete of the last of them, a batch, and so on. Between the two halves of those
  // that are looked at are others, nobody knows how many: an engine may be better at first.
  Status Commit(Session& session, Audit& audit) {
    const uint64_t begin_ns = MonotonicNs();
    probe_.Begin();
    while (audit.commits < spec_.settings.audit && MonotonicNs() - begin_ns < kMostNs) {
      events_.Send(Progressed{audit.commits + 1, spec_.settings.audit});
      if (audit.commits == (spec_.settings.audit + 1) / 2) {
        const lf_code code = CommitUnseen(session.get(), audit);
        if (code != LF_OK) return engine_.StatusOf(code, "write");
      }
      const uint64_t flushes = DurableIn(TracedCallsSoFar());
      const uint64_t entries_before = entries_;
      const lf_code code = CommitOne(session.get(), audit);
      if (code != LF_OK) return engine_.StatusOf(code, "write");
      const TracedCalls calls = TracedCallsSoFar();
      const uint64_t made = DurableIn(calls) - flushes;
      const uint64_t least_bytes =
          std::max<uint64_t>((entries_ - entries_before) * value_bytes_, 1);
      ++audit.commits;
      audit.flushes += made;
      if (made == 0 || !IsKept(calls.written, least_bytes)) ++audit.without_flush;
    }
    const Resources used = probe_.Used();
    if (used.io) audit.written_bytes = used.io->write_call_bytes;
    if (used.device) audit.device_flushes = used.device->flushes;
    return Status::Ok();
  }

  // In pairs: of an engine that keeps every second commit, half are found, whatever their number.
  lf_code CommitUnseen(lf_session* session, Audit& audit) {
    const uint64_t begin_ns = MonotonicNs();
    uint64_t pairs = (spec_.settings.audit + 1 + random_() % spec_.settings.audit) / 2;
    lf_code code = LF_OK;
    while (code == LF_OK && pairs-- != 0 && MonotonicNs() - begin_ns < kMostUnseenNs) {
      code = CommitOne(session, audit);
      if (code == LF_OK) code = CommitOne(session, audit);
    }
    return code;
  }

  // No two alike, and none that can be packed: an engine that packs writes as much.
  std::string NewValue() {
    std::string value(value_bytes_, '\0');
    for (char& byte : value) byte = static_cast<char>(random_());
    return value;
  }

  lf_code CommitOne(lf_session* session, Audit& audit) {
    const uint64_t trial = made_++ % 6;
    if (trial == 4) return engine_.table().erase(session, Bytes(last_key_));
    const uint64_t entries = trial == 5 ? kBatchEntries : 1;
    entries_ += entries;
    audit.acknowledged_bytes += entries * value_bytes_;
    if (entries == 1) {
      last_key_ = keys_.Next();
      audit.acknowledged_bytes += last_key_.size();
      return engine_.table().put(session, Bytes(last_key_), Bytes(NewValue()));
    }
    std::vector<std::string> keys;
    std::vector<std::string> values;
    for (uint64_t i = 0; i < entries; ++i) {
      keys.push_back(keys_.Next());
      audit.acknowledged_bytes += keys.back().size();
      values.push_back(NewValue());
    }
    std::vector<lf_entry> batch;
    for (uint64_t i = 0; i < entries; ++i) batch.push_back({Bytes(keys[i]), Bytes(values[i]), 0});
    return engine_.table().write(session, batch.data(), batch.size());
  }

  const WorkerSpec& spec_;
  const Engine& engine_;
  MessageWriter& events_;
  const uint64_t value_bytes_;
  const KeyShape shape_;
  NewKeys keys_;
  std::string last_key_;
  uint64_t made_ = 0;     // Commits,
  uint64_t entries_ = 0;  // and the entries that they put.
  std::mt19937_64 random_{MonotonicNs()};
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
    events.Send(StageBegan{i, Stage::kAudit, false});
    events.Send(Audited{durability, auditor.Of(durability)});
  }
}

}  // namespace levelfield
