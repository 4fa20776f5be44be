#include "report/db_bench/cache_bench_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr double kCachePercentiles[] = {0.5, 0.9, 0.99, 0.999};

// A file may lack any of these.
const RoleResult& RoleOf(const PhaseResult& phase) {
  static const RoleResult kNone;
  return phase.roles.empty() ? kNone : phase.roles.front();
}

const OperationStatistics& StatisticsOf(const PhaseResult& phase, std::string_view name) {
  static const OperationStatistics kNone;
  const auto& statistics = RoleOf(phase).statistics;
  const auto it = std::ranges::find(statistics, name, &OperationStatistics::operation);
  return it == statistics.end() ? kNone : *it;
}

SparseHistogram LatencyOf(const PhaseResult& phase, std::string_view name) {
  return StatisticsOf(phase, name).latency_ns.value_or(SparseHistogram());
}

const CacheResult& FiguresOf(const PhaseResult& phase) {
  static const CacheResult kNone;
  return phase.cache ? *phase.cache : kNone;
}

uint64_t OperationsOf(const PhaseResult& phase, std::string_view name) {
  uint64_t sum = 0;
  for (const auto& [kind, count] : FiguresOf(phase).operations) sum += kind == name ? count : 0;
  return sum;
}

double OperationsOf(const PhaseResult& phase) {
  uint64_t sum = 0;
  for (const auto& [kind, count] : FiguresOf(phase).operations) sum += count;
  return static_cast<double>(sum);
}

// Null: there is no such phase.
const PhaseResult* Find(const RunResult& run, bool payload, uint64_t threads) {
  for (const PhaseResult& phase : run.phases) {
    if (FiguresOf(phase).payload == payload && RoleOf(phase).threads == threads) return &phase;
  }
  return nullptr;
}

double HitRatio(const PhaseResult& phase) {
  const auto hits = static_cast<double>(StatisticsOf(phase, "lookup_hit").operations);
  const double lookups = hits + static_cast<double>(StatisticsOf(phase, "lookup_miss").operations);
  return lookups == 0 ? 0 : hits / lookups;
}

double ParallelRate(const PhaseResult& phase) {
  return RoleOf(phase).seconds > 0 ? OperationsOf(phase) / RoleOf(phase).seconds : 0;
}

// The rate per thread, like the original's "Thread ops/sec".
double ThreadRate(const PhaseResult& phase) {
  const double seconds = RoleOf(phase).thread_seconds;
  return seconds > 0 ? OperationsOf(phase) / seconds : 0;
}

// Processor time of an operation, without making its key.
double CpuNsPerOperation(const PhaseResult& phase) {
  const CacheResult& figures = FiguresOf(phase);
  const double operations = OperationsOf(phase);
  return operations > 0 ? (figures.cpu_seconds - figures.making_seconds) * 1e9 / operations : 0;
}

std::string PercentileText(const SparseHistogram& histogram, double p) {
  const std::optional<uint64_t> value = histogram.Percentile(p);
  return value ? std::to_string(*value) : "-";
}

// "lookup_hit" for the JSON, "lookup hit" for people.
std::string Spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

void AddOperations(const CacheBenchSettings& settings, const PhaseResult& phase,
                   std::string& text) {
  text += "Operations that ran:\n";
  for (size_t i = 0; i < kCacheOperations; ++i) {
    if (settings.percent[i] == 0) continue;
    const uint64_t count = OperationsOf(phase, kCacheOperationNames[i]);
    text += fmt::format(
        "  {:14} {:>12}  {:6.2f} % of {} % asked for\n", Spaced(kCacheOperationNames[i]), count,
        100.0 * static_cast<double>(count) / OperationsOf(phase), settings.percent[i]);
  }
}

void AddCalls(const CacheBenchSettings& settings, const PhaseResult& phase, std::string& text) {
  text +=
      settings.histograms
          ? "Calls, latency in ns:       count    average        p50        p90        p99      "
            "p99.9        max\n"
          : "Calls:                      count\n";
  for (const std::string_view name : kCacheCallNames) {
    const uint64_t count = StatisticsOf(phase, name).operations;
    if (count == 0) continue;
    text += fmt::format("  {:18} {:>12}", Spaced(name), count);
    if (settings.histograms) {
      const SparseHistogram latency = LatencyOf(phase, name);
      text += fmt::format(" {:>10.1f}",
                          static_cast<double>(latency.Sum()) / static_cast<double>(count));
      for (const double p : kCachePercentiles)
        text += fmt::format(" {:>10}", PercentileText(latency, p));
      text += fmt::format(" {:>10}", latency.Max());
    }
    text += "\n";
  }
  text += fmt::format("Lookup hit ratio: {:.4f} %\n", 100 * HitRatio(phase));
}

void AddPhase(const CacheBenchSettings& settings, const PhaseResult& phase, std::string& text) {
  text +=
      fmt::format("\n{}, {}:\n",
                  FiguresOf(phase).payload ? "With the payload (values are made, hashed and freed)"
                                           : "The cache alone (lean)",
                  Plural(RoleOf(phase).threads, "thread"));
  if (phase.outcome != Outcome::kOk) {
    text += fmt::format("VOID: {}\n", Printable(phase.message));
    return;
  }
  text += fmt::format("Complete in {:.3f} s; Rough parallel ops/sec = {:.0f}\n",
                      RoleOf(phase).seconds, ParallelRate(phase));
  text += fmt::format("Thread ops/sec = {:.0f}\n", ThreadRate(phase));
  AddOperations(settings, phase, text);
  AddCalls(settings, phase, text);
  text += fmt::format("Usage at the end: {}", FiguresOf(phase).usage);
  for (const auto& [name, value] : phase.counters) {
    text += fmt::format(", {} {}", Printable(name), value);
  }
  text += "\n";
}

void AddCost(const CacheBenchSettings& settings, const RunResult& run, std::string& text) {
  const PhaseResult* const both = Find(run, true, settings.threads);
  const PhaseResult* const alone = Find(run, false, settings.threads);
  if (alone == nullptr || run.outcome != Outcome::kOk) return;
  text += fmt::format(
      "\nCost of an operation, ns of a processor's time at {} (drawing its "
      "key, {:.1f} ns, is left out{}):\n",
      Plural(settings.threads, "thread"),
      FiguresOf(*alone).making_seconds * 1e9 / OperationsOf(*alone),
      settings.histograms ? fmt::format("; a reading of the clock before and after, {} ns, is in",
                                        TextIn(run.settings, "clock_ns"))
                          : "");
  if (both != nullptr) {
    const double payload = CpuNsPerOperation(*both) - CpuNsPerOperation(*alone);
    text += fmt::format(
        "  cache and payload {:>10.1f}\n  cache             {:>10.1f}\n"
        "  payload           {:>10.1f}{}\n",
        CpuNsPerOperation(*both), CpuNsPerOperation(*alone), payload,
        payload > 0 ? "" : " (less than what two runs differ by)");
  } else {
    text += fmt::format("  cache             {:>10.1f}\n", CpuNsPerOperation(*alone));
  }
}

void AddScaling(const CacheBenchSettings& settings, const RunResult& run, std::string& text) {
  if (!settings.scaling || run.outcome != Outcome::kOk) return;
  text += "\nScaling:   threads   ops/sec, cache   speed-up";
  text += settings.lean ? "\n" : "   ops/sec, with payload   speed-up\n";
  const std::vector<uint64_t> counts = settings.ThreadCounts();
  for (const uint64_t threads : counts) {
    text += fmt::format("  {:>16}", threads);
    for (const bool payload : {false, true}) {
      const PhaseResult* const first = Find(run, payload, counts.front());
      const PhaseResult* const phase = Find(run, payload, threads);
      if (first == nullptr || phase == nullptr) continue;
      text += fmt::format("{:>{}.0f} {:>10.2f}", ParallelRate(*phase), payload ? 24 : 17,
                          ParallelRate(*phase) / ParallelRate(*first));
    }
    text += "\n";
  }
}

}  // namespace

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

std::string CacheText(const CacheBenchSettings& settings, const RunResult& run) {
  std::string text = "----------------------------\n";
  const auto row = [&](std::string_view title, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:20}: {}\n", title, Printable(value));
  };
  const std::string summary = TextIn(run.settings, "summary");
  row("Cache type", run.engine + (summary.empty() ? "" : ": " + summary));
  row("Version", run.version);
  row("Library", run.library_path);
  row("Build", TextIn(run.settings, "build"));
  if (!run.clock.empty()) {
    const std::string shard_bits = TextIn(run.settings, "shard_bits");
    row("Num shard bits", shard_bits == "-1" ? "-1: as it chooses" : shard_bits);
    row("Key bytes", TextIn(run.settings, "key_size"));
    row("Clock", run.clock);
  }
  for (const std::string& note : run.notes) row("Note", note);
  if (!run.warning.empty()) text += "WARNING: " + Printable(run.warning) + "\n";
  if (!run.message.empty()) text += "FAILED: " + Printable(run.message) + "\n";
  for (const PhaseResult& phase : run.phases) AddPhase(settings, phase, text);
  AddCost(settings, run, text);
  AddScaling(settings, run, text);
  return text;
}

std::string ComparisonText(const CacheBenchSettings& settings, const std::vector<RunResult>& runs) {
  std::string text = fmt::format(
      "----------------------------\nAll at {}; latencies of the cache alone, in ns; cost "
      "of an operation in ns of a processor's time.\n\n"
      "{:20} {:>9} {:>12} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
      Plural(settings.threads, "thread"), "cache", "version", "ops/sec", "hit %", "cost", "payload",
      "hit p50", "hit p99", "miss p50", "ins. p50", "ins. p99");
  std::string warnings;
  for (const RunResult& run : runs) {
    const PhaseResult* const alone = Find(run, false, settings.threads);
    const PhaseResult* const both = Find(run, true, settings.threads);
    if (run.outcome != Outcome::kOk || alone == nullptr) {
      text += fmt::format("{:20} void, see above\n", run.engine);
      continue;
    }
    const auto latency = [&](std::string_view call, double p) {
      return PercentileText(LatencyOf(*alone, call), p);
    };
    text += fmt::format(
        "{:20} {:>9} {:>12.0f} {:>8.2f} {:>8.1f} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
        run.engine + (run.warning.empty() ? "" : " !"), run.version, ParallelRate(*alone),
        100 * HitRatio(*alone), CpuNsPerOperation(*alone),
        both == nullptr
            ? "-"
            : fmt::format("{:.1f}", CpuNsPerOperation(*both) - CpuNsPerOperation(*alone)),
        latency("lookup_hit", 0.5), latency("lookup_hit", 0.99), latency("lookup_miss", 0.5),
        latency("insert", 0.5), latency("insert", 0.99));
    if (!run.warning.empty()) {
      warnings += fmt::format("! {}: {}\n", run.engine, Printable(run.warning));
    }
  }
  return text + warnings;
}

}  // namespace levelfield
