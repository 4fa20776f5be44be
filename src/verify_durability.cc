#include "verify_durability.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/atomic_file.h"
#include "base/nearest.h"
#include "base/new_directory.h"
#include "base/quote.h"
#include "base/units.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "durability/crash_cell.h"
#include "engine/common_options.h"
#include "make_plan.h"
#include "report/durability_page.h"
#include "result/environment.h"
#include "result/result_json.h"
#include "run/plan.h"
#include "run/supervisor.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kLinesName = "/durability.jsonl";
constexpr uint64_t kMostLinesBytes = uint64_t{64} << 20;

// The flags of this verb alone, with what applies where they are not given.
const std::map<std::string, std::string> kOwnFlags = {{"faults", "kill,power"},
                                                      {"kills", "50"},
                                                      {"cuts", "30"},
                                                      {"fs", "ext4,xfs"},
                                                      {"survives", "0,0.3,0.7,1"},
                                                      {"cut_method", "shutdown,volatile"},
                                                      {"eat_flushes", "0"}};
// Those of other verbs that it takes too.
const std::set<std::string> kTaken = {"engine", "durability", "threads", "seed", "value_size",
                                      "db",     "results",    "format",  "stall"};
constexpr const char* kUsage =
    "levelfield verify durability [--engine=all] [--durability=process,synced] "
    "[--faults=kill,power] [--kills=50] [--cuts=30] [--fs=ext4,xfs] "
    "[--cut_method=shutdown,volatile] [--survives=0,0.3,0.7,1] [--eat_flushes] [--threads=1,4] "
    "[--value_size=100] [--seed=1] [--db=DIR] [--results=DIR] [--stall=30] "
    "[--format=table|json|markdown] and options of engines";

struct Asked {
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
};

std::vector<std::string> NamesIn(const std::string& list) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// The names of a list, each of which has to be among these; `all` is all of them.
StatusOr<std::vector<std::string>> Chosen(const std::string& flag, const std::string& list,
                                          const std::vector<std::string>& accepted) {
  if (list == "all") return accepted;
  const std::vector<std::string> names = NamesIn(list);
  for (const std::string& name : names) {
    if (std::ranges::find(accepted, name) != accepted.end()) continue;
    const std::string nearest = NearestName(name, accepted);
    return Status::Usage(
        fmt::format("--{}: {} is none of {}{}", flag, Quote(name), fmt::join(accepted, ", "),
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  return names;
}

StatusOr<std::vector<double>> Chances(const std::string& list) {
  std::vector<double> chances;
  for (const std::string& text : NamesIn(list)) {
    double chance = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, chance);
    if (error != std::errc() || stop != end || !(chance >= 0 && chance <= 1)) {
      return Status::Usage(
          fmt::format("--survives={}: numbers from 0 to 1 are accepted, as in 0,0.3,0.7,1", list));
    }
    chances.push_back(chance);
  }
  return chances;
}

StatusOr<uint64_t> CountOf(const std::string& flag, const std::string& text, uint64_t least,
                           uint64_t most) {
  const StatusOr<uint64_t> count = ParseCount(text);
  if (count.ok() && *count >= least && *count <= most) return count;
  return Status::Usage(
      fmt::format("--{}={}: a number from {} to {} is accepted", flag, text, least, most));
}

// Takes the flags of this verb out of the words, `--flag=value` or `--flag value`.
Status TakeOwn(Words& words, std::map<std::string, std::string>& values) {
  Words rest;
  std::set<std::string> given;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    const std::string name = word.starts_with("--") ? word.substr(2, equals - 2) : "";
    if (!kOwnFlags.contains(name) && name != "threads") {
      rest.push_back(word);
      continue;
    }
    if (!given.insert(name).second) {
      return Status::Usage(fmt::format("--{}: is given twice", name));
    }
    if (equals != std::string::npos) {
      values[name] = word.substr(equals + 1);
    } else if (name == "eat_flushes") {
      values[name] = "1";
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      values[name] = words[++i];
    } else {
      return Status::Usage(fmt::format("--{}: needs a value; {}", name, kUsage));
    }
  }
  words = std::move(rest);
  return Status::Ok();
}

StatusOr<Asked> Parse(Words words) {
  std::map<std::string, std::string> own = kOwnFlags;
  own["threads"] = "1,4";
  if (const Status status = TakeOwn(words, own); !status.ok()) return status;
  StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  if (!settings->arguments.empty()) {
    return Status::Usage(
        fmt::format("{}: is no flag; {}", Quote(settings->arguments.front()), kUsage));
  }
  for (const Flag& flag : Flags()) {
    const std::string name(flag.name);
    if (!settings->given.contains(name) || kTaken.contains(name) || flag.engine_option) continue;
    return Status::Usage(fmt::format("--{}: means nothing here; {}", name, kUsage));
  }
  if (settings->value_size < 16 || settings->value_size > 25'000) {
    return Status::Usage(
        "--value_size: 16 to 25000 is accepted: a value names its commit in 16 bytes, and one of "
        "eight is forty times as long");
  }
  Asked asked;
  asked.settings = std::move(*settings);
  const std::string classes =
      asked.settings.given.contains("durability") ? asked.settings.durability : "process,synced";
  const auto choose = [&](const std::string& flag, const std::string& list,
                          const std::vector<std::string>& accepted,
                          std::vector<std::string>& chosen) {
    StatusOr<std::vector<std::string>> names = Chosen(flag, list, accepted);
    if (names.ok()) chosen = std::move(*names);
    return names.status();
  };
  std::vector<std::string> format;
  for (const Status& status :
       {choose("durability", classes, {kDurabilityClasses.begin(), kDurabilityClasses.end()},
               asked.classes),
        choose("faults", own["faults"], {"kill", "power"}, asked.faults),
        choose("fs", own["fs"], {"ext4", "xfs", "btrfs", "ext3", "ext2"}, asked.file_systems),
        choose("cut_method", own["cut_method"], {"shutdown", "volatile"}, asked.cut_methods),
        choose("format", asked.settings.format, {"table", "json", "markdown"}, format)}) {
    if (!status.ok()) return status;
  }
  const StatusOr<uint64_t> kills = CountOf("kills", own["kills"], 1, 100'000);
  const StatusOr<uint64_t> cuts = CountOf("cuts", own["cuts"], 1, 100'000);
  const StatusOr<std::vector<double>> survives = Chances(own["survives"]);
  const StatusOr<bool> eats_flushes = ParseFlag(own["eat_flushes"]);
  for (const Status& status :
       {kills.status(), cuts.status(), survives.status(), eats_flushes.status()}) {
    if (!status.ok()) return status;
  }
  for (const std::string& text : NamesIn(own["threads"])) {
    const StatusOr<uint64_t> count = CountOf("threads", text, 1, 64);
    if (!count.ok()) return count.status();
    asked.threads.push_back(static_cast<uint32_t>(*count));
  }
  asked.kills = *kills;
  asked.cuts = *cuts;
  asked.survives = *survives;
  asked.eats_flushes = *eats_flushes;
  if (asked.eats_flushes) asked.cut_methods = {"volatile"};  // The other disk has no cache.
  return asked;
}

// The rows of a class: kills, and for each way and file system its share of the power cuts.
std::vector<std::pair<CrashCell, uint64_t>> CellsOf(const Asked& asked, const CrashCell& of_class) {
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

StatusOr<DurabilityPlan> PlanClasses(const Asked& asked) {
  const StatusOr<std::vector<std::string>> plugins = FindPlugins();
  if (!plugins.ok()) return plugins.status();
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(asked.settings, *plugins, FindRunByName(asked.settings, *plugins));
  if (!engines.ok()) return engines.status();
  if (const Status status = CheckEngineOptionNames(asked.settings, *engines); !status.ok()) {
    return status;
  }
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
      planned.settings = engine.options.settings;
    }
  }
  if (plan.classes.empty()) {
    return Status::Usage("none of these engines has any of these classes of durability");
  }
  return plan;
}

// What was found goes to the disk state by state: an invocation that is cut off leaves what it had.
class DurabilityRecord {
 public:
  static StatusOr<DurabilityRecord> Create(const Asked& asked, const std::string& command,
                                           const Json& engines) {
    const std::tm now = fmt::gmtime(std::time(nullptr));
    StatusOr<std::string> path = MakeNewDirectory(
        fmt::format("{}/{:%Y%m%d-%H%M%S}-durability", asked.settings.results, now));
    if (!path.ok()) {
      return Status::Usage(
          fmt::format("--results={}: {}", asked.settings.results, path.status().message()));
    }
    const Json manifest = {
        {"schema", kSchemaMajor},
        {"schema_minor", kSchemaMinor},
        {"name", "durability"},
        {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now)},
        {"command", command},
        {"version", kVersion},
        {"seed", asked.settings.seed},
        {"engines", engines},
        {"environment", CaptureEnvironment(asked.settings.db.empty() ? *path : asked.settings.db)}};
    const Status written =
        WriteFileAtomically(*path + "/manifest.json",
                            manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    if (!written.ok()) return written;
    StatusOr<AppendOnlyFile> lines = AppendOnlyFile::Open(*path + kLinesName, kMostLinesBytes);
    if (!lines.ok()) return lines.status();
    return DurabilityRecord(*path, std::move(*lines), manifest);
  }

  Status Add(const CrashState& state) {
    states_.states.push_back(state);
    return lines_.AppendLine(ToJson(state).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  Status Add(const CrashSkip& skip) {
    states_.skips.push_back(skip);
    return lines_.AppendLine(ToJson(skip).dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  const std::string& path() const { return path_; }
  const CrashStates& states() const { return states_; }
  const Json& manifest() const { return manifest_; }

 private:
  DurabilityRecord(std::string path, AppendOnlyFile lines, Json manifest)
      : path_(std::move(path)), lines_(std::move(lines)), manifest_(std::move(manifest)) {}

  std::string path_;
  AppendOnlyFile lines_;
  Json manifest_;
  CrashStates states_;
};

// Where stores, images and mounts are made: a directory of our own, removed when this ends.
class Scratch {
 public:
  static StatusOr<Scratch> Make(const std::string& parent) {
    StatusOr<std::string> path = MakeNewDirectory(parent + "/durability-stores");
    if (!path.ok()) return path.status();
    return Scratch(std::move(*path));
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(fs::absolute(path)) {}
  std::string path_;
};

// Tries one cell; what could not be tried is recorded as skipped.
Status TryOne(const Asked& asked, const PlannedClass& planned, const CrashCell& cell,
              uint64_t states, const std::string& scratch, DurabilityRecord& record) {
  const std::string why_not = WhyNotTried(cell);
  if (!why_not.empty()) {
    return record.Add(CrashSkip{.cell = cell, .count = states, .reason = why_not});
  }
  const std::string place =
      cell.fault == "kill" ? "" : fmt::format(", {}, {}", cell.cut_method, cell.file_system);
  std::fputs(fmt::format("{} {}: {} times {}{}\n", Printable(cell.engine), cell.durability, states,
                         cell.fault, place)
                 .c_str(),
             stderr);
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

Status TryAll(const Asked& asked, const DurabilityPlan& plan, DurabilityRecord& record) {
  const StatusOr<Scratch> scratch =
      Scratch::Make(asked.settings.db.empty() ? record.path() : asked.settings.db);
  if (!scratch.ok()) return scratch.status();
  for (const PlannedClass& planned : plan.classes) {
    for (const auto& [cell, states] : CellsOf(asked, planned.cell)) {
      const Status status = TryOne(asked, planned, cell, states, scratch->path(), record);
      if (!status.ok()) return status;
    }
  }
  return Status::Ok();
}

StatusOr<std::string> TextOf(const Asked& asked, const DurabilityRecord& record) {
  const std::vector<CrashRow> rows = RowsOf(record.states());
  if (asked.settings.format == "markdown") return RenderDurabilityPage({record.manifest()}, rows);
  if (asked.settings.format == "table") {
    return RenderDurabilityTable(rows) + "results: " + record.path() + "\n";
  }
  std::string lines;
  for (const CrashState& state : record.states().states) lines += ToJson(state).dump() + "\n";
  for (const CrashSkip& skip : record.states().skips) lines += ToJson(skip).dump() + "\n";
  return lines;
}

// A last line that a crash has torn is left out.
StatusOr<CrashStates> StatesIn(const std::string& directory) {
  bool torn = false;
  const StatusOr<std::vector<std::string>> lines =
      ReadLines(directory + kLinesName, &torn, kMostLinesBytes);
  if (!lines.ok()) return Status::Usage(lines.status().message());
  return CrashStatesOf(*lines);
}

}  // namespace

Answer VerifyDurability(const Words& words) {
  const StatusOr<Asked> asked = Parse(words);
  if (!asked.ok()) return Failure(asked.status());
  const StatusOr<DurabilityPlan> plan = PlanClasses(*asked);
  if (!plan.ok()) return Failure(plan.status());
  StatusOr<DurabilityRecord> record =
      DurabilityRecord::Create(*asked, Typed("levelfield verify durability", words), plan->engines);
  if (!record.ok()) return Failure(record.status());
  InstallInterruptHandlers();
  Answer answer{.text = "", .status = TryAll(*asked, *plan, *record)};
  const StatusOr<std::string> text = TextOf(*asked, *record);
  if (text.ok()) answer.text = *text;
  if (answer.status.ok()) answer.status = text.status();
  answer.exit_code = ExitCodeOf(RowsOf(record->states()));
  return answer;
}

bool HasDurability(const std::string& directory) { return fs::exists(directory + kLinesName); }

Answer ReportDurability(const std::string& directory) {
  const StatusOr<CrashStates> states = StatesIn(directory);
  if (!states.ok()) return Failure(states.status());
  const std::vector<CrashRow> rows = RowsOf(*states);
  return {.text = RenderDurabilityTable(rows), .exit_code = ExitCodeOf(rows)};
}

Answer DurabilityPage(const Words& directories) {
  std::vector<Json> manifests;
  CrashStates all;
  for (const std::string& path : directories) {
    const StatusOr<CrashStates> states = StatesIn(path);
    if (!states.ok()) return Failure(states.status());
    all.states.insert(all.states.end(), states->states.begin(), states->states.end());
    all.skips.insert(all.skips.end(), states->skips.begin(), states->skips.end());
    manifests.push_back(Json::parse(ReadAll(path + "/manifest.json"), nullptr, false));
    if (!manifests.back().is_object()) {
      return Failure(Status::Failed(path + "/manifest.json: does not read"));
    }
  }
  StatusOr<std::string> page = RenderDurabilityPage(manifests, RowsOf(all));
  return page.ok() ? Answer{.text = std::move(*page)} : Failure(page.status());
}

}  // namespace levelfield
