#include "worker/known_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plan/compat.h"
#include "plan/planned_content.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

SettingList HintsOf(const WorkerSpec& spec) {
  uint64_t keys = spec.settings.num;
  double value_bytes = ValueSizesOf(spec.settings).Mean();
  for (const PlannedPhase& phase : spec.phases) {
    for (const Role& role : phase.workload.roles) {  // Records have a size of their own.
      if (role.records != 0) value_bytes = std::max(value_bytes, role.value_size.Mean());
      if (!role.operation->replays_trace) continue;  // And so do a trace's keys.
      keys = std::max(keys, role.trace.keys);
      value_bytes = std::max(value_bytes, static_cast<double>(role.trace.live_bytes) /
                                              static_cast<double>(role.trace.keys));
    }
  }
  SettingList hints = {{"expected_keys", std::to_string(keys)},
                       {"expected_value_bytes", fmt::format("{:.0f}", value_bytes)}};
  if (spec.origin.read_only) hints.emplace_back("read_only", "1");
  return hints;
}

// Blocks of what measures the machine come from the same pool, and have a limit of their own.
uint64_t LargestValue(const WorkerSpec& spec) {
  return std::max(ValueSizesOf(spec.settings).most(),
                  LargestValueOf(spec.phases, spec.origin.exists, spec.origin.largest_value));
}

}  // namespace

KnownStore::KnownStore(const WorkerSpec& spec, const Engine& engine, MessageWriter& events)
    : spec_(spec),
      events_(events),
      values_(spec.salt, LargestValue(spec), spec.settings.compression_ratio,
              spec.origin.value_format),
      original_(spec.settings.compression_ratio),
      key_shape_(KeyShapeOf(spec.settings)),
      host_(engine, spec.directory, spec.engine_settings, HintsOf(spec),
            key_shape_.kind == KeyKind::kInteger, events),
      entries_(spec.origin.entries) {
  if (spec.origin.exists) expected_.StartAt(spec.origin.first_version);
}

const OriginalValues* KnownStore::original() const {
  return IsExact(spec_.settings) ? &original_ : nullptr;
}

const StoredValues& KnownStore::stored_values() const {
  if (IsExact(spec_.settings)) return original_;
  return values_;
}

void KnownStore::KnowEntries(uint64_t entries) {
  if (entries == entries_) return;
  entries_ = entries;
  events_.Send(StoreHolds{entries});
}

}  // namespace levelfield
