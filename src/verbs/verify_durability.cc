#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/removal.h"
#include "base/status.h"
#include "base/text.h"
#include "base/units.h"
#include "driver/supervisor.h"
#include "durability/crash_cell.h"
#include "durability/crash_record.h"
#include "engine/places.h"
#include "facts/ask_engines.h"
#include "facts/facts_here.h"
#include "plan/engine_requests.h"
#include "plan/plan.h"
#include "process/process.h"
#include "report/durability_page.h"
#include "result/result_files.h"
#include "settings/settings.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// The command line of `levelfield verify durability`: its own flags, and some of other verbs.
// Mistakes are found before anything is created.

struct DurabilityAsked {
  Settings settings;
  std::vector<std::string> classes;
  std::vector<std::string> faults;
  std::vector<std::string> file_systems;
  std::vector<std::string> cut_methods;
  std::vector<double> survives;
  std::vector<uint32_t> threads;
  uint64_t kills = 0;
  uint64_t cuts = 0;
  bool eats_flushes = false;
  std::string format = "table";
};

constexpr OwnFlag kOwnFlags[] = {
    {"durability", "process,synced", "Classes to try, of those that the engine has",
     "none,process,synced"},
    {"faults", "kill,power", "What befalls the writer: kill -9, or a cut of the power",
     "kill,power"},
    {"kills", "50", "Kills for each class of each engine"},
    {"cuts", "30", "Power cuts for each class of each engine"},
    {"cut_method", "shutdown,volatile",
     "How power is cut: for the file system, or for the disk's cache", "shutdown,volatile"},
    {"survives", "0,0.3,0.7,1", "Chances of an unflushed sector; one is drawn for each cut"},
    {"eat_flushes", "0", "The control: a disk that acknowledges flushes and does nothing"},
    {"fs", "ext4,xfs,btrfs", "File systems whose power is cut; also ext3 and ext2",
     "ext4,xfs,btrfs,ext3,ext2"},
    {"threads", "1,4", "Numbers of writing threads, in turn"},
    {"format", "table", "table, json or markdown", "table,json,markdown"}};

std::string Usage() {
  std::string text = "levelfield verify durability [--engine=all]";
  for (const OwnFlag& flag : kOwnFlags) text += fmt::format(" [--{}={}]", flag.name, flag.value);
  return text +
         " [--value_size=100] [--seed=1] [--db=DIR] [--results=DIR] [--stall=30] and options of "
         "engines";
}

const OwnFlag& FlagOf(std::string_view name) {
  return *std::ranges::find(kOwnFlags, name, &OwnFlag::name);
}

StatusOr<std::string> TakeText(std::string_view name, Words& words) {
  return TakeFlag(name, FlagOf(name).value, words);
}

StatusOr<Words> TakeNames(std::string_view flag, Words& words) {
  ASSIGN_OR_RETURN(const std::string text, TakeText(flag, words));
  Words accepted = Split(FlagOf(flag).accepted, ',');
  if (text == "all") return accepted;
  Words names = Parts(text, ',');
  for (const std::string& name : names) {
    if (std::ranges::find(accepted, name) != accepted.end()) continue;
    return Status::Usage(fmt::format("--{}: {} is none of {}{}", flag, Quote(name),
                                     fmt::join(accepted, ", "), DidYouMean(name, accepted)));
  }
  return names;
}

StatusOr<uint64_t> CountIn(std::string_view flag, const std::string& text, uint64_t most) {
  const StatusOr<uint64_t> count = ParseCount(text);
  if (count.ok() && *count >= 1 && *count <= most) return count;
  return Status::Usage(fmt::format("--{}={}: a number from 1 to {} is accepted", flag, text, most));
}

StatusOr<uint64_t> TakeCount(std::string_view flag, Words& words) {
  ASSIGN_OR_RETURN(const std::string text, TakeText(flag, words));
  return CountIn(flag, text, 100'000);
}

StatusOr<std::vector<uint32_t>> TakeThreads(Words& words) {
  ASSIGN_OR_RETURN(const std::string text, TakeText("threads", words));
  std::vector<uint32_t> threads;
  for (const std::string& part : Parts(text, ',')) {
    ASSIGN_OR_RETURN(const uint64_t count, CountIn("threads", part, 64));
    threads.push_back(static_cast<uint32_t>(count));
  }
  return threads;
}

StatusOr<std::vector<double>> TakeChances(std::string_view flag, Words& words) {
  ASSIGN_OR_RETURN(const std::string text, TakeText(flag, words));
  std::vector<double> chances;
  for (const std::string& part : Parts(text, ',')) {
    chances.push_back(WholeNumber<double>(part).value_or(-1));
    if (chances.back() >= 0 && chances.back() <= 1) continue;
    return Status::Usage(
        fmt::format("--{}={}: numbers from 0 to 1 are accepted, as in 0,0.3,0.7,1", flag, text));
  }
  return chances;
}

// `words` follow `verify durability`.
StatusOr<DurabilityAsked> ParseDurability(Words words) {
  std::ranges::replace(words, std::string("--eat_flushes"), std::string("--eat_flushes=1"));
  DurabilityAsked asked;
  ASSIGN_OR_RETURN(asked.classes, TakeNames("durability", words));
  ASSIGN_OR_RETURN(asked.faults, TakeNames("faults", words));
  ASSIGN_OR_RETURN(asked.file_systems, TakeNames("fs", words));
  ASSIGN_OR_RETURN(asked.cut_methods, TakeNames("cut_method", words));
  ASSIGN_OR_RETURN(const Words formats, TakeNames("format", words));
  asked.format = formats.front();
  ASSIGN_OR_RETURN(asked.kills, TakeCount("kills", words));
  ASSIGN_OR_RETURN(asked.cuts, TakeCount("cuts", words));
  ASSIGN_OR_RETURN(asked.survives, TakeChances("survives", words));
  ASSIGN_OR_RETURN(asked.threads, TakeThreads(words));
  ASSIGN_OR_RETURN(const std::string eats_flushes, TakeText("eat_flushes", words));
  const StatusOr<bool> eats = ParseFlag(eats_flushes);
  if (!eats.ok()) {
    return Status::Usage(
        fmt::format("--eat_flushes={}: {}", eats_flushes, eats.status().message()));
  }
  asked.eats_flushes = *eats;
  if (asked.eats_flushes) asked.cut_methods = {"volatile"};  // The other kind of disk has no cache.
  ASSIGN_OR_RETURN(asked.settings, ParseSettings(words));
  RETURN_IF_ERROR(UseEnginesOf(asked.settings));
  if (!asked.settings.arguments.empty()) {
    return Status::Usage(
        fmt::format("{}: is no flag; {}", Quote(asked.settings.arguments.front()), Usage()));
  }
  const std::string_view other = GivenBeside(
      asked.settings, {"engine", "engines", "seed", "value_size", "db", "results", "stall"});
  if (!other.empty()) {
    return Status::Usage(fmt::format("--{}: means nothing here; {}", other, Usage()));
  }
  if (asked.settings.value_size < 16 || asked.settings.value_size > 25'000) {
    return Status::Usage(
        "--value_size: 16 to 25000 is accepted: a value names its commit in 16 bytes, and one of "
        "eight is forty times as long");
  }
  return asked;
}

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The rows of a class: kills, and a share of the power cuts for each way and file system.
std::vector<std::pair<CrashCell, uint64_t>> CellsOf(const DurabilityAsked& asked,
                                                    const CrashCell& of_class) {
  std::vector<std::pair<CrashCell, uint64_t>> cells;
  for (const std::string& fault : asked.faults) {
    CrashCell cell = of_class;
    cell.fault = *FromName<CrashFault>(fault);
    if (cell.fault == CrashFault::kKill) {
      cells.emplace_back(cell, asked.kills);
      continue;
    }
    cell.eats_flushes = asked.eats_flushes;
    std::vector<CrashCell> ways;
    for (const std::string& method : asked.cut_methods) {
      for (const std::string& file_system : asked.file_systems) {
        cell.cut_method = *FromName<PowerCut>(method);
        // btrfs has no shutdown call.
        if (cell.cut_method == PowerCut::kShutdown && file_system == "btrfs") continue;
        cell.file_system = file_system;
        ways.push_back(cell);
      }
    }
    const uint64_t share = ways.empty() ? 0 : (asked.cuts + ways.size() - 1) / ways.size();
    for (const CrashCell& way : ways) cells.emplace_back(way, share);
  }
  return cells;
}

// An engine's class: the plug-in's claim, and how it is opened.
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
  ASSIGN_OR_RETURN(const std::vector<std::string> engines,
                   PlanEngines(asked.settings, plugins, FindRunByName(asked.settings, plugins)));
  RETURN_IF_ERROR(CheckEngineOptionNames(asked.settings, engines));
  std::vector<ProbeRequest> requests;
  for (const std::string& engine : engines) {
    Settings settings = asked.settings;
    for (const std::string& name : asked.classes) {
      settings.durability = name;
      requests.push_back(RequestOf(engine, settings));
    }
  }
  const bool is_all = asked.settings.engine == "all";
  DurabilityPlan plan;
  const std::vector<ProbeReply> replies = ProbeEngines(requests);
  for (size_t i = 0; i < replies.size(); ++i) {
    const ProbeReply& engine = replies[i];
    const std::string& name = requests[i].durability;
    if (!engine.is_loaded) return engine.status;
    // A baseline engine stores and claims nothing, so it is tried only if it is named.
    if (is_all && engine.description.Has(LF_FLOOR)) continue;
    if (i % asked.classes.size() == 0) plan.engines.push_back(ToJson(engine.description));
    const DurabilityDescription* const durability = engine.description.FindDurability(name);
    if (durability == nullptr || durability->level == LF_REFUSED) continue;
    if (!engine.status.ok()) return engine.status;
    PlannedClass& planned = plan.classes.emplace_back();
    planned.cell.engine = engine.engine;
    planned.cell.durability = name;
    planned.cell.claimed = LevelOf(durability->level);
    planned.cell.deviation = engine.description.DeviationOf(name);
    planned.settings = engine.options.settings;
  }
  if (plan.classes.empty()) {
    return Status::Usage("none of these engines has any of these classes of durability");
  }
  return plan;
}

// The place for stores, images and mounts: a directory of our own, removed at the end.
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
    if (!path_.empty()) (void)RemoveAll(path_);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Tries one cell. States that could not be tried are recorded as skipped.
Status TryOne(const DurabilityAsked& asked, const PlannedClass& planned, const CrashCell& cell,
              uint64_t states, const std::string& scratch, CrashRecord& record) {
  const std::string why_not = WhyNotTried(cell);
  if (!why_not.empty()) {
    return record.Add(CrashSkip{.cell = cell, .count = states, .reason = why_not});
  }
  const std::string place =
      cell.fault == CrashFault::kKill
          ? ""
          : fmt::format(", {}, {}", NameOf(cell.cut_method), cell.file_system);
  Print(stderr, fmt::format("{} {}: {} times {}{}\n", Printable(cell.engine), cell.durability,
                            states, NameOf(cell.fault), place));
  CellPlan plan = {.cell = cell,
                   .settings = planned.settings,
                   .states = states,
                   .seed = asked.settings.seed,
                   .value_bytes = static_cast<uint32_t>(asked.settings.value_size),
                   .threads = asked.threads,
                   .survives = asked.survives,
                   .patience_seconds = asked.settings.stall,
                   .scratch = scratch};
  // A file system that cannot be mounted after one cut says nothing of the next cut. One that never
  // can ends the cell.
  constexpr uint64_t kMostFailuresInARow = 2;
  uint64_t failures_in_a_row = 0;
  while (plan.states > 0) {
    uint64_t done = 0;
    const Status status = TryCell(plan, [&](const CrashState& state) {
      ++done;
      return record.Add(state);
    });
    if (status.ok() || status.kind() == ErrorKind::kInterrupted) return status;
    std::string reason = status.message();
    for (size_t at = 0; (at = reason.find(scratch, at)) != std::string::npos;) {
      reason.replace(at, scratch.size(), "<scratch>");
    }
    failures_in_a_row = done == 0 ? failures_in_a_row + 1 : 1;
    const uint64_t left = plan.states - done;
    const uint64_t skipped = failures_in_a_row < kMostFailuresInARow ? 1 : left;
    RETURN_IF_ERROR(record.Add(CrashSkip{.cell = cell, .count = skipped, .reason = reason}));
    plan.states = left - skipped;
    plan.seed += done + skipped;
  }
  return Status::Ok();
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

const OwnFlags kFlagsOfDurability = {"durability", kOwnFlags};

Answer VerifyDurability(const Words& words) {
  ASSIGN_OR_RETURN(const DurabilityAsked asked, ParseDurability(words));
  RETURN_IF_ERROR(CheckOutsideStores("--results", asked.settings.results));
  ASSIGN_OR_RETURN(const DurabilityPlan plan, PlanClasses(asked));
  ASSIGN_OR_RETURN(CrashRecord record,
                   CrashRecord::Create(asked.settings.results,
                                       {.command = Typed("levelfield verify durability", words),
                                        .seed = asked.settings.seed,
                                        .engines = plan.engines,
                                        .store_path = asked.settings.db}));
  InstallInterruptHandlers();
  Answer answer(TryAll(asked, plan, record));
  const StatusOr<std::string> text = TextOf(asked, record);
  if (text.ok()) answer.text = *text;
  if (answer.status.ok()) answer.status = text.status();
  answer.exit_code = ExitCodeOf(RowsOf(record.states()));
  return answer;
}

bool HasDurability(const std::string& directory) { return HasCrashStates(directory); }

Answer ReportDurability(const std::string& directory) {
  ASSIGN_OR_RETURN(const CrashStates states, CrashStatesIn(directory));
  const std::vector<CrashRow> rows = RowsOf(states);
  return {RenderDurabilityTable(rows), ExitCodeOf(rows)};
}

Answer DurabilityPage(const Words& directories) {
  std::vector<Json> manifests;
  CrashStates all;
  for (const std::string& path : directories) {
    ASSIGN_OR_RETURN(const CrashStates states, CrashStatesIn(path));
    std::ranges::copy(states.states, std::back_inserter(all.states));
    std::ranges::copy(states.skips, std::back_inserter(all.skips));
    ASSIGN_OR_RETURN(Json manifest, ReadManifest(path));
    manifests.push_back(std::move(manifest));
  }
  return RenderDurabilityPage(manifests, RowsOf(all));
}

}  // namespace levelfield
