#include "worker/known_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "plan/compat.h"
#include "plan/planned_content.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// What every engine gets beside its own settings.
SettingList HintsOf(const WorkerSpec& spec) {
  uint64_t keys = spec.settings.num;
  double value_bytes = ValueSizesOf(spec.settings).Mean();
  uint64_t sessions = 0;
  for (const PlannedPhase& phase : spec.phases) {
    uint64_t of_phase = 0;
    for (const Role& role : phase.workload.roles) {  // Records have a size of their own.
      if (role.records != 0) value_bytes = std::max(value_bytes, role.value_size.Mean());
      of_phase += role.threads * (role.operation->takes_snapshots ? 2 : 1);
      if (!role.operation->replays_trace) continue;  // And so do a trace's keys.
      keys = std::max(keys, role.trace.keys);
      value_bytes = std::max(value_bytes, static_cast<double>(role.trace.live_bytes) /
                                              static_cast<double>(role.trace.keys));
    }
    sessions = std::max(sessions, of_phase);
  }
  SettingList hints = {{"expected_keys", std::to_string(keys)},
                       {std::string(kSessionsHint), std::to_string(sessions)},
                       {"expected_value_bytes", fmt::format("{:.0f}", value_bytes)}};
  if (spec.origin.read_only) hints.emplace_back("read_only", "1");
  return hints;
}

// The machine's operations take their blocks from the same pool, with their own limit.
uint64_t LargestValue(const WorkerSpec& spec) {
  return std::max(ValueSizesOf(spec.settings).most(),
                  LargestValueOf(spec.phases, spec.origin.exists, spec.origin.largest_value));
}

}  // namespace

KnownStore::KnownStore(const WorkerSpec& spec, const Engine& engine, MessageWriter& events)
    : spec_(spec),
      events_(events),
      engine_(engine),
      values_(spec.salt, LargestValue(spec), spec.settings.compression_ratio),
      original_(spec.settings.compression_ratio),
      key_shape_(KeyShapeOf(spec.settings)),
      has_integer_keys_(key_shape_.kind == KeyKind::kInteger),
      entries_(spec.origin.entries) {
  if (spec.origin.exists) expected_.StartAt(spec.origin.first_version);
}

Status KnownStore::EnsureOpen(const std::string& durability, double* seconds) {
  *seconds = 0;
  // For an engine that forgets everything when it is closed, all classes are the same.
  if (store_ && (durability_ == durability || Has(LF_VOLATILE))) return Status::Ok();
  double close_seconds = 0;
  RETURN_IF_ERROR(Close(&close_seconds));
  const SettingList settings = SettingsWith(durability);
  ASSIGN_OR_RETURN(Store store, Store::Open(engine_, spec_.directory, settings, seconds));
  store_ = std::move(store);
  durability_ = durability;
  events_.SendProcessesOf(*store_);
  return Status::Ok();
}

SettingList KnownStore::SettingsWith(const std::string& durability) const {
  SettingList settings = spec_.engine_settings;
  std::ranges::move(HintsOf(spec_), std::back_inserter(settings));
  settings.emplace_back("durability", durability);
  if (has_integer_keys_) settings.emplace_back("integer_keys", "1");
  const FleetPlace& fleet = spec_.fleet;
  if (fleet.is_fleet()) settings.emplace_back(std::string(kStoreNameHint), fleet.id);
  if (!fleet.makes_store()) settings.emplace_back(std::string(kJoinsHint), "1");
  return settings;
}

Status KnownStore::Empty(const KeyShape& shape) {
  expected_.Clear();
  held_.reset();
  key_shape_ = shape;
  double seconds = 0;
  RETURN_IF_ERROR(Close(&seconds));
  RETURN_IF_ERROR(RemoveFromServer());
  has_integer_keys_ = shape.kind == KeyKind::kInteger;
  return events_.Ask(Request::kEmptyDatabase);
}

Status KnownStore::RemoveFromServer() const {
  if (!Has(LF_SERVER) || spec_.origin.exists || !spec_.fleet.makes_store()) return Status::Ok();
  return engine_.Destroy(spec_.directory);
}

Status KnownStore::Close(double* seconds) {
  *seconds = 0;
  if (!store_) return Status::Ok();
  const uint64_t start_ns = MonotonicNs();
  const Status status = store_->Close();
  *seconds = SecondsSince(start_ns);
  store_.reset();
  // A store that failed to close is not in the state its engine would leave, whatever the error
  // says.
  return status.ok() ? status : Status::Failed(status.message());
}

const OriginalValues* KnownStore::original() const {
  return IsExact(spec_.settings) ? &original_ : nullptr;
}

const StoredValues& KnownStore::stored_values() const {
  if (IsExact(spec_.settings)) return original_;
  return values_;
}

std::optional<Held> KnownStore::held() const {
  if (spec_.origin.exists) {
    return entries_ != 0 ? std::optional(Held{entries_, spec_.settings.num}) : std::nullopt;
  }
  return held_ ? std::optional(Held{*held_, planned_entries_}) : std::nullopt;
}

void KnownStore::KnowEntries(uint64_t entries) {
  if (entries == entries_) return;
  entries_ = entries;
  events_.Send(StoreHolds{entries});
}

}  // namespace levelfield
