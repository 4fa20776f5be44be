#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/engine.h"
#include "engine/more_engines.h"
#include "plan/compat.h"
#include "plan/completed_fills.h"
#include "plan/known.h"
#include "plan/load_settings.h"
#include "plan/phase_settings.h"
#include "plan/planned_content.h"
#include "workload/acts.h"
#include "workload/workload_file.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLoader = "fillrandom";

std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names = Parts(list, ',');
  std::erase(names, "");
  return names;
}

struct Repeated {
  std::string name;
  uint64_t runs = 0;  // 0: it runs once, and is no repetition.
  uint64_t warm_ups = 0;
};

constexpr uint64_t kMostRepetitions = 1000;

// `name`, `name[X5]` or `name[W1-X5]`. Like RocksDB, skips an empty part (`[-X5]`).
StatusOr<Repeated> ParseRepeats(const std::string& text) {
  const size_t open = text.ends_with(".workload") ? text.npos : text.rfind('[');
  Repeated repeated{.name = text.substr(0, open)};
  if (open == text.npos) return repeated;
  const Status refused = Status::Usage(fmt::format(
      "--benchmarks: {}: repetitions are written name[X5-W1], X from 1 to {} runs and W warm-ups",
      Quote(text), kMostRepetitions));
  if (!text.ends_with(']')) return refused;
  std::string_view rest = std::string_view(text).substr(open + 1);
  rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('-'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.empty()) continue;
    uint64_t& count = part[0] == 'X' ? repeated.runs : repeated.warm_ups;
    const StatusOr<uint64_t> number = ParseCount(part.substr(1));
    if ((part[0] != 'X' && part[0] != 'W') || !number.ok() || *number == 0 ||
        *number > kMostRepetitions || count != 0) {
      return refused;
    }
    count = *number;
  }
  if (repeated.runs == 0) return refused;
  return repeated;
}

// The number of digits of numbers below `range`.
size_t DigitsFor(uint64_t range, KeyKind kind) {
  size_t digits = 1;
  while (KeyShape(digits, kind).Limit() < range) ++digits;
  return digits;
}

// The sizes that a workload gives its keys must be possible in their format, which may be the
// run's.
Status CheckOwnKeys(const Workload& workload, const Settings& settings) {
  if (workload.key_size == 0) return Status::Ok();
  const KeyShape shape = KeyShapeOf(settings, workload);
  const auto refused = [&](std::string_view why) {
    return Status::Usage(fmt::format(
        "{}: key_size = {}{}: {}", workload.name, workload.key_size,
        workload.key_size_max == 0 ? "" : fmt::format("..{}", workload.key_size_max), why));
  };
  if (IsExact(settings) && (shape.vary() || workload.key_size != 16)) {
    return refused("--compat=exact: the originals' keys have 16 digits; leave the line out");
  }
  if (shape.kind == KeyKind::kInteger && (shape.vary() || workload.key_size != sizeof(uint64_t))) {
    return refused("integer keys have 8 bytes; leave the line out");
  }
  if (shape.kind == KeyKind::kRocksDb && shape.vary()) {
    return refused(
        "keys of --key_format=rocksdb have one size; give the workload `key_format = decimal` or "
        "hex, or its keys one size");
  }
  return Status::Ok();
}

// Whether the keys have digits for all numbers that the phases use. Phases behind one that fills
// the store with keys of its own meet those. An engine without integer keys runs none that fills
// it with them.
Status CheckDigits(const std::vector<PlannedPhase>& phases, const Settings& settings) {
  KeyShape shape = KeyShapeOf(settings);
  std::string sized = fmt::format("--key_size={}", settings.key_size);
  for (const PlannedPhase& phase : phases) {
    const Workload& workload = phase.workload;
    if (workload.need == StoreNeed::kEmpty && !settings.use_existing_db) {
      shape = KeyShapeOf(settings, workload);
      sized = workload.key_size == 0
                  ? fmt::format("--key_size={}", settings.key_size)
                  : fmt::format("{}: key_size = {}", workload.name, workload.key_size);
    }
    for (const Role& role : workload.roles) {
      if (role.key_count() <= shape.Limit()) continue;
      const size_t digits = shape.size - shape.prefix;
      return Status::Usage(fmt::format(
          "{}: keys of {} {} digit{} tell {} numbers apart, and {} needs {}; give them at least {} "
          "digits, or ask for fewer keys",
          sized, digits, NameOf(shape.kind), digits == 1 ? "" : "s", shape.Limit(), workload.name,
          role.key_count(), DigitsFor(role.key_count(), shape.kind)));
    }
    if (shape.kind == KeyKind::kInteger) shape = KeyShapeOf(settings);
  }
  return Status::Ok();
}

// A thread that waits longer for its next operation than --stall would look like a hanging engine.
Status CheckPace(const Workload& workload, const Settings& settings) {
  for (const Role& role : workload.roles) {
    if (role.rate == 0 || !role.until_role.empty()) continue;
    const auto batch = static_cast<double>(role.batch);
    const double wait = role.curve.empty() ? batch / static_cast<double>(role.rate)
                                           : role.curve.LongestWaitSeconds(batch);
    if (wait < settings.stall / 2) continue;
    return Status::Usage(fmt::format(
        "{}: [{}] has an operation of {} entries at {} entries a second, one in {:.1f} s, but "
        "after --stall={} s without one the engine counts as hung; make the batch smaller, or the "
        "rate or --stall larger",
        workload.name, role.name, role.batch, role.rate, wait, settings.stall));
  }
  return Status::Ok();
}

// Whether exactly the records are in the store after this workload.
bool KeepsRecords(const Workload& workload) {
  return std::ranges::none_of(workload.roles, [](const Role& role) {
    return role.changes_store() && (!role.operation->keeps_records || role.moves_records());
  });
}

Status CheckRecords(const Workload& workload, const Settings& settings) {
  if (!settings.use_existing_db) return Status::Ok();
  for (const Role& role : workload.roles) {
    if (!role.moves_records() || role.ycsb.may_insert_again) continue;
    return Status::Usage(
        fmt::format("--use_existing_db: {} {}, and which ones the store has already is not known; "
                    "let it load a "
                    "store of its own",
                    workload.name, role.inserts() ? "inserts new records" : "deletes records"));
  }
  return Status::Ok();
}

}  // namespace

Settings LoaderSettings(Settings settings) {
  settings.writes = settings.write_bytes_per_second = 0;
  settings.per_thread = false;
  return settings;
}

StatusOr<PlannedPhase> PlanPhase(WorkloadText source, const Settings& settings, bool implicit,
                                 Known& known) {
  ASSIGN_OR_RETURN(
      Workload workload,
      ParseWorkload(source.name, source.text, implicit ? LoaderSettings(settings) : settings));
  RETURN_IF_ERROR(CheckExact(workload, settings));
  RETURN_IF_ERROR(ResolveTrace(workload, settings, known));
  RETURN_IF_ERROR(CheckPace(workload, settings));
  RETURN_IF_ERROR(CheckRecords(workload, settings));
  PlannedPhase phase{.source = std::move(source), .workload = std::move(workload)};
  phase.implicit = implicit;
  phase.durability =
      phase.workload.durability.empty() ? settings.durability : phase.workload.durability;
  RETURN_IF_ERROR(CheckOwnKeys(phase.workload, settings));
  const KeyKind kind = KeyShapeOf(settings, phase.workload).kind;
  for (Role& role : phase.workload.roles) {
    // A missing key sorts after all keys that share its other digits. So the range is rounded down
    // to tens, or here sixteens.
    if (role.missing && kind == KeyKind::kHex && role.range > 16) role.range &= ~uint64_t{15};
  }
  return phase;
}

void ResolveKeys(Settings& settings) {
  const bool is_integer = FromName<KeyKind>(settings.key_format) == KeyKind::kInteger;
  if (is_integer && !settings.IsGiven("key_size")) settings.key_size = sizeof(uint64_t);
}

namespace {

// The phases of a plan in their order, from --benchmarks.
class PhasePlanner {
 public:
  PhasePlanner(const Settings& settings, Known& known)
      : settings_(settings),
        known_(known),
        // The originals read an empty store without loading it.
        is_loaded_(settings.use_existing_db || IsExact(settings)) {}

  // `text` is one name in --benchmarks with its repetitions.
  Status Add(const std::string& text) {
    ASSIGN_OR_RETURN(const Repeated repeated, ParseRepeats(text));
    if (repeated.runs != 0 && IsExact(settings_)) {
      return Status::Usage("--compat=exact: the originals repeat nothing: no " + Quote(text));
    }
    ASSIGN_OR_RETURN(const WorkloadText source, Find(repeated.name));
    const std::vector<WorkloadText> acts = ActsIn(source);
    if (acts.size() > 1 && repeated.runs != 0) {
      return Status::Usage(fmt::format(
          "--benchmarks: {}: has acts, each of which meets the store that the one before "
          "has left; --repeat=N repeats them all on new stores",
          Quote(text)));
    }
    for (const WorkloadText& act : acts) {
      const size_t before = phases_.size();
      RETURN_IF_ERROR(AddAll(repeated, act));
      const uint64_t mention = ++mentions_[phases_.back().workload.name];
      for (size_t i = before; i < phases_.size(); ++i) {
        if (!phases_[i].implicit) phases_[i].mention = mention;
      }
    }
    return Status::Ok();
  }

  std::vector<PlannedPhase>& phases() { return phases_; }

 private:
  Status AddAll(const Repeated& repeated, const WorkloadText& source) {
    if (repeated.runs == 0) {
      const Status status = AddWithLoader(source);
      return status.ok() ? LeadIn(1) : status;
    }
    for (uint64_t i = 0; i < repeated.warm_ups + repeated.runs; ++i) {
      RETURN_IF_ERROR(AddRepetition(repeated, source, i));
    }
    return Status::Ok();
  }

  Status AddRepetition(const Repeated& repeated, const WorkloadText& source, uint64_t i) {
    RETURN_IF_ERROR(AddWithLoader(source));
    const bool warm_up = i < repeated.warm_ups;
    phases_.back().repetition = {.number = warm_up ? i + 1 : i - repeated.warm_ups + 1,
                                 .of = warm_up ? repeated.warm_ups : repeated.runs,
                                 .warm_up = warm_up};
    // Later repetitions on the same store find it warm.
    const bool is_fresh = i == repeated.warm_ups || !phases_.back().workload.loader.empty();
    return !warm_up && is_fresh ? LeadIn(i + 1) : Status::Ok();
  }

  // Adds the workload, and before it its loader if it needs a loaded store and
  // nothing before it in the list has filled one.
  Status AddWithLoader(const WorkloadText& source) {
    RETURN_IF_ERROR(AddPhase(source, false));
    const Workload workload = phases_.back().workload;
    const std::string& own_loader =
        workload.loaded_by.empty() ? workload.loader : workload.loaded_by;
    const bool is_loaded =
        settings_.use_existing_db ||
        (own_loader.empty() ? is_loaded_ : !filled_by_.empty() && filled_by_ == workload.loaded_by);
    const std::string loader = own_loader.empty() ? std::string(kLoader) : own_loader;
    if (workload.need == StoreNeed::kEmpty) filled_by_ = workload.name;
    if (!is_loaded && workload.need == StoreNeed::kLoaded) {
      ASSIGN_OR_RETURN(const WorkloadText text, Find(loader));
      RETURN_IF_ERROR(AddPhase(text, true));
      std::swap(phases_.back(), phases_[phases_.size() - 2]);
      filled_by_ = loader;
    }
    if (workload.need != StoreNeed::kEmpty && !KeepsRecords(workload)) filled_by_.clear();
    return Status::Ok();
  }

  StatusOr<WorkloadText> Find(const std::string& name) {
    return IsWorkloadFile(name) ? known_.WorkloadOf(name)
           : IsExact(settings_) ? FindExactWorkload(name, settings_)
                                : FindWorkload(name);
  }

  Status AddPhase(const WorkloadText& source, bool implicit) {
    ASSIGN_OR_RETURN(PlannedPhase phase, PlanPhase(source, settings_, implicit, known_));
    is_loaded_ = is_loaded_ || phase.workload.need == StoreNeed::kEmpty;
    phases_.push_back(std::move(phase));
    return Status::Ok();
  }

  // Puts the warm-up of --warmup before the last phase.
  Status LeadIn(uint64_t number) {
    if (settings_.warmup.empty() || !CanWarmUp(phases_.back().workload)) return Status::Ok();
    ASSIGN_OR_RETURN(PlannedPhase phase,
                     PlanPhase(phases_.back().source, WarmUpSettings(settings_), false, known_));
    phase.leads_in = true;
    phase.repetition = {.number = number, .of = 1, .warm_up = true};
    phases_.insert(phases_.end() - 1, std::move(phase));
    return Status::Ok();
  }

  const Settings& settings_;
  Known& known_;
  std::vector<PlannedPhase> phases_;
  std::map<std::string, uint64_t> mentions_;  // By the workload's name.
  bool is_loaded_;
  std::string filled_by_;  // The workload that filled the store, if nothing has changed it since.
};

}  // namespace

StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings, Known& known) {
  RETURN_IF_ERROR(CheckFlags(settings));
  const std::vector<std::string> names = NamesIn(settings.benchmarks);
  if (names.empty()) {
    return Status::Usage("--benchmarks=: names no workload; `levelfield workloads` lists them");
  }
  RETURN_IF_ERROR(CheckCompat(settings));
  if (!GraphPlanOf(settings).keys.IsPossible()) {
    return Status::Usage(
        "--keyrange_dist_a, _b, _c and _d: a * exp(b * i) + c * exp(d * i) comes to nothing, or "
        "beyond all numbers, for the ranges 1 to --keyrange_num; the published ones are 14.18, "
        "-2.917, 0.0164 and -0.08082 for 30 ranges");
  }
  RETURN_IF_ERROR(CheckWarmUp(settings));
  PhasePlanner planner(settings, known);
  for (const std::string& text : names) {
    ASSIGN_OR_RETURN(const std::vector<std::string> named, WorkloadsNamed(text));
    for (const std::string& one : named) RETURN_IF_ERROR(planner.Add(one));
  }
  std::vector<PlannedPhase>& phases = planner.phases();
  RETURN_IF_ERROR(CheckDigits(phases, settings));
  RETURN_IF_ERROR(CheckGrowth(phases, settings));
  RETURN_IF_ERROR(CheckLoad(phases, settings));
  PlanCompletedFills(settings, phases);
  return std::move(phases);
}

StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings, const Facts& facts) {
  std::vector<OpenQuestion> open;
  Known known(facts, open);
  return PlanPhases(settings, known);
}

std::string StorePathOf(const Settings& settings, const std::string& engine,
                        const std::string& results) {
  if (settings.single_db) return settings.db;
  std::string name = engine;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == ':'; }, '_');
  return (settings.db.empty() ? results + "/stores" : settings.db) + "/" + name;
}

StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found,
                                               const std::vector<std::string>& by_name) {
  std::vector<std::string> all;
  std::ranges::copy_if(found, std::back_inserter(all),
                       [](const std::string& name) { return name.find('@') == std::string::npos; });
  const auto check = [&](const char* flag, const std::string& text) {
    const StatusOr<EngineSpec> spec = ParseEngineSpec(text);
    if (!spec.ok()) return Status::Usage(fmt::format("--{}: {}", flag, spec.status().message()));
    if (std::ranges::find(all, spec->name) != all.end()) return Status::Ok();
    if (std::ranges::find(found, text) != found.end()) return Status::Ok();  // A version alone.
    if (const std::string_view target = TargetThatBuilds(spec->name); !target.empty()) {
      return Status::Usage(
          fmt::format("--{}: {} is not built: `make {}` in Levelfield's source "
                      "tree builds it",
                      flag, spec->name, target));
    }
    return Status::Usage(
        fmt::format("--{}: no engine is called {}{} `levelfield engines` describes those that are "
                    "here: {}",
                    flag, Quote(spec->name), DidYouMean(spec->name, all, "."), Listed(all)));
  };
  std::vector<std::string> engines;
  for (const std::string& text : NamesIn(settings.engine)) {
    if (text == "all") {
      // --against stands before it, and is among all.
      std::ranges::copy_if(all, std::back_inserter(engines), [&](const std::string& name) {
        return std::ranges::find(by_name, name) == by_name.end() && name != settings.against;
      });
      continue;
    }
    RETURN_IF_ERROR(check("engine", text));
    engines.push_back(text);
  }
  if (!settings.yardstick.empty()) {
    RETURN_IF_ERROR(check("yardstick", settings.yardstick));
    std::erase(engines, settings.yardstick);
    if (engines.empty()) {
      return Status::Usage(
          fmt::format("--yardstick={}: --engine names nothing else; name what to measure beside it",
                      Printable(settings.yardstick)));
    }
    engines.push_back(settings.yardstick);
  }
  if (engines.empty()) return Status::Usage("--engine=: names no engine");
  for (auto it = engines.begin(); it != engines.end(); ++it) {
    if (std::find(engines.begin(), it, *it) != it) {
      return Status::Usage(
          *it == settings.against
              ? fmt::format("--against={}: --engine names it, too; `levelfield noise --engine={}` "
                            "measures an engine against itself",
                            Printable(*it), Printable(*it))
              : fmt::format("--engine: {} is named twice", Quote(*it)));
    }
  }
  return engines;
}

}  // namespace levelfield
