// `levelfield merge`: one result of several. It is written like the result of a run, so everything
// that reads results reads it.
#include "result/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/quote.h"
#include "base/text.h"
#include "driver/result_directory.h"
#include "result/result_files.h"
#include "result/result_json.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/report.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// `node7=results/20261128-120000-run`, or a directory alone, which may say its host itself.
StatusOr<PartOfMerge> ReadPart(const std::string& typed) {
  constexpr std::string_view kAccepted =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  PartOfMerge part;
  part.path = typed;
  const size_t equals = typed.find('=');
  std::error_code error;
  const bool is_named = equals != typed.npos && equals != 0 && equals <= 64 &&
                        typed.find_first_not_of(kAccepted) == equals &&
                        !std::filesystem::exists(typed, error);
  if (is_named) part.path = typed.substr(equals + 1);
  ASSIGN_OR_RETURN(part.path, ResultPath(part.path));
  ASSIGN_OR_RETURN(part.result, ReadResultFiles(part.path));
  part.host = is_named ? typed.substr(0, equals) : SettingOf(part.result, kHostSetting);
  return part;
}

// What the manifests of the parts say of engines, each described once, and of machines.
Status Describe(const std::vector<PartOfMerge>& parts, const Merged& merged, Undertaking& of) {
  std::vector<std::string> engines;
  std::string machine_names;
  for (const PartOfMerge& part : parts) {
    ASSIGN_OR_RETURN(const Json manifest, ReadManifest(part.path));
    if (of.given.is_null()) of.given = manifest.value("given", Json::array());
    for (const Json& engine : manifest.value("engines", Json::array())) {
      const std::string spec = engine.is_object() ? engine.value("spec", "") : "";
      if (std::ranges::find(engines, spec) != engines.end()) continue;
      engines.push_back(spec);
      of.engines.push_back(engine);
    }
    if (of.machines.size() == merged.result.machines.size()) continue;
    const Result& machine = merged.result.machines[of.machines.size()];
    if (machine.name != part.host) continue;
    Json described = {{"host", machine.name},
                      {"started", machine.started},
                      {"command", machine.command},
                      {"fingerprint", machine.fingerprint},
                      {"environment", manifest.value("environment", Json::object())}};
    for (const Overhead& overhead : machine.overheads) {
      described["price"].push_back(ToJson(overhead));
    }
    of.machines.push_back(std::move(described));
  }
  return Status::Ok();
}

// The settings of all; `vary` has what differs, as one run would have been told.
Json SettingsJson(const Result& result) {
  std::map<std::string, std::vector<std::string>> values;
  std::vector<std::string> order;
  for (const RunResult& run : result.runs) {
    for (const auto& [name, value] : run.variant.settings) {
      AddOnce(order, name);
      AddOnce(values[name], value);
    }
  }
  std::string vary;
  for (const std::string& name : order) {
    vary += fmt::format("{}{}={}", vary.empty() ? "" : " ", name, Joined(values[name], ","));
  }
  Json settings = Json::object();
  for (const auto& [name, value] : result.settings) settings[name] = value;
  settings["vary"] = vary;
  return settings;
}

Status CopyIntervals(const std::vector<PartOfMerge>& parts, const Merged& merged,
                     ResultDirectory& directory) {
  for (size_t p = 0; p < parts.size(); ++p) {
    std::map<uint64_t, size_t> runs;  // By the number in the part.
    for (size_t i = 0; i < merged.from.size(); ++i) {
      if (merged.from[i].part == p) runs[parts[p].result.runs[merged.from[i].run].number] = i;
    }
    bool is_torn = false;
    Status status = Status::Ok();
    RETURN_IF_ERROR(ForEachInterval(parts[p].path, &is_torn, [&](const StoredInterval& stored) {
      const auto run = runs.find(stored.run);
      if (run == runs.end() || !status.ok()) return;
      const RunResult& of = merged.result.runs[run->second];
      status = directory.AddInterval(run->second, of.engine,
                                     {of.round, stored.phase, stored.workload}, stored.interval);
    }));
    RETURN_IF_ERROR(status);
  }
  return directory.SyncIntervals();
}

StatusOr<std::string> Write(const std::vector<PartOfMerge>& parts, const Merged& merged,
                            const Settings& settings, const std::string& command) {
  const Result& result = merged.result;
  Undertaking of{.name = settings.name,
                 .command = command,
                 .planned = {{"rounds", result.completion.planned_rounds},
                             {"most_rounds", result.completion.most_rounds},
                             {"runs", merged.planned_runs}},
                 .settings = SettingsJson(result),
                 .given = nullptr,
                 .workloads = Json::object(),
                 .engines = Json::array(),
                 .machines = Json::array()};
  for (const auto& [name, text] : result.workload_texts) of.workloads[name] = text;
  // That of one machine is none of another's.
  const PartOfMerge& first = parts.front();
  const bool is_of_all = std::ranges::all_of(parts, [&](const PartOfMerge& part) {
    return part.host == first.host && part.result.noise == first.result.noise;
  });
  if (is_of_all) of.noise = first.result.noise;
  RETURN_IF_ERROR(Describe(parts, merged, of));
  ASSIGN_OR_RETURN(ResultDirectory directory,
                   ResultDirectory::Create(settings.results, std::move(of)));
  for (size_t i = 0; i < result.runs.size(); ++i) {
    for (const PhaseResult& phase : result.runs[i].phases) {
      RETURN_IF_ERROR(directory.AddPhase(i, result.runs[i], phase));
    }
    RETURN_IF_ERROR(directory.AddRun(i, result.runs[i]));
  }
  RETURN_IF_ERROR(CopyIntervals(parts, merged, directory));
  RETURN_IF_ERROR(directory.AddEnd(result.completion.end, result.completion.message));
  return directory.path();
}

}  // namespace

Answer MergeVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, ParseSettingsOf("merge", words));
  std::vector<PartOfMerge> parts;
  for (const std::string& typed : settings.arguments) {
    ASSIGN_OR_RETURN(PartOfMerge part, ReadPart(typed));
    parts.push_back(std::move(part));
  }
  ASSIGN_OR_RETURN(const Merged merged, Merge(parts));
  ASSIGN_OR_RETURN(const std::string path,
                   Write(parts, merged, settings, Typed("levelfield merge", words)));
  ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(path));
  return {ForTerminal(ScreenOf(result, settings, path)) + "results: " + Printable(path) + "\n",
          ExitCodeOf(result)};
}

}  // namespace levelfield
