#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/print.h"
#include "base/sealed_json.h"
#include "base/utc.h"
#include "base/version.h"
#include "driver/cache_driver.h"
#include "engine/cache.h"
#include "plan/cache_memory.h"
#include "process/interrupts.h"
#include "report/db_bench/cache_bench_text.h"
#include "result/environment.h"
#include "result/result_json.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostLinesBytes = uint64_t{256} << 20;

// results/<time>-cache_bench, with the manifest in it.
StatusOr<std::string> MakeResults(const CacheBenchSettings& settings, const std::string& command,
                                  const std::vector<CacheDescription>& caches,
                                  const Json& environment) {
  const std::tm now = fmt::gmtime(std::time(nullptr));
  StatusOr<std::string> path =
      MakeNewDirectory(fmt::format("{}/{:%Y%m%d-%H%M%S}-cache_bench", settings.results, now));
  if (!path.ok()) {
    return Status::Usage(
        fmt::format("--results={}: {}", settings.results, path.status().message()));
  }
  Json values = Json::object();
  for (const auto& [name, value] : settings.values) values[name] = value;
  values["generation"] = GenerationName(settings.generation);
  Json described = Json::array();
  for (const CacheDescription& cache : caches) described.push_back(ToJson(cache));
  const Json manifest = {{"schema", kSchemaMajor},
                         {"schema_minor", kSchemaMinor},
                         {"name", "cache_bench"},
                         {"started", UtcNow()},
                         {"command", command},
                         {"version", kVersion},
                         {"settings", std::move(values)},
                         {"given", settings.given},
                         {"caches", std::move(described)},
                         {"fingerprint", Fingerprint(environment)},
                         {"environment", environment}};
  RETURN_IF_ERROR(WriteFileAtomically(*path + "/manifest.json", SealedText(manifest, 1)));
  return path;
}

Status AddLine(AppendOnlyFile& lines, std::string_view type, const std::string& cache, Json body) {
  Json line = {{"type", type}, {"schema", kSchemaMajor}, {"cache", cache}};
  line.update(body);
  const Status status = lines.AppendLine(SealedText(line));
  return status.ok() ? lines.Sync() : status;
}

Status AddResult(AppendOnlyFile& lines, const CacheResult& result) {
  for (const CachePhase& phase : result.phases) {
    RETURN_IF_ERROR(AddLine(lines, "cache_phase", result.cache.name, ToJson(phase)));
  }
  return AddLine(lines, "cache", result.cache.name,
                 {{"outcome", result.ok() ? "ok" : "void"},
                  {"message", result.failure},
                  {"description", ToJson(result.cache)}});
}

struct CacheBenchRun {
  CacheBenchSettings settings;
  std::vector<CacheResult> results;  // Those that had ended.
};

// The flags that were typed, with their values, mean what they meant then.
StatusOr<CacheBenchSettings> SettingsOf(const Json& manifest) {
  std::vector<std::string> words;
  for (const Json& name : manifest.at("given")) {
    const auto flag = name.get<std::string>();
    words.push_back(
        fmt::format("--{}={}", flag, manifest.at("settings").at(flag).get<std::string>()));
  }
  std::vector<std::string> caches;
  for (const Json& cache : manifest.at("caches")) caches.push_back(cache.at("name"));
  ASSIGN_OR_RETURN(const CacheBenchWords split, SplitCacheBenchWords(words));
  return ParseCacheBench(split, caches);
}

// A line is a phase of the cache that is running, or the end of that cache.
Status TakeLine(const Json& line, CacheResult& running, std::vector<CacheResult>& results) {
  const auto type = line.at("type").get<std::string>();
  if (type == "cache_phase") {
    ASSIGN_OR_RETURN(CachePhase phase, CachePhaseFromJson(line));
    running.phases.push_back(std::move(phase));
  } else if (type == "cache") {
    ASSIGN_OR_RETURN(CacheDescription cache, CacheDescriptionFromJson(line.at("description")));
    running.cache = std::move(cache);
    running.failure = line.at("message");
    results.push_back(std::move(running));
    running = {};
  }
  return Status::Ok();
}

// What was written to a result directory. A kUsage error where it is no result of cache_bench,
// kFailed where it is a broken one.
StatusOr<CacheBenchRun> ReadCacheBench(const std::string& directory) {
  CacheBenchRun run;
  bool torn = false;
  ASSIGN_OR_RETURN(const std::string manifest, ReadSealedFile(directory + "/manifest.json"));
  ASSIGN_OR_RETURN(const std::vector<std::string> lines,
                   ReadSealedLines(directory + "/results.jsonl", &torn, kMostLinesBytes));
  try {
    const StatusOr<Json> parsed = ParseBoundedJson(manifest);
    if (!parsed.ok()) return Status::Failed(directory + ": " + parsed.status().message());
    const Json& json = *parsed;
    if (json.at("name") != "cache_bench") {
      return Status::Usage(directory + ": is no result of cache_bench");
    }
    ASSIGN_OR_RETURN(CacheBenchSettings settings, SettingsOf(json));
    run.settings = std::move(settings);
    CacheResult running;
    for (const std::string& line : lines) {
      const StatusOr<Json> read = ParseBoundedJson(line);
      const Status status = read.ok() ? TakeLine(*read, running, run.results) : read.status();
      if (!status.ok()) return Status::Failed(directory + ": " + status.message());
    }
  } catch (const Json::exception& error) {
    return Status::Failed(
        fmt::format("{}: is no whole result of cache_bench: {}", directory, error.what()));
  }
  return run;
}

}  // namespace

Answer RunCacheBench(const Words& words) {
  ASSIGN_OR_RETURN(const CacheBenchWords split, SplitCacheBenchWords(words));
  if (split.help) return CacheBenchHelp(split.generation);
  ASSIGN_OR_RETURN(const CacheBenchSettings settings,
                   ParseCacheBench(split, FindCaches(CacheDirectory())));
  const Json environment = CaptureEnvironment(settings.results);
  RETURN_IF_ERROR(CheckMemory(settings, MemoryThere(environment)));
  InstallInterruptHandlers();
  std::vector<CacheDescription> caches;
  for (const std::string& name : settings.caches) {
    ASSIGN_OR_RETURN(CacheDescription cache, DescribeCache(name, words));
    caches.push_back(std::move(cache));
  }
  ASSIGN_OR_RETURN(const std::string directory,
                   MakeResults(settings, Typed("cache_bench", words), caches, environment));
  ASSIGN_OR_RETURN(AppendOnlyFile lines,
                   AppendOnlyFile::Open(directory + "/results.jsonl", kMostLinesBytes));

  Print(stdout, SettingsText(settings));
  std::vector<CacheResult> results;
  std::string bad;
  for (const std::string& name : settings.caches) {
    Print(stderr, fmt::format("measuring {} ...\n", name));
    CacheResult result = MeasureCache(settings, name, words);
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    RETURN_IF_ERROR(AddResult(lines, result));
    Print(stdout, CacheText(settings, result));
    if (!result.ok()) bad += (bad.empty() ? "" : ", ") + name;
    results.push_back(std::move(result));
  }
  if (results.size() > 1) Print(stdout, ComparisonText(settings, results));
  Print(stderr, fmt::format("results: {}\n", Printable(directory)));
  if (!bad.empty()) return Status::Failed("the figures are void: " + bad);
  return {};
}

Answer ReportCacheBench(const std::string& directory) {
  ASSIGN_OR_RETURN(const CacheBenchRun run, ReadCacheBench(directory));
  Answer answer(SettingsText(run.settings));
  for (const CacheResult& result : run.results) {
    answer.text += CacheText(run.settings, result);
    if (!result.ok()) answer.exit_code = 1;
  }
  if (run.results.size() > 1) answer.text += ComparisonText(run.settings, run.results);
  return answer;
}

}  // namespace levelfield
