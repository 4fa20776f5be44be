#include "cache_bench/read_back.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bounded_json.h"
#include "base/sealed_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostBytes = uint64_t{256} << 20;

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
  const StatusOr<CacheBenchWords> split = SplitCacheBenchWords(words);
  if (!split.ok()) return split.status();
  return ParseCacheBench(*split, caches);
}

// A line is a phase of the cache that is running, or the end of that cache.
Status AddLine(const Json& line, CacheResult& running, std::vector<CacheResult>& results) {
  const auto type = line.at("type").get<std::string>();
  if (type == "cache_phase") {
    StatusOr<CachePhase> phase = CachePhaseFromJson(line);
    if (!phase.ok()) return phase.status();
    running.phases.push_back(std::move(*phase));
  } else if (type == "cache") {
    StatusOr<CacheDescription> cache = CacheDescriptionFromJson(line.at("description"));
    if (!cache.ok()) return cache.status();
    running.cache = std::move(*cache);
    running.failure = line.at("message");
    results.push_back(std::move(running));
    running = {};
  }
  return Status::Ok();
}

}  // namespace

StatusOr<CacheBenchRun> ReadCacheBench(const std::string& directory) {
  CacheBenchRun run;
  bool torn = false;
  const StatusOr<std::string> manifest = ReadSealedFile(directory + "/manifest.json");
  if (!manifest.ok()) return manifest.status();
  const StatusOr<std::vector<std::string>> lines =
      ReadSealedLines(directory + "/results.jsonl", &torn, kMostBytes);
  if (!lines.ok()) return lines.status();
  try {
    const StatusOr<Json> parsed = ParseBoundedJson(*manifest);
    if (!parsed.ok()) return Status::Failed(directory + ": " + parsed.status().message());
    const Json& json = *parsed;
    if (json.at("name") != "cache_bench") {
      return Status::Usage(directory + ": is no result of cache_bench");
    }
    StatusOr<CacheBenchSettings> settings = SettingsOf(json);
    if (!settings.ok()) return settings.status();
    run.settings = std::move(*settings);
    CacheResult running;
    for (const std::string& line : *lines) {
      const StatusOr<Json> read = ParseBoundedJson(line);
      const Status status = read.ok() ? AddLine(*read, running, run.results) : read.status();
      if (!status.ok()) return Status::Failed(directory + ": " + status.message());
    }
  } catch (const Json::exception& error) {
    return Status::Failed(
        fmt::format("{}: is no whole result of cache_bench: {}", directory, error.what()));
  }
  return run;
}

}  // namespace levelfield
