#include "settings/dialects/cache_bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/path_owners.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/sealed_json.h"
#include "base/utc.h"
#include "base/version.h"
#include "driver/cache_driver.h"
#include "engine/cache.h"
#include "plan/cache_memory.h"
#include "process/interrupts.h"
#include "result/cache_result.h"
#include "result/environment.h"
#include "result/result_json.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// What cache_bench prints. Pure; any thread.

constexpr double kPercentiles[] = {0.5, 0.9, 0.99, 0.999};

double HitRatio(const CachePhase& phase) {
  const auto hits =
      static_cast<double>(phase.counts.calls[static_cast<size_t>(CacheCall::kLookupHit)]);
  return phase.Lookups() == 0 ? 0 : hits / static_cast<double>(phase.Lookups());
}

double ParallelRate(const CachePhase& phase) {
  return phase.seconds > 0 ? static_cast<double>(phase.Operations()) / phase.seconds : 0;
}

// Of a thread, as the original's "Thread ops/sec".
double ThreadRate(const CachePhase& phase) {
  return phase.thread_seconds > 0 ? static_cast<double>(phase.Operations()) / phase.thread_seconds
                                  : 0;
}

std::string PercentileText(const Histogram& histogram, double p) {
  const std::optional<uint64_t> value = histogram.Percentile(p);
  return value ? std::to_string(*value) : "-";
}

// "lookup_hit" for the JSON, "lookup hit" for people.
std::string Spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

void AddOperations(const CacheBenchSettings& settings, const CachePhase& phase, std::string& text) {
  text += "Operations that ran:\n";
  for (size_t i = 0; i < kCacheOperations; ++i) {
    if (settings.percent[i] == 0) continue;
    text += fmt::format("  {:14} {:>12}  {:6.2f} % of {} % asked for\n",
                        Spaced(kCacheOperationNames[i]), phase.counts.operations[i],
                        100.0 * static_cast<double>(phase.counts.operations[i]) /
                            static_cast<double>(phase.Operations()),
                        settings.percent[i]);
  }
}

void AddCalls(const CacheBenchSettings& settings, const CachePhase& phase, std::string& text) {
  text +=
      settings.histograms
          ? "Calls, latency in ns:       count    average        p50        p90        p99      "
            "p99.9        max\n"
          : "Calls:                      count\n";
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    const uint64_t count = phase.counts.calls[i];
    if (count == 0) continue;
    text += fmt::format("  {:18} {:>12}", Spaced(kCacheCallNames[i]), count);
    if (settings.histograms) {
      const Histogram& latency = phase.latency_ns[i];
      text += fmt::format(" {:>10.1f}",
                          static_cast<double>(latency.Sum()) / static_cast<double>(count));
      for (const double p : kPercentiles)
        text += fmt::format(" {:>10}", PercentileText(latency, p));
      text += fmt::format(" {:>10}", latency.Max());
    }
    text += "\n";
  }
  text += fmt::format("Lookup hit ratio: {:.4f} %\n", 100 * HitRatio(phase));
}

void AddPhase(const CacheBenchSettings& settings, const CachePhase& phase, std::string& text) {
  text += fmt::format("\n{}, {} thread{}:\n",
                      phase.payload ? "With the payload (values are made, hashed and freed)"
                                    : "The cache alone (lean)",
                      phase.threads, phase.threads == 1 ? "" : "s");
  if (!phase.problem.empty()) {
    text += fmt::format("VOID: {}\n", Printable(phase.problem));
    return;
  }
  text += fmt::format("Complete in {:.3f} s; Rough parallel ops/sec = {:.0f}\n", phase.seconds,
                      ParallelRate(phase));
  text += fmt::format("Thread ops/sec = {:.0f}\n", ThreadRate(phase));
  AddOperations(settings, phase, text);
  AddCalls(settings, phase, text);
  text += fmt::format("Usage at the end: {}", phase.usage);
  for (const auto& [name, value] : phase.counters) {
    text += fmt::format(", {} {}", Printable(name), value);
  }
  text += "\n";
}

void AddCost(const CacheBenchSettings& settings, const CacheResult& result, std::string& text) {
  const CachePhase* const both = result.Find(true, settings.threads);
  const CachePhase* const alone = result.Find(false, settings.threads);
  if (alone == nullptr || !result.ok()) return;
  text += fmt::format(
      "\nCost of an operation, ns of a processor's time at {} thread{} (drawing its "
      "key, {:.1f} ns, is left out{}):\n",
      settings.threads, settings.threads == 1 ? "" : "s",
      alone->making_seconds * 1e9 / static_cast<double>(alone->Operations()),
      settings.histograms
          ? fmt::format("; a reading of the clock before and after, {:.1f} ns, is in",
                        result.cache.clock_ns)
          : "");
  if (both != nullptr) {
    const double payload = both->CpuNsPerOperation() - alone->CpuNsPerOperation();
    text += fmt::format(
        "  cache and payload {:>10.1f}\n  cache             {:>10.1f}\n"
        "  payload           {:>10.1f}{}\n",
        both->CpuNsPerOperation(), alone->CpuNsPerOperation(), payload,
        payload > 0 ? "" : " (less than what two runs differ by)");
  } else {
    text += fmt::format("  cache             {:>10.1f}\n", alone->CpuNsPerOperation());
  }
}

void AddScaling(const CacheBenchSettings& settings, const CacheResult& result, std::string& text) {
  if (!settings.scaling || !result.ok()) return;
  text += "\nScaling:   threads   ops/sec, cache   speed-up";
  text += settings.lean ? "\n" : "   ops/sec, with payload   speed-up\n";
  const std::vector<uint64_t> counts = settings.ThreadCounts();
  for (const uint64_t threads : counts) {
    text += fmt::format("  {:>16}", threads);
    for (const bool payload : {false, true}) {
      const CachePhase* const first = result.Find(payload, counts.front());
      const CachePhase* const phase = result.Find(payload, threads);
      if (first == nullptr || phase == nullptr) continue;
      text += fmt::format("{:>{}.0f} {:>10.2f}", ParallelRate(*phase), payload ? 24 : 17,
                          ParallelRate(*phase) / ParallelRate(*first));
    }
    text += "\n";
  }
}

// The generation, the mix, the keys and the values, which all caches of a run have in common.
std::string SettingsText(const CacheBenchSettings& settings) {
  std::string text;
  const auto row = [&](std::string_view title, const std::string& value) {
    text += fmt::format("{:20}: {}\n", title, value);
  };
  const bool is_2014 = settings.generation == Generation::k2014;
  row("Generation", fmt::format("{} ({})", GenerationName(settings.generation),
                                Printable(settings.generation_reason)));
  row("Number of threads", std::to_string(settings.threads));
  row("Ops per thread", std::to_string(settings.ops_per_thread));
  row("Cache size",
      fmt::format("{}{}", settings.cache_size, is_2014 ? " entries, each charged 1" : " bytes"));
  row("Max key",
      fmt::format("{} keys, {}", settings.max_key,
                  settings.skewed      ? "log-uniform"
                  : settings.skew == 0 ? "uniform"
                                       : fmt::format("the least of {} draws", settings.skew + 1)));
  row("Value bytes", fmt::format("{}, charged {}", settings.value_bytes, settings.charge));
  row("Populate cache", settings.populate_cache ? "1" : "0");
  if (!is_2014) {
    row("Pinned handles", fmt::format("{} a thread", settings.PinnedByThread(settings.threads)));
  }
  for (size_t i = 0; i < kCacheOperations; ++i) {
    if (settings.percent[i] == 0) continue;
    std::string name = Spaced(kCacheOperationNames[i]) + " percentage";
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    text += fmt::format("{:20}: {} %\n", name, settings.percent[i]);
  }
  row("Seed", std::to_string(settings.seed));
  return text;
}

// One cache: what it is, its phases, what an operation costs, how it scales.
std::string CacheText(const CacheBenchSettings& settings, const CacheResult& result) {
  const CacheDescription& cache = result.cache;
  std::string text = "----------------------------\n";
  const auto row = [&](std::string_view title, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:20}: {}\n", title, Printable(value));
  };
  row("Cache type", cache.name + (cache.summary.empty() ? "" : ": " + cache.summary));
  row("Version", cache.Fact("version"));
  row("Library", cache.Fact("library"));
  row("Build", cache.Fact("build"));
  if (!cache.clock.empty()) {
    row("Num shard bits",
        cache.shard_bits < 0 ? "-1: as it chooses" : std::to_string(cache.shard_bits));
    row("Key bytes", std::to_string(cache.key_size));
    row("Clock", cache.clock);
  }
  for (const std::string& note : cache.notes) row("Note", note);
  if (const std::string warning = cache.Fact("warning"); !warning.empty()) {
    text += "WARNING: " + Printable(warning) + "\n";
  }
  if (!result.failure.empty()) text += "FAILED: " + Printable(result.failure) + "\n";
  for (const CachePhase& phase : result.phases) AddPhase(settings, phase, text);
  AddCost(settings, result, text);
  AddScaling(settings, result, text);
  return text;
}

// All caches beside each other.
std::string ComparisonText(const CacheBenchSettings& settings,
                           const std::vector<CacheResult>& results) {
  std::string text = fmt::format(
      "----------------------------\nAll at {} thread{}; latencies of the cache alone, in ns; cost "
      "of an operation in ns of a processor's time.\n\n"
      "{:20} {:>9} {:>12} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
      settings.threads, settings.threads == 1 ? "" : "s", "cache", "version", "ops/sec", "hit %",
      "cost", "payload", "hit p50", "hit p99", "miss p50", "ins. p50", "ins. p99");
  std::string warnings;
  for (const CacheResult& result : results) {
    const CachePhase* const alone = result.Find(false, settings.threads);
    const CachePhase* const both = result.Find(true, settings.threads);
    if (!result.ok() || alone == nullptr) {
      text += fmt::format("{:20} void, see above\n", result.cache.name);
      continue;
    }
    const auto latency = [&](CacheCall call, double p) {
      return PercentileText(alone->latency_ns[static_cast<size_t>(call)], p);
    };
    const std::string warning = result.cache.Fact("warning");
    text += fmt::format(
        "{:20} {:>9} {:>12.0f} {:>8.2f} {:>8.1f} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
        result.cache.name + (warning.empty() ? "" : " !"), result.cache.Fact("version"),
        ParallelRate(*alone), 100 * HitRatio(*alone), alone->CpuNsPerOperation(),
        both == nullptr
            ? "-"
            : fmt::format("{:.1f}", both->CpuNsPerOperation() - alone->CpuNsPerOperation()),
        latency(CacheCall::kLookupHit, 0.5), latency(CacheCall::kLookupHit, 0.99),
        latency(CacheCall::kLookupMiss, 0.5), latency(CacheCall::kInsert, 0.5),
        latency(CacheCall::kInsert, 0.99));
    if (!warning.empty()) {
      warnings += fmt::format("! {}: {}\n", result.cache.name, Printable(warning));
    }
  }
  return text + warnings;
}

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
