#include "plan/planned_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "plan/compat.h"
#include "plan/phase_settings.h"
#include "workload/value_sizes.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

// Rounds of the busiest thread: its share of the operations over its share of the keys.
uint64_t PassesOf(const Role& role) {
  const uint64_t operations = (role.operations + role.threads - 1) / role.threads;
  const uint64_t keys = std::max<uint64_t>(role.range / role.threads, 1);
  return std::max<uint64_t>((operations + keys - 1) / keys, 1);
}

// Saturated: a value beyond 64 bits is beyond every bound.
uint64_t LongestAfter(const Role& role, uint64_t before) {
  if (!role.operation->writes_values()) return 0;
  if (role.operation->length != LengthRule::kGrown) return std::max(before, role.value_size.most());
  const unsigned __int128 growth =
      static_cast<unsigned __int128>(PassesOf(role)) * (role.value_size.most() + 1);
  const unsigned __int128 longest = growth + before;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max() / 2;
  return longest > kMost ? kMost : static_cast<uint64_t>(longest);
}

}  // namespace

uint64_t LargestValueOf(const std::vector<PlannedPhase>& phases, bool store_existed,
                        uint64_t before) {
  uint64_t largest = before;
  uint64_t present = before;  // Entries in the store at that time.
  for (const PlannedPhase& phase : phases) {
    if (phase.workload.need == StoreNeed::kEmpty) {
      if (store_existed) continue;
      present = 0;
    }
    for (const Role& role : phase.workload.roles) {
      present = std::max(present, LongestAfter(role, present));
    }
    largest = std::max(largest, present);
  }
  return largest;
}

Status CheckGrowth(const std::vector<PlannedPhase>& phases, const Settings& settings) {
  std::vector<PlannedPhase> until_here;
  for (const PlannedPhase& phase : phases) {
    until_here.push_back(phase);
    for (const Role& role : phase.workload.roles) {
      if (role.operation->length != LengthRule::kGrown) continue;
      const double seconds = PhaseSettings(settings, phase, 0, 0).duration;
      if (seconds > 0 || !role.until_role.empty()) {
        return Status::Usage(fmt::format(
            "{}: its values grow in every round, so it has to stop after a number of operations, "
            "not {}; leave --duration out, or run it by itself",
            phase.workload.name,
            seconds > 0 && phase.workload.act.of != 0 ? fmt::format("after {} s", seconds)
            : seconds > 0                             ? fmt::format("after --duration={}", seconds)
                                                      : "when another role ends"));
      }
      const uint64_t largest = LargestValueOf(until_here);
      if (largest <= limits::kValueBytes) continue;
      return Status::Usage(fmt::format(
          "{}: {} operations on {} keys make values of up to {} bytes, and the longest that can be "
          "checked has {}; give it fewer operations, more keys or a smaller --value_size",
          phase.workload.name, role.operations, role.range, largest, limits::kValueBytes));
    }
  }
  return Status::Ok();
}

namespace {

// The keys of the last workload that fills the store. A workload with integer keys leaves a store
// unchanged if the engine has no integer keys.
KeyShape KeysLeftBy(const Trial& trial) {
  KeyShape keys = KeyShapeOf(trial.settings());
  for (const PlannedPhase& phase : trial.phases()) {
    if (phase.workload.need != StoreNeed::kEmpty) continue;
    const KeyShape shape = KeyShapeOf(trial.settings(), phase.workload);
    const bool has_integer_keys = trial.engine().description.Has(LF_INTEGER_KEYS);
    if (shape.kind != KeyKind::kInteger || has_integer_keys) keys = shape;
  }
  return keys;
}

// Whether the workload may change the store's files in its class. A compaction also writes entries.
bool MayWrite(const Workload& workload) {
  return workload.need != StoreNeed::kNone &&
         std::ranges::any_of(workload.roles, [](const Role& role) {
           return role.changes_store() || role.operation->rewrites_entries;
         });
}

}  // namespace

StoreContent PlannedContent(const Trial& trial) {
  StoreContent content{.engine = EngineName(trial.engine().engine),
                       .library = LibraryMark(trial.engine().description.Fact("version")),
                       .keys = KeysLeftBy(trial),
                       .smallest_value = std::numeric_limits<uint64_t>::max(),
                       .describes_itself = !IsExact(trial.settings()),
                       .compression_ratio = trial.settings().compression_ratio};
  AddValueSizes(trial.phases(), content);
  AddDurability(trial, content);
  return content;
}

void AddDurability(const Trial& trial, StoreContent& content) {
  const bool is_new = content.opened == 0;
  if (!is_new && content.durability.empty()) return;
  const EngineDescription& engine = trial.engine().description;
  const auto level_of = [&](const std::string& name) {
    const DurabilityDescription* const durability = engine.FindDurability(name);
    return durability != nullptr ? durability->level : LF_REFUSED;
  };
  for (const PlannedPhase& phase : trial.phases()) {
    const bool is_skipped = !is_new && phase.workload.need == StoreNeed::kEmpty;
    // If the engine refuses a class, nothing is written in it.
    if (is_skipped || !MayWrite(phase.workload) || level_of(phase.durability) == LF_REFUSED) {
      continue;
    }
    if (content.durability.empty() || level_of(phase.durability) < level_of(content.durability)) {
      content.durability = phase.durability;
    }
  }
}

void AddValueSizes(const std::vector<PlannedPhase>& phases, StoreContent& content) {
  const bool is_new = content.opened == 0;
  for (const PlannedPhase& phase : phases) {
    if (!is_new && phase.workload.need == StoreNeed::kEmpty) continue;
    for (const Role& role : phase.workload.roles) {
      if (!role.operation->writes_values()) continue;
      content.smallest_value = std::min(content.smallest_value, role.smallest_value());
    }
  }
  content.largest_value = LargestValueOf(phases, !is_new, content.largest_value);
  content.smallest_value = std::min(content.smallest_value, content.largest_value);
}

StoreOrigin OriginOf(const StoreContent& content) {
  const std::string because =
      !content.describes_itself ? "its values do not name their keys"
      : content.smallest_value < ValueSource::kHeaderBytes
          ? fmt::format(
                "it may have values of {} B, and only values of {} B or more name their version",
                content.smallest_value, ValueSource::kHeaderBytes)
          : "";
  return {.exists = true,
          .knows_values = because.empty(),
          .because = because,
          .largest_value = content.largest_value,
          // Each opening has its own versions, so that a lost write shows.
          .first_version = (content.opened << 24) + 1,
          .entries = content.entries,
          .durability = content.durability,
          .cut_off = content.cut_off};
}

}  // namespace levelfield
