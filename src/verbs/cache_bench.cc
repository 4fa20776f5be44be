#include <fmt/format.h>

#include <cstdio>

#include "base/path_owners.h"
#include "base/print.h"
#include "base/program_path.h"
#include "base/text.h"
#include "driver/caches.h"
#include "engine/loader.h"
#include "facts/facts_here.h"
#include "plan/preflight.h"
#include "process/process.h"
#include "report/db_bench/cache_bench_text.h"
#include "result/environment.h"
#include "result/result_files.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

StatusOr<ResultDirectory> MakeResults(const CacheBenchSettings& settings,
                                      const std::string& command,
                                      const std::vector<RunResult>& caches) {
  Undertaking of{.name = std::string(kCacheBenchName),
                 .command = command,
                 .planned = {{"rounds", 1}, {"most_rounds", 1}, {"runs", caches.size()}},
                 .settings = Json::object(),
                 .given = settings.given,
                 .workloads = Json::object(),
                 .engines = Json::array()};
  for (const auto& [name, value] : settings.values) of.settings[name] = value;
  of.settings["generation"] = GenerationName(settings.generation);
  for (const RunResult& cache : caches) {
    of.engines.push_back({{"spec", cache.engine},
                          {"version", cache.version},
                          {"library", cache.library_path},
                          {"settings", cache.settings}});
  }
  return ResultDirectory::Create(settings.results, std::move(of));
}

// The typed flags with their values, with the meaning that they had then.
StatusOr<CacheBenchSettings> SettingsIn(const std::string& directory) {
  ASSIGN_OR_RETURN(const Json manifest, ReadManifest(directory));
  try {
    std::vector<std::string> words;
    for (const Json& name : manifest.at("given")) {
      const auto flag = name.get<std::string>();
      words.push_back(
          fmt::format("--{}={}", flag, manifest.at("settings").at(flag).get<std::string>()));
    }
    std::vector<std::string> caches;
    for (const Json& cache : manifest.at("engines")) caches.push_back(cache.at("spec"));
    ASSIGN_OR_RETURN(const CacheBenchWords split, SplitCacheBenchWords(words));
    return ParseCacheBench(split, caches);
  } catch (const Json::exception& error) {
    return Status::Failed(fmt::format("is no whole result of cache_bench: {}", error.what()));
  }
}

}  // namespace

Answer RunCacheBench(const Words& words) {
  ASSIGN_OR_RETURN(const CacheBenchWords split, SplitCacheBenchWords(words));
  if (split.help) return CacheBenchHelp(split.generation);
  RETURN_IF_ERROR(CheckProgramPath());
  ASSIGN_OR_RETURN(const CacheBenchSettings settings,
                   ParseCacheBench(split, FindCaches(CacheDirectory())));
  RETURN_IF_ERROR(CheckOutsideStores("--results", settings.results));
  RETURN_IF_ERROR(CheckMemory(settings, MemoryThere(CaptureEnvironment(settings.results))));
  InstallInterruptHandlers();
  std::vector<RunResult> runs;
  for (const std::string& name : settings.caches) {
    ASSIGN_OR_RETURN(RunResult cache, DescribeCache(name, words));
    runs.push_back(std::move(cache));
  }
  ASSIGN_OR_RETURN(ResultDirectory results,
                   MakeResults(settings, Typed("cache_bench", words), runs));

  Print(stdout, SettingsText(settings));
  std::vector<std::string> bad;
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::string name = runs[i].engine;
    Print(stderr, fmt::format("measuring {} ...\n", name));
    ASSIGN_OR_RETURN(runs[i], MeasureCache(settings, name, words, i, results));
    if (runs[i].outcome == Outcome::kInterrupted) {
      (void)results.AddEnd(Completion::End::kInterrupted, "");
      return Status::Interrupted("interrupted");
    }
    Print(stdout, CacheText(settings, runs[i]));
    if (runs[i].outcome != Outcome::kOk) bad.push_back(name);
  }
  RETURN_IF_ERROR(results.AddEnd(Completion::End::kFinished, ""));
  if (runs.size() > 1) Print(stdout, ComparisonText(settings, runs));
  Print(stderr, fmt::format("results: {}\n", Printable(results.path())));
  if (!bad.empty()) return Status::Failed("the figures are void: " + Joined(bad, ", "));
  return {};
}

Answer ReportCacheBench(const Result& result, const std::string& directory) {
  const StatusOr<CacheBenchSettings> settings = SettingsIn(directory);
  if (!settings.ok()) return Status::Failed(directory + ": " + settings.status().message());
  Answer answer = SettingsText(*settings);
  for (const RunResult& run : result.runs) {
    answer.text += CacheText(*settings, run);
    if (run.outcome != Outcome::kOk) answer.exit_code = 1;
  }
  if (result.runs.size() > 1) answer.text += ComparisonText(*settings, result.runs);
  return answer;
}

}  // namespace levelfield
