#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/sealed_json.h"
#include "base/status.h"
#include "base/text.h"
#include "base/units.h"
#include "driver/supervisor.h"
#include "durability/crash_cell.h"
#include "durability/crash_record.h"
#include "plan/plan.h"
#include "process/process.h"
#include "report/durability_page.h"
#include "settings/settings.h"
#include "verbs/make_plan.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// The command line of `levelfield verify durability`: its own flags, and those of other verbs that
// it takes. A mistake is told before anything is created.

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

std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// The values of those flags; of several mistakes the first one is kept.
class OwnValues {
 public:
  OwnValues() {
    for (const OwnFlag& flag : kOwnFlags) texts_[std::string(flag.name)] = flag.value;
  }

  std::string* Find(const std::string& flag) {
    const auto it = texts_.find(flag);
    return it == texts_.end() ? nullptr : &it->second;
  }
  const Status& status() const { return status_; }

  std::vector<std::string> Names(std::string_view flag) {
    const std::vector<std::string> accepted =
        Split(std::ranges::find(kOwnFlags, flag, &OwnFlag::name)->accepted, ',');
    if (Text(flag) == "all") return accepted;
    const std::vector<std::string> names = NamesIn(Text(flag));
    for (const std::string& name : names) {
      if (std::ranges::find(accepted, name) != accepted.end()) continue;
      Refuse(fmt::format("--{}: {} is none of {}{}", flag, Quote(name), fmt::join(accepted, ", "),
                         DidYouMean(name, accepted)));
    }
    return names;
  }

  uint64_t Count(std::string_view flag, uint64_t most) { return Counts(flag, Text(flag), most); }

  std::vector<uint32_t> CountsIn(std::string_view flag, uint32_t most) {
    std::vector<uint32_t> counts;
    for (const std::string& text : NamesIn(Text(flag))) {
      counts.push_back(static_cast<uint32_t>(Counts(flag, text, most)));
    }
    return counts;
  }

  std::vector<double> Chances(std::string_view flag) {
    std::vector<double> chances;
    for (const std::string& text : NamesIn(Text(flag))) {
      double& chance = chances.emplace_back(-1);
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, chance);
      if (error == std::errc() && stop == end && chance >= 0 && chance <= 1) continue;
      Refuse(fmt::format("--{}={}: numbers from 0 to 1 are accepted, as in 0,0.3,0.7,1", flag,
                         Text(flag)));
    }
    return chances;
  }

  bool Switch(std::string_view flag) {
    const StatusOr<bool> value = ParseFlag(Text(flag));
    if (!value.ok()) Refuse(value.status().message());
    return value.ok() && *value;
  }

 private:
  const std::string& Text(std::string_view flag) const { return texts_.at(std::string(flag)); }

  uint64_t Counts(std::string_view flag, const std::string& text, uint64_t most) {
    const StatusOr<uint64_t> count = ParseCount(text);
    if (count.ok() && *count >= 1 && *count <= most) return *count;
    Refuse(fmt::format("--{}={}: a number from 1 to {} is accepted", flag, text, most));
    return 1;
  }

  void Refuse(std::string message) {
    if (status_.ok()) status_ = Status::Usage(std::move(message));
  }

  std::map<std::string, std::string> texts_;
  Status status_ = Status::Ok();
};

// Takes the flags of this verb out of the words, `--flag=value` or `--flag value`.
Status TakeOwn(Words& words, OwnValues& values) {
  Words rest;
  std::set<std::string> given;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.starts_with("--") ? word.substr(2, equals - 2) : "";
    std::string* const value = values.Find(name);
    if (value == nullptr) {
      rest.push_back(word);
      continue;
    }
    if (!given.insert(name).second) {
      return Status::Usage(fmt::format("--{}: is given twice", name));
    }
    if (equals != std::string::npos) {
      *value = word.substr(equals + 1);
    } else if (name == "eat_flushes") {
      *value = "1";
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      *value = words[++i];
    } else {
      return Status::Usage(fmt::format("--{}: needs a value; {}", name, Usage()));
    }
  }
  words = std::move(rest);
  return Status::Ok();
}

// `words` are those behind `verify durability`.
StatusOr<DurabilityAsked> ParseDurability(Words words) {
  OwnValues own;
  RETURN_IF_ERROR(TakeOwn(words, own));
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words));
  if (!settings.arguments.empty()) {
    return Status::Usage(
        fmt::format("{}: is no flag; {}", Quote(settings.arguments.front()), Usage()));
  }
  const std::string_view other =
      GivenBeside(settings, {"engine", "seed", "value_size", "db", "results", "stall"});
  if (!other.empty()) {
    return Status::Usage(fmt::format("--{}: means nothing here; {}", other, Usage()));
  }
  if (settings.value_size < 16 || settings.value_size > 25'000) {
    return Status::Usage(
        "--value_size: 16 to 25000 is accepted: a value names its commit in 16 bytes, and one of "
        "eight is forty times as long");
  }
  DurabilityAsked asked;
  asked.settings = std::move(settings);
  asked.classes = own.Names("durability");
  asked.faults = own.Names("faults");
  asked.file_systems = own.Names("fs");
  asked.cut_methods = own.Names("cut_method");
  (void)own.Names("format");
  asked.kills = own.Count("kills", 100'000);
  asked.cuts = own.Count("cuts", 100'000);
  asked.survives = own.Chances("survives");
  asked.eats_flushes = own.Switch("eat_flushes");
  asked.threads = own.CountsIn("threads", 64);
  if (!own.status().ok()) return own.status();
  asked.format = *own.Find("format");
  if (asked.eats_flushes) asked.cut_methods = {"volatile"};  // The other disk has no cache.
  return asked;
}

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
    // A baseline engine keeps nothing and claims nothing, so it is tried where it is named only.
    if (is_all && engine.description.Has(LF_FLOOR)) continue;
    if (i % asked.classes.size() == 0) plan.engines.push_back(ToJson(engine.description));
    const DurabilityDescription* const durability = engine.description.FindDurability(name);
    if (durability == nullptr || durability->level == LF_REFUSED) continue;
    if (!engine.status.ok()) return engine.status;
    PlannedClass& planned = plan.classes.emplace_back();
    planned.cell.engine = engine.engine;
    planned.cell.durability = name;
    planned.cell.claimed = LevelName(durability->level);
    planned.cell.deviation = engine.description.DeviationOf(name);
    planned.settings = engine.options.settings;
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

const OwnFlags kFlagsOfDurability = {"durability", kOwnFlags};

Answer VerifyDurability(const Words& words) {
  ASSIGN_OR_RETURN(const DurabilityAsked asked, ParseDurability(words));
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
    const StatusOr<CrashStates> states = CrashStatesIn(path);
    if (!states.ok()) return states.status();
    all.states.insert(all.states.end(), states->states.begin(), states->states.end());
    all.skips.insert(all.skips.end(), states->skips.begin(), states->skips.end());
    ASSIGN_OR_RETURN(const std::string text, ReadSealedFile(path + "/manifest.json"));
    StatusOr<Json> manifest = ParseBoundedJson(text);
    if (!manifest.ok() || !manifest->is_object()) {
      return Status::Failed(path + "/manifest.json: does not read");
    }
    manifests.push_back(std::move(*manifest));
  }
  return RenderDurabilityPage(manifests, RowsOf(all));
}

}  // namespace levelfield
