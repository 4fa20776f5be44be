#include "worker/phase_opening.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/description.h"
#include "plan/existing_store.h"
#include "worker/fleet.h"

namespace levelfield {

bool MergesAsPuts(const SettingList& engine_settings) {
  return std::ranges::all_of(engine_settings, [](const auto& setting) {
    return setting.first != "merge_operator" || setting.second == "put";
  });
}

namespace {

const lf_durability* FindClass(const lf_engine& table, const std::string& name) {
  for (const lf_durability* row = table.durabilities; row->name != nullptr; ++row) {
    if (row->name == name) return row->level == LF_REFUSED ? nullptr : row;
  }
  return nullptr;
}

// A phase works on the entries that the store had before, so its level is at most theirs.
void LimitLevel(const lf_engine& table, const StoreOrigin& origin, PhaseResult& result) {
  const lf_durability* const filled = FindClass(table, origin.durability);
  result.store_level = filled != nullptr ? LevelOf(filled->level) : DurabilityLevel::kNotKnown;
  result.level =
      filled != nullptr ? std::min(result.level, result.store_level) : DurabilityLevel::kNotKnown;
}

}  // namespace

bool PhaseOpening::Open(RunningPhase& now) {
  if (!now.needs_store()) return true;
  const PlannedPhase& phase = now.planned();
  const WorkerSpec& spec = now.spec();
  now.BeginStage(Stage::kOpen, true);
  if (phase.workload.need != StoreNeed::kEmpty) {
    now.result().held = now.store().held();
    if (now.result().held) {
      now.result().held->are_needed = phase.workload.need == StoreNeed::kLoaded;
    }
  }
  if (phase.workload.need == StoreNeed::kEmpty) {
    is_filled_ = true;
    unfilled_by_.clear();
    if (!now.Keep(now.store().Empty(KeyShapeOf(spec.settings, phase.workload)))) return false;
  }
  Status opened = now.store().EnsureOpen(phase.durability, &now.result().open_seconds);
  // What this engine cannot do with the existing store fails in every workload.
  if (spec.origin.exists && !opened.ok()) opened = Status::Failed(opened.message());
  if (!now.Keep(opened)) return false;
  const std::vector<ProcessId>& processes = now.store().open().Processes();
  now.worker().conditions.Include(processes);
  now.worker().resources.Include(processes);
  now.worker().settle_resources.Include(processes);
  if (told_classes_.insert(phase.durability).second) TellConfiguration(now);
  if (MergesAsPuts(spec.engine_settings) ||
      std::ranges::none_of(phase.workload.roles, &Role::merges)) {
    return true;
  }
  now.End(
      Outcome::kUnsupported,
      "merges are checked as what the merge operator `put` makes of them, and another is chosen");
  return false;
}

// And those of our defaults that are not in force.
void PhaseOpening::TellConfiguration(RunningPhase& now) {
  const WorkerSpec& spec = now.spec();
  Store& store = now.store().open();
  const StatusOr<uint64_t> round_trip_ns = store.RoundTripNs(spec.settings.depth);
  now.events().Send(StoreConfigured{.durability = now.planned().durability,
                                    .text = ConfigurationOf(store, spec.directory),
                                    // What fails here fails again where it is measured.
                                    .round_trip_ns = round_trip_ns.ok() ? *round_trip_ns : 0});
  for (const OverriddenDefault& one : store.Overridden()) {
    const std::string note = spec.engine + ": " + NoteOf(one);
    if (told_overridden_.insert(note).second) now.events().Send(Noted{note});
  }
}

// Before the store is opened; notes the level of the class.
bool PhaseOpening::IsPossible(RunningPhase& now) {
  const std::string undivided = WhyUndivided(now.spec().fleet, now.workload());
  if (!undivided.empty()) return Refuse(now, "a fleet cannot run it: " + undivided);
  if (!now.needs_store()) return true;
  const PlannedPhase& phase = now.planned();
  const StoreOrigin& origin = now.spec().origin;
  const KnownStore& store = now.store();
  PhaseResult& result = now.result();
  const bool fills = phase.workload.need == StoreNeed::kEmpty;
  if (origin.exists && (fills || !phase.workload.loader.empty())) {
    now.End(Outcome::kSkipped, "--use_existing_db is true");
    return false;
  }
  if (!origin.kept.empty() && ChangesStore(phase.workload)) {
    now.End(Outcome::kSkipped, "it writes, and nothing is written to this store: " + origin.kept);
    return false;
  }
  const lf_durability* durability = store.table().durabilities;
  while (durability->name != nullptr && durability->name != phase.durability) ++durability;
  if (durability->name == nullptr) return Refuse(now, "no such class");
  if (durability->level == LF_REFUSED) return Refuse(now, durability->settings);
  const bool has_integers = KeyShapeOf(now.settings(), phase.workload).kind == KeyKind::kInteger;
  if (fills && has_integers && !store.Has(LF_INTEGER_KEYS)) {
    return Refuse(now, "its keys are strings of bytes: it has no integer keys");
  }
  if (phase.workload.need == StoreNeed::kLoaded && !unfilled_by_.empty()) {
    result.message =
        fmt::format("not run: {}, which was to load the store, could not run", unfilled_by_);
    return false;
  }
  result.level = LevelOf(durability->level);
  if (origin.exists) LimitLevel(store.table(), origin, result);
  if (phase.implicit && store.Has(LF_NO_ANSWERS)) {  // It keeps nothing to load.
    result.outcome = Outcome::kOk;
    return false;
  }
  return true;
}

// A store that was never filled gives no numbers to a phase that needs a loaded one; one that was
// filled before stays as it is.
bool PhaseOpening::Refuse(RunningPhase& now, const std::string& reason) {
  now.End(Outcome::kUnsupported, reason);
  const Workload& workload = now.workload();
  if (workload.need == StoreNeed::kEmpty && !is_filled_) unfilled_by_ = workload.name;
  return false;
}

}  // namespace levelfield
