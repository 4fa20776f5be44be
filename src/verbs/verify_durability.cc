#include "verbs/verify_durability.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/sealed_json.h"
#include "driver/supervisor.h"
#include "durability/crash_cell.h"
#include "durability/crash_record.h"
#include "plan/plan.h"
#include "process/interrupts.h"
#include "report/durability_page.h"
#include "verbs/durability_flags.h"
#include "verbs/make_plan.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The rows of a class: kills, and for each way and file system its share of the power cuts.
std::vector<std::pair<CrashCell, uint64_t>> CellsOf(const DurabilityAsked& asked,
                                                    const CrashCell& of_class) {
  std::vector<std::pair<CrashCell, uint64_t>> cells;
  for (const std::string& fault : asked.faults) {
    CrashCell cell = of_class;
    cell.fault = fault;
    if (fault == "kill") {
      cells.emplace_back(cell, asked.kills);
      continue;
    }
    cell.eats_flushes = asked.eats_flushes;
    std::vector<CrashCell> ways;
    for (const std::string& method : asked.cut_methods) {
      for (const std::string& file_system : asked.file_systems) {
        // Its shutdown call does not exist.
        if (method == "shutdown" && file_system == "btrfs") continue;
        cell.cut_method = method;
        cell.file_system = file_system;
        ways.push_back(cell);
      }
    }
    const uint64_t share = ways.empty() ? 0 : (asked.cuts + ways.size() - 1) / ways.size();
    for (const CrashCell& way : ways) cells.emplace_back(way, share);
  }
  return cells;
}

// An engine's class, as the plug-in claims it and as it is opened.
struct PlannedClass {
  CrashCell cell;
  SettingList settings;
};

struct DurabilityPlan {
  std::vector<PlannedClass> classes;
  Json engines = Json::array();  // Descriptions.
};

StatusOr<DurabilityPlan> PlanClasses(const DurabilityAsked& asked) {
  ASSIGN_OR_RETURN(const std::vector<std::string> plugins, FindPlugins());
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(asked.settings, plugins, FindRunByName(asked.settings, plugins));
  if (!engines.ok()) return engines.status();
  RETURN_IF_ERROR(CheckEngineOptionNames(asked.settings, *engines));
  std::vector<ProbeRequest> requests;
  for (const std::string& engine : *engines) {
    requests.push_back(
        {.engine = engine, .options = OptionsFor(engine, asked.settings), .durability = ""});
  }
  const bool is_all = asked.settings.engine == "all";
  DurabilityPlan plan;
  for (const ProbeReply& engine : ProbeEngines(requests)) {
    if (!engine.status.ok()) return engine.status;
    // A floor keeps nothing and claims nothing, so it is tried where it is named only.
    if (is_all && engine.description.Has(LF_FLOOR)) continue;
    plan.engines.push_back(ToJson(engine.description));
    for (const std::string& name : asked.classes) {
      const DurabilityDescription* const durability = engine.description.FindDurability(name);
      if (durability == nullptr || durability->level == LF_REFUSED) continue;
      PlannedClass& planned = plan.classes.emplace_back();
      planned.cell.engine = engine.engine;
      planned.cell.durability = name;
      planned.cell.claimed = LevelName(durability->level);
      planned.cell.deviation = engine.description.DeviationOf(name);
      planned.settings = engine.options.settings;
    }
  }
  if (plan.classes.empty()) {
    return Status::Usage("none of these engines has any of these classes of durability");
  }
  return plan;
}

// Where stores, images and mounts are made: a directory of our own, removed when this ends.
class Scratch {
 public:
  static StatusOr<Scratch> Make(const std::string& parent) {
    ASSIGN_OR_RETURN(std::string path, MakeNewDirectory(parent + "/durability-stores"));
    std::error_code error;
    Scratch scratch(fs::absolute(path, error));
    if (!error) return scratch;
    return Status::Failed(fmt::format("{}: cannot find it: {}", Printable(path), error.message()));
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Tries one cell; what could not be tried is recorded as skipped.
Status TryOne(const DurabilityAsked& asked, const PlannedClass& planned, const CrashCell& cell,
              uint64_t states, const std::string& scratch, CrashRecord& record) {
  const std::string why_not = WhyNotTried(cell);
  if (!why_not.empty()) {
    return record.Add(CrashSkip{.cell = cell, .count = states, .reason = why_not});
  }
  const std::string place =
      cell.fault == "kill" ? "" : fmt::format(", {}, {}", cell.cut_method, cell.file_system);
  Print(stderr, fmt::format("{} {}: {} times {}{}\n", Printable(cell.engine), cell.durability,
                            states, cell.fault, place));
  uint64_t done = 0;
  const CellPlan plan = {.cell = cell,
                         .settings = planned.settings,
                         .states = states,
                         .seed = asked.settings.seed,
                         .value_bytes = static_cast<uint32_t>(asked.settings.value_size),
                         .threads = asked.threads,
                         .survives = asked.survives,
                         .patience_seconds = asked.settings.stall,
                         .scratch = scratch};
  const Status status = TryCell(plan, [&](const CrashState& state) {
    ++done;
    return record.Add(state);
  });
  if (status.ok() || status.kind() == ErrorKind::kInterrupted) return status;
  std::string reason = status.message();
  for (size_t at = 0; (at = reason.find(scratch, at)) != std::string::npos;) {
    reason.replace(at, scratch.size(), "<scratch>");
  }
  return record.Add(CrashSkip{.cell = cell, .count = states - done, .reason = reason});
}

Status TryAll(const DurabilityAsked& asked, const DurabilityPlan& plan, CrashRecord& record) {
  ASSIGN_OR_RETURN(const Scratch scratch,
                   Scratch::Make(asked.settings.db.empty() ? record.path() : asked.settings.db));
  for (const PlannedClass& planned : plan.classes) {
    for (const auto& [cell, states] : CellsOf(asked, planned.cell)) {
      RETURN_IF_ERROR(TryOne(asked, planned, cell, states, scratch.path(), record));
    }
  }
  return Status::Ok();
}

StatusOr<std::string> TextOf(const DurabilityAsked& asked, const CrashRecord& record) {
  const std::vector<CrashRow> rows = RowsOf(record.states());
  if (asked.format == "markdown") return RenderDurabilityPage({record.manifest()}, rows);
  if (asked.format == "table") {
    return RenderDurabilityTable(rows) + "results: " + Printable(record.path()) + "\n";
  }
  std::string lines;
  for (const CrashState& state : record.states().states)
    lines += JsonText(ToJson(state), -1, Letters::kAscii) + "\n";
  for (const CrashSkip& skip : record.states().skips)
    lines += JsonText(ToJson(skip), -1, Letters::kAscii) + "\n";
  return lines;
}

}  // namespace

Answer VerifyDurability(const Words& words) {
  const StatusOr<DurabilityAsked> asked = ParseDurability(words);
  if (!asked.ok()) return Failure(asked.status());
  const StatusOr<DurabilityPlan> plan = PlanClasses(*asked);
  if (!plan.ok()) return Failure(plan.status());
  StatusOr<CrashRecord> record = CrashRecord::Create(
      asked->settings.results, {.command = Typed("levelfield verify durability", words),
                                .seed = asked->settings.seed,
                                .engines = plan->engines,
                                .store_path = asked->settings.db});
  if (!record.ok()) return Failure(record.status());
  InstallInterruptHandlers();
  Answer answer{.text = "", .status = TryAll(*asked, *plan, *record)};
  const StatusOr<std::string> text = TextOf(*asked, *record);
  if (text.ok()) answer.text = *text;
  if (answer.status.ok()) answer.status = text.status();
  answer.exit_code = ExitCodeOf(RowsOf(record->states()));
  return answer;
}

bool HasDurability(const std::string& directory) { return HasCrashStates(directory); }

Answer ReportDurability(const std::string& directory) {
  const StatusOr<CrashStates> states = CrashStatesIn(directory);
  if (!states.ok()) return Failure(states.status());
  const std::vector<CrashRow> rows = RowsOf(*states);
  return {.text = RenderDurabilityTable(rows), .exit_code = ExitCodeOf(rows)};
}

Answer DurabilityPage(const Words& directories) {
  std::vector<Json> manifests;
  CrashStates all;
  for (const std::string& path : directories) {
    const StatusOr<CrashStates> states = CrashStatesIn(path);
    if (!states.ok()) return Failure(states.status());
    all.states.insert(all.states.end(), states->states.begin(), states->states.end());
    all.skips.insert(all.skips.end(), states->skips.begin(), states->skips.end());
    const StatusOr<std::string> text = ReadSealedFile(path + "/manifest.json");
    if (!text.ok()) return Failure(text.status());
    StatusOr<Json> manifest = ParseBoundedJson(*text);
    if (!manifest.ok() || !manifest->is_object()) {
      return Failure(Status::Failed(path + "/manifest.json: does not read"));
    }
    manifests.push_back(std::move(*manifest));
  }
  StatusOr<std::string> page = RenderDurabilityPage(manifests, RowsOf(all));
  return page.ok() ? Answer{.text = std::move(*page)} : Failure(page.status());
}

}  // namespace levelfield
