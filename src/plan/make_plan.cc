#include "plan/make_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "plan/compat.h"
#include "plan/engine_requests.h"
#include "plan/file_system_settings.h"
#include "plan/find_stores.h"
#include "plan/load_settings.h"
#include "plan/memory_budget.h"
#include "plan/phase_settings.h"
#include "plan/preflight.h"
#include "plan/vary.h"
#include "probe/machine.h"
#include "settings/dialects/dialect.h"
#include "stats/statistics.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

constexpr uint64_t kQuick = kLeastRepetitions;
constexpr uint64_t kPublish = 10;

// --quick and --publish stand for a number of rounds.
void ApplyRoundNames(Settings& settings) {
  if (settings.quick) settings.repeat = kQuick;
  if (settings.publish) settings.repeat = std::max(settings.repeat, kPublish);
}

// A yardstick needs slices, and as many rounds as an interval needs.
void ApplyYardstick(Settings& settings) {
  if (settings.yardstick.empty()) return;
  if (settings.slices == "auto") settings.slices = "on";
  if (!HasRounds(settings))
    settings.repeat = std::max<uint64_t>(settings.repeat, kLeastProcessPairs);
}

Status CheckMostRounds(const Settings& settings) {
  const uint64_t least = std::max<uint64_t>(settings.repeat, kLeastForPrecision);
  if (settings.precision == 0 || settings.repeat_most >= least) return Status::Ok();
  return Status::Usage(
      fmt::format("--repeat_most={}: --precision looks at {} rounds at least; give so many",
                  settings.repeat_most, least));
}

// The durability class of the original program, if none was requested.
void ApplyClassOfOriginal(Settings& settings) {
  const bool is_its_own = EngineName(settings.engine) == settings.dialect;
  if (!IsExact(settings) || !is_its_own || settings.given.contains("durability")) return;
  settings.durability = DialectOf(settings.dialect).durability;
}

bool IsBaseline(const ProbeReply& engine) { return engine.description.Has(LF_FLOOR); }

// The disk that the engine's store may take; 0: it has none.
uint64_t StoreBytes(const PlannedVariant& plan, const ProbeReply& engine) {
  if (!engine.status.ok() || IsBaseline(engine)) return 0;
  return NeededDiskBytes(plan.settings, plan.phases, SpaceFactorOf(engine.description));
}

// Whether the disk has room for the stores: for all of them at once, or else for the largest.
Status CheckDisk(std::span<const PlannedVariant> variants, bool at_once, Known& known) {
  uint64_t needed = 0;
  for (const PlannedVariant& variant : variants) {
    for (const ProbeReply& engine : variant.engines) {
      const uint64_t bytes = StoreBytes(variant, engine);
      needed = std::max(needed, at_once ? needed + bytes : bytes);
    }
  }
  const Settings& settings = variants.front().settings;
  const std::string& path = settings.db.empty() ? settings.results : settings.db;
  ASSIGN_OR_RETURN(const DiskFacts disk, known.Disk(path));
  return CheckFreeSpace({.free_bytes = disk.free_bytes,
                         .total_bytes = disk.total_bytes,
                         .free_files = disk.free_files},
                        path, needed, kWayOutOfTooLittleSpace);
}

// Whether there is room for it, if that can be known before anything is made.
Status CheckRoom(const PlannedVariant& plan, Known& known) {
  const Settings& settings = plan.settings;
  ASSIGN_OR_RETURN(const MachineFacts machine, known.Machine());
  RETURN_IF_ERROR(CheckMemory(plan.phases, machine.memory_available_bytes));
  for (const ProbeReply& engine : plan.engines) {
    const uint64_t bytes = StoreBytes(plan, engine);
    if (bytes == 0) continue;
    RETURN_IF_ERROR(
        CheckDescriptors(engine, NeededDescriptors(engine, plan.phases, bytes - kSpaceSlackBytes),
                         machine.descriptor_limit));
  }
  // If a baseline engine runs too, the engines without room become rows with that reason.
  if (settings.use_existing_db || settings.space_guard != "refuse" || settings.slices == "on" ||
      std::ranges::any_of(plan.engines, IsBaseline)) {
    return Status::Ok();
  }
  return CheckDisk({&plan, 1}, settings.keep,
                   known);  // Else each is gone before the next one is made.
}

// Clears settings that no engine is given, so that the result does not claim them.
void ApplyKindOfSettings(Settings& settings) {
  if (settings.settings != "default") return;
  for (const Flag& flag : Flags()) {
    if (!flag.engine_option || settings.IsGiven(flag.name)) continue;
    settings.*std::get<std::string Settings::*>(flag.field) = "";
  }
}

}  // namespace

bool HasRounds(const Settings& settings) {
  return settings.quick || settings.publish || settings.given.contains("repeat");
}

bool HasVerdicts(const Settings& settings) {
  return HasRounds(settings) || settings.precision != 0;
}

Status CheckRoomForSlices(const Plan& plan, Known& known) {
  const Settings& settings = plan.first().settings;
  if (settings.slices != "on" || settings.use_existing_db || settings.space_guard != "refuse") {
    return Status::Ok();
  }
  return CheckDisk(plan.variants, true, known);
}

namespace {

// Whether the disk has room for all stores of a round at once.
bool HaveRoomAtOnce(const Plan& plan, Known& known) {
  return plan.first().settings.space_guard == "off" || CheckDisk(plan.variants, true, known).ok();
}

bool AreBuildsOfOneEngine(const Plan& plan) {
  const std::vector<ProbeReply>& engines = plan.first().engines;
  return plan.variants.size() == 1 && std::ranges::all_of(engines, [&](const ProbeReply& engine) {
           return IsBaseline(engine) ||
                  EngineName(engine.engine) == EngineName(engines.front().engine);
         });
}

}  // namespace

StatusOr<Plan> PreferSlices(Plan plan, Known& known) {
  const Settings& settings = plan.first().settings;
  const bool has_one_place = settings.IsGiven("single_db") && settings.single_db;
  const StatusOr<LoadAsked> load = LoadOf(settings);
  const bool is_closed = load.ok() && load->kind == LoadAsked::Kind::kClosed;
  if (settings.slices != "auto" || !AreBuildsOfOneEngine(plan) || has_one_place ||
      !settings.report_file.empty() || !plan.first().stores.empty() || !is_closed ||
      std::ranges::none_of(plan.first().phases, CanBeSliced)) {
    return plan;
  }
  uint64_t memory = 0;
  for (const PlannedVariant& variant : plan.variants) {
    const Settings& its = variant.settings;
    const auto bytes_of = [](const std::string& text) {
      const StatusOr<uint64_t> bytes = ParseBytes(text);
      return bytes.ok() ? *bytes : 0;
    };
    for (const ProbeReply& engine : variant.engines) {
      if (!engine.status.ok()) continue;
      memory += its.memory != 0 ? its.memory
                                : NeededMemoryBytes(variant.phases) + bytes_of(its.cache_size) +
                                      2 * bytes_of(its.write_buffer_size);
    }
  }
  ASSIGN_OR_RETURN(const MachineFacts machine, known.Machine());
  if (memory > machine.memory_available_bytes || !HaveRoomAtOnce(plan, known)) return plan;
  for (PlannedVariant& variant : plan.variants) variant.settings.slices = "on";
  return plan;
}

namespace {

// Resolves flags that act together into single settings.
Status ResolveSettings(Settings& settings, Known& known) {
  if (!settings.arguments.empty()) {
    return Status::Usage(fmt::format("{}: run takes flags only, like --engine=leveldb",
                                     Quote(settings.arguments.front())));
  }
  ApplyYardstick(settings);
  RETURN_IF_ERROR(ResolveRate(settings, known));
  RETURN_IF_ERROR(CheckFlags(settings));
  ApplyClassOfOriginal(settings);
  if (!settings.cpus.empty()) {
    ASSIGN_OR_RETURN(const MachineFacts machine, known.Machine());
    RETURN_IF_ERROR(CheckProcessors(settings.cpus, machine.processors));
  }
  ApplyKindOfSettings(settings);
  ApplyRoundNames(settings);
  RETURN_IF_ERROR(CheckMostRounds(settings));
  RETURN_IF_ERROR(ApplyMemoryBudget(settings));
  if (settings.memory > 0) {
    RETURN_IF_ERROR(known.Found(MachineCheck::kMemoryLimit));
  }
  ResolveKeys(settings);
  return Status::Ok();
}

// The existing stores. Their key format may go into `settings`.
StatusOr<std::vector<ExistingStore>> StoresThatAreThere(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings, Known& known) {
  StatusOr<std::vector<ExistingStore>> stores =
      FindExistingStores(engines, plugins, settings, known);
  if (!stores.ok()) return stores;
  for (const ExistingStore& store : *stores) {
    RETURN_IF_ERROR(known.Found(MachineCheck::kNotRedirected, store.path));
  }
  return stores;
}

Status DecideAccessToAll(const Settings& settings, PlannedVariant& plan, Known& known) {
  for (ExistingStore& store : plan.stores) {
    const auto engine = std::ranges::find(plan.engines, store.engine, &ProbeReply::engine);
    if (engine == plan.engines.end() || !engine->status.ok()) continue;
    RETURN_IF_ERROR(DecideAccessTo(settings, plan.phases, store, *engine, known));
  }
  return Status::Ok();
}

// An engine that cannot do what was asked becomes a row with a reason, if another engine can.
Status CheckThatOneCan(const Settings& settings, const std::vector<ProbeReply>& engines) {
  const bool a_store_runs = std::ranges::any_of(
      engines, [&](const ProbeReply& engine) { return engine.status.ok() && !IsBaseline(engine); });
  const bool only_baselines = std::ranges::all_of(
      engines, [&](const ProbeReply& engine) { return engine.status.ok() && IsBaseline(engine); });
  for (const ProbeReply& engine : engines) {
    if (!a_store_runs && !only_baselines && !engine.status.ok()) return engine.status;
  }
  for (const ProbeReply& engine : engines) {
    if (engine.engine != settings.yardstick || engine.status.ok()) continue;
    return Status::Usage(
        fmt::format("--yardstick={}: {}", settings.yardstick, engine.status.message()));
  }
  // If an engine refuses one of its own options, that is a mistake, even if others run.
  for (const ProbeReply& engine : engines) {
    const bool has_own = settings.engine_options.contains(EngineName(engine.engine));
    if (has_own && engine.status.kind() == ErrorKind::kUsage) return engine.status;
  }
  return Status::Ok();
}

// Where the run would write lies in nobody's store. --db itself may be one.
Status CheckOutputs(const Settings& settings, Known& known) {
  const std::pair<std::string_view, const std::string&> outputs[] = {
      {"--results", settings.results},
      {"--report_file", settings.report_file},
      {"--record", settings.record},
      {"--backup_dir", settings.backup_dir},
      {"--restore_dir", settings.restore_dir}};
  for (const auto& [flag, path] : outputs) {
    if (path.empty()) continue;
    RETURN_IF_ERROR(CheckOutsideStores(flag, path, /*may_be_one=*/false, known));
  }
  if (settings.db.empty() || settings.use_existing_db) return Status::Ok();
  return CheckOutsideStores("--db", settings.db, /*may_be_one=*/true, known);
}

// The engines that `all` leaves out, because they run only when named.
StatusOr<std::vector<std::string>> RunByName(const Settings& settings,
                                             const std::vector<std::string>& plugins,
                                             Known& known) {
  std::vector<std::string> names;
  if (("," + settings.engine + ",").find(",all,") == std::string::npos) return names;
  ASSIGN_OR_RETURN(const std::vector<ProbeReply> engines, known.Engines(plugins, nullptr));
  for (const ProbeReply& engine : engines) {
    if (engine.is_loaded && engine.description.Has(LF_BY_NAME)) names.push_back(engine.engine);
  }
  return names;
}

// A trace is of one run, and is nobody's yet.
Status CheckRecord(const Settings& settings, const std::vector<std::string>& engines,
                   Known& known) {
  if (settings.record.empty()) return Status::Ok();
  if (engines.size() != 1) {
    return Status::Usage(
        fmt::format("--record={}: a trace is of one run, and {} engines are asked for; record one, "
                    "and replay that on the others",
                    Printable(settings.record), engines.size()));
  }
  ASSIGN_OR_RETURN(const PlaceFacts place, known.Place(settings.record));
  if (place.is_missing) {
    const size_t slash = settings.record.rfind('/');
    const std::string directory =
        slash == settings.record.npos ? "." : settings.record.substr(0, slash + 1);
    ASSIGN_OR_RETURN(const PlaceFacts around, known.Place(directory));
    const std::string& why =
        around.why_not_seen.empty() ? around.why_not_writable : around.why_not_seen;
    if (why.empty()) return Status::Ok();
    return Status::Usage(fmt::format("--record={}: cannot be made in {}: {}",
                                     Printable(settings.record), Printable(directory), why));
  }
  return Status::Usage(fmt::format("--record={}: {}", Printable(settings.record),
                                   place.why_not_seen.empty()
                                       ? "is there already; name another file, or remove it"
                                       : place.why_not_seen));
}

// Baselines run last. `all` names no order: the newest libraries run first, which most people came
// for, and whose first figures come soon (Berkeley DB, of 2013, fills a million keys for 15 s).
void PutInOrder(std::vector<ProbeReply>& engines, const Settings& settings) {
  const bool is_named =
      settings.engine != "all" || !settings.against.empty() || !settings.yardstick.empty();
  std::ranges::stable_sort(engines, std::greater<>(), [&](const ProbeReply& engine) {
    const bool is_baseline = engine.is_loaded && IsBaseline(engine);
    return std::pair(!is_baseline,
                     is_named ? std::string() : std::string(engine.description.Fact("released")));
  });
}

StatusOr<PlannedVariant> PlanVariant(const VariedSettings& varied, Known& known) {
  Settings settings = varied.settings;
  RETURN_IF_ERROR(ResolveSettings(settings, known));
  StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(settings, known);
  if (!phases.ok()) return phases.status();
  const StatusOr<std::vector<std::string>> found = known.PlugIns();
  if (!found.ok()) return Status::Usage(found.status().message());
  const std::vector<std::string>& plugins = *found;
  RETURN_IF_ERROR(CheckOutputs(settings, known));
  ASSIGN_OR_RETURN(const std::vector<std::string> by_name, RunByName(settings, plugins, known));
  ASSIGN_OR_RETURN(const std::vector<std::string> engines, PlanEngines(settings, plugins, by_name));
  RETURN_IF_ERROR(CheckRecord(settings, engines, known));
  RETURN_IF_ERROR(CheckEngineOptionNames(settings, engines));
  RETURN_IF_ERROR(CheckFileSystem(settings, NeededDiskBytes(settings, *phases)));
  std::vector<ExistingStore> stores;
  if (settings.use_existing_db) {
    ASSIGN_OR_RETURN(stores, StoresThatAreThere(engines, plugins, settings, known));
    phases = PlanPhases(settings, known);  // With the key format of the stores.
    if (!phases.ok()) return phases.status();
  } else {
    RETURN_IF_ERROR(CheckPlaceOfNewStores(settings, engines, plugins, known));
  }
  ASSIGN_OR_RETURN(std::vector<ProbeReply> replies, known.Engines(engines, &settings));
  PlannedVariant plan{.variant = varied.variant,
                      .settings = settings,
                      .phases = std::move(*phases),
                      .engines = std::move(replies),
                      .stores = std::move(stores)};
  for (ProbeReply& engine : plan.engines) {
    if (engine.status.ok()) engine.status = CheckMemoryLimit(engine, settings, plan.phases);
  }
  RETURN_IF_ERROR(DecideAccessToAll(settings, plan, known));
  RETURN_IF_ERROR(CheckThatOneCan(settings, plan.engines));
  RETURN_IF_ERROR(CheckRoom(plan, known));
  PutInOrder(plan.engines, settings);
  return plan;
}

// Other engines ignore an engine's own option: they run with its first value alone.
bool Concerns(const PlannedVariant& variant, const std::string& engine,
              const PlannedVariant& first) {
  const std::string base = EngineName(engine);
  for (size_t i = 0; i < variant.variant.settings.size(); ++i) {
    const auto& [name, value] = variant.variant.settings[i];
    const size_t dot = name.find('.');
    const bool is_of_another = dot != std::string::npos && name.substr(0, dot) != base;
    if (is_of_another && first.variant.settings[i].second != value) return false;
  }
  return true;
}

// Each variant meets an existing store as the previous one left it.
Status CheckVariedStores(const Plan& plan) {
  if (plan.variants.size() == 1) return Status::Ok();
  const Settings& settings = plan.first().settings;
  for (const char* const name : {"single_db", "keep"}) {
    if (!settings.given.contains(name)) continue;
    return Status::Usage(
        fmt::format("--{} with --vary: each variant has a fresh store of its own; leave one of "
                    "them out",
                    name));
  }
  for (const PlannedPhase& phase : plan.first().phases) {
    const bool writes = std::ranges::any_of(
        phase.workload.roles, [](const Role& role) { return role.operation->writes(); });
    if (!settings.use_existing_db || !writes) continue;
    return Status::Usage(
        fmt::format("--use_existing_db with --vary: {} writes, and each variant would meet what "
                    "the one before it has left; let it only read, or leave one of them out",
                    phase.workload.name));
  }
  return Status::Ok();
}

// A file system that this machine cannot make becomes a row with the reason, if another one can be
// made.
Status CheckFileSystems(Plan& plan, Known& known) {
  std::vector<std::string> reasons;
  for (PlannedVariant& variant : plan.variants) {
    ASSIGN_OR_RETURN(const std::string why, WhyNoRunFileSystem(variant.settings, known));
    if (why.empty()) continue;
    reasons.push_back(why);
    for (ProbeReply& engine : variant.engines) {
      if (engine.status.ok()) engine.status = Status::Usage(why);
    }
  }
  return reasons.size() < plan.variants.size() ? Status::Ok() : Status::Usage(reasons.front());
}

}  // namespace

StatusOr<Plan> MakePlan(const Settings& settings, Known& known) {
  ASSIGN_OR_RETURN(const std::vector<VariedSettings> varied, Vary(settings));
  Plan plan{.command = "", .variants = {}};
  for (const VariedSettings& one : varied) {
    StatusOr<PlannedVariant> variant = PlanVariant(one, known);
    if (known.HasOpen()) continue;  // The questions of all variants are answered at once.
    if (!variant.ok()) {
      if (one.variant.name.empty()) return variant.status();
      const std::string said =
          fmt::format("with {}: {}", one.variant.name, variant.status().message());
      return variant.status().kind() == ErrorKind::kUsage ? Status::Usage(said)
                                                          : Status::Failed(said);
    }
    if (!plan.variants.empty()) {
      std::erase_if(variant->engines, [&](const ProbeReply& engine) {
        return !Concerns(*variant, engine.engine, plan.first());
      });
    }
    plan.variants.push_back(std::move(*variant));
  }
  RETURN_IF_ERROR(known.CheckAll());
  RETURN_IF_ERROR(CheckVariedStores(plan));
  RETURN_IF_ERROR(CheckFileSystems(plan, known));
  RETURN_IF_ERROR(CheckRoomForSlices(plan, known));
  return plan;
}

StatusOr<Plan> MakePlan(const Settings& settings, const Facts& facts) {
  std::vector<OpenQuestion> open;
  Known known(facts, open);
  StatusOr<Plan> plan = MakePlan(settings, known);
  return known.HasOpen() ? known.CheckAll() : plan;
}

StatusOr<OverheadPlan> PlanOverheads(const Plan& plan, Known& known) {
  if (!plan.first().settings.price) return OverheadPlan();
  // They are the overhead.
  if (std::ranges::all_of(plan.first().engines, IsBaseline)) return OverheadPlan();
  OverheadPlan overhead{
      .settings = OverheadSettings(plan.first().settings), .phases = {}, .engines = {}};
  StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(overhead.settings, known);
  const StatusOr<std::vector<std::string>> plugins = known.PlugIns();
  if (!phases.ok()) return known.HasOpen() ? phases.status() : StatusOr(OverheadPlan());
  if (!plugins.ok()) return known.HasOpen() ? plugins.status() : StatusOr(OverheadPlan());
  overhead.phases = std::move(*phases);
  // Only operations of threads on a store have such an overhead.
  std::erase_if(overhead.phases, [](const PlannedPhase& phase) {
    return phase.workload.need == StoreNeed::kNone ||
           phase.workload.roles.front().operation->is_of_store();
  });
  std::vector<std::string> floors;
  for (const std::string_view floor : kBaselineEngines) {
    const bool is_there = std::ranges::find(*plugins, floor) != plugins->end();
    const bool runs_anyway = std::ranges::find(plan.first().engines, floor, &ProbeReply::engine) !=
                             plan.first().engines.end();
    if (is_there && !runs_anyway) floors.emplace_back(floor);
  }
  ASSIGN_OR_RETURN(overhead.engines, known.Engines(floors, &overhead.settings));
  return overhead;
}

}  // namespace levelfield
