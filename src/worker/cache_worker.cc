#include "worker/cache_worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/status.h"
#include "base/units.h"
#include "engine/loader.h"
#include "levelfield/cache_abi.h"
#include "operations/task.h"
#include "process/process.h"
#include "result/cache_result.h"
#include "settings/dialects/cache_bench.h"
#include "worker/phase.h"

namespace levelfield {

namespace {

constexpr double kMostDriftPpm = 50;

}  // namespace

CachePhase SumUp(const CacheBenchSettings& settings, const std::vector<ThreadResult>& threads) {
  CachePhase phase;
  phase.threads = threads.size();
  uint64_t first_ns = UINT64_MAX;
  uint64_t last_ns = 0;
  for (const ThreadResult& thread : threads) {
    const CacheWork& work = thread.cache;
    const auto& done = work.operations;
    if (std::accumulate(done.begin(), done.end(), uint64_t{0}) != settings.ops_per_thread) {
      phase.problem = "a thread ran another number of operations than was asked for";
    }
    for (size_t i = 0; i < kCacheOperations; ++i) phase.counts.operations[i] += done[i];
    for (const ThreadLane& lane : thread.lanes) {
      phase.counts.calls[lane.number] += lane.tally.operations;
      phase.latency_ns[lane.number].Merge(lane.latency_ns);
    }
    phase.counts.failed += work.failed;
    phase.counts.wrong += work.wrong;
    phase.thread_seconds += static_cast<double>(thread.end_ns - thread.start_ns) * 1e-9;
    phase.cpu_seconds += work.cpu_seconds;
    phase.making_seconds += work.making_seconds;
    phase.let_go += work.let_go;
    first_ns = std::min(first_ns, thread.start_ns);
    last_ns = std::max(last_ns, thread.end_ns);
  }
  phase.seconds = static_cast<double>(last_ns - first_ns) * 1e-9;
  return phase;
}

std::string ProblemOf(const CacheBenchSettings& settings, const CachePhase& phase) {
  if (!phase.problem.empty()) return phase.problem;
  const auto done = [&](CacheOperation operation) {
    return phase.counts.operations[static_cast<size_t>(operation)];
  };
  const auto calls = [&](CacheCall call) { return phase.counts.calls[static_cast<size_t>(call)]; };
  if (phase.counts.wrong > 0) {
    return fmt::format("wrong: {} of {} hits gave a value that was not inserted for the key",
                       phase.counts.wrong, calls(CacheCall::kLookupHit));
  }
  if (phase.Operations() != phase.threads * settings.ops_per_thread) {
    return fmt::format("{} operations ran, {} were asked for", phase.Operations(),
                       phase.threads * settings.ops_per_thread);
  }
  for (size_t i = 0; i < kCacheOperations; ++i) {
    if ((settings.percent[i] == 0) != (phase.counts.operations[i] == 0) &&
        phase.Operations() >= 10'000) {
      return fmt::format("{}: {} % were asked for, {} ran", kCacheOperationNames[i],
                         settings.percent[i], phase.counts.operations[i]);
    }
  }
  const uint64_t lookups = done(CacheOperation::kLookup) + done(CacheOperation::kLookupInsert);
  if (lookups != phase.Lookups()) {
    return fmt::format("{} lookups, but {} hits and misses", lookups, phase.Lookups());
  }
  const uint64_t erases = calls(CacheCall::kEraseHit) + calls(CacheCall::kEraseMiss);
  if (erases != done(CacheOperation::kErase)) {
    return fmt::format("{} erases, but {} hits and misses", done(CacheOperation::kErase), erases);
  }
  for (size_t i = 0; settings.histograms && i < kCacheCallKinds; ++i) {
    if (phase.latency_ns[i].Count() != phase.counts.calls[i]) {
      return fmt::format("{}: {} calls, but {} latencies", kCacheCallNames[i],
                         phase.counts.calls[i], phase.latency_ns[i].Count());
    }
  }
  const uint64_t went_in = phase.populated + phase.Inserts() - phase.counts.failed;
  if (went_in != phase.let_go) {
    return fmt::format("wrong: {} values went in, {} were let go", went_in, phase.let_go);
  }
  if (phase.counts.failed > 0) {
    return fmt::format("{} of {} inserts failed", phase.counts.failed, phase.Inserts());
  }
  if (std::abs(phase.clock_drift_ppm) > kMostDriftPpm) {
    return fmt::format(
        "the time-stamp counter ran away from CLOCK_MONOTONIC by {:.0f} ppm; run it "
        "again",
        phase.clock_drift_ppm);
  }
  return "";
}

namespace {

// A fresh cache, filled if that was asked for, then a role that calls it, run as those of a
// workload are, then the cache's end; and whether the numbers hold. `progress` hears now and then
// how many operations are done.
StatusOr<CachePhase> RunCachePhase(const CacheBenchSettings& settings, const lf_cache_table& table,
                                   const lf_cache_options& options, size_t key_size,
                                   const Clock& clock, bool payload, uint64_t threads,
                                   const std::function<void(uint64_t)>& progress) {
  lf_cache* made = nullptr;
  if (table.create(&options, &made) != LF_OK || made == nullptr) {
    return Status::Failed(fmt::format("cannot make the cache: {}", table.last_error()));
  }
  const CacheTask cache{.settings = settings,
                        .table = table,
                        .cache = made,
                        .key_size = key_size,
                        .payload = payload,
                        .threads = threads};
  const uint64_t let_go_before = ValuesLetGo();
  const uint64_t populated = Populate(cache, progress);
  Workload workload;
  workload.name = "cache_bench";
  workload.need = StoreNeed::kNone;
  Role& role = workload.roles.emplace_back();
  role.name = "threads";
  role.operation = &kCacheCalls;
  role.threads = threads;
  role.operations = threads * settings.ops_per_thread;
  Settings of_run;
  of_run.histogram = settings.histograms;
  of_run.interval_seconds = 0;
  PhaseContext context;
  context.workload = &workload;
  context.settings = &of_run;
  context.clock = &clock;
  context.cache = &cache;
  context.is_interrupted = [] { return false; };  // Its end is the driver's to bring about.
  context.report_progress = [&](uint64_t done, uint64_t) { progress(populated + done); };
  const PhaseRun run = RunPhase(context);
  CachePhase phase = SumUp(settings, run.roles.front().results);
  if (run.code != LF_OK) phase.problem = run.error;
  phase.payload = payload;
  phase.populated = populated;
  phase.clock_drift_ppm = settings.histograms ? clock.DriftPpm() : 0;
  phase.usage = table.usage(made);
  if (table.counters != nullptr) {
    table.counters(made, &phase.counters, [](void* counters, const char* name, uint64_t value) {
      static_cast<decltype(phase.counters)*>(counters)->emplace_back(name, value);
    });
  }
  table.destroy(made);
  phase.let_go += ValuesLetGo() - let_go_before;
  phase.problem = ProblemOf(settings, phase);
  return phase;
}

using Json = nlohmann::ordered_json;

void Tell(const Json& event) { TellParent(JsonText(event) + "\n"); }

Status TellFailure(Status status) {
  Tell({{"error", status.message()}, {"usage", status.kind() == ErrorKind::kUsage}});
  return status;
}

// The least that reading the clock twice takes here; it is in every latency.
double ClockNs(const Clock& clock) {
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 100; ++round) {
    const uint64_t start = MonotonicNs();
    for (int i = 0; i < 100; ++i) {
      if (clock.is_tsc()) {
        (void)TscTicks::Now();
        (void)TscTicks::Now();
      } else {
        (void)MonotonicTicks::Now();
        (void)MonotonicTicks::Now();
      }
    }
    least = std::min(least, MonotonicNs() - start);
  }
  return static_cast<double>(least) / 100;
}

// What the cache makes of the settings; refused where they ask for what it cannot.
StatusOr<CacheDescription> Describe(const CacheBenchSettings& settings,
                                    const lf_cache_table& table) {
  CacheDescription cache{.name = table.name,
                         .summary = table.summary,
                         .license = table.license,
                         .facts = FactsOf(table),
                         .shard_bits = settings.num_shard_bits,
                         .key_size = settings.key_size,
                         .notes = {},
                         .clock_ns = 0,
                         .clock = ""};
  const int32_t fixed = table.fixed_shard_bits;
  if (fixed >= 0 && fixed != settings.num_shard_bits) {
    if (settings.shards_are_given) {
      return Status::Usage(fmt::format(
          "--num_shard_bits={}: {} has 2^{} shards, always; leave the flag out, or give it {}",
          settings.num_shard_bits, table.name, fixed, fixed));
    }
    cache.notes.push_back(fmt::format("has 2^{} shards, always", fixed));
    cache.shard_bits = fixed;
  }
  if (table.key_bytes != 0 && table.key_bytes != settings.key_size) {
    cache.notes.push_back(
        fmt::format("takes keys of {} bytes, in place of {}", table.key_bytes, settings.key_size));
    cache.key_size = table.key_bytes;
  }
  if (table.keeps_first != 0) {
    cache.notes.push_back("an insert of a key that is there leaves it as it is");
  }
  if (cache.key_size > 16) {
    return Status::Failed(fmt::format("{}: takes keys of {} bytes; up to 16 can be made",
                                      table.name, table.key_bytes));
  }
  if (settings.charges_metadata && table.charges_metadata == 0) {
    cache.notes.push_back("counts values alone: what it takes itself comes on top of cache_size");
  }
  return cache;
}

lf_cache_options OptionsOf(const CacheBenchSettings& settings, const CacheDescription& cache) {
  return {.struct_bytes = sizeof(lf_cache_options),
          .capacity = settings.cache_size,
          .shard_bits = static_cast<int32_t>(cache.shard_bits),
          .entry_charge = settings.entry_charge,
          .charge_metadata = settings.charges_metadata ? 1 : 0};
}

Status Run(const std::vector<std::string>& words) {
  constexpr size_t kOwnWords = 3;
  if (words.size() < kOwnWords) return Status::Failed("a worker got no cache");
  const std::string& name = words[0];
  const std::string& what = words[1];
  ASSIGN_OR_RETURN(const uint64_t threads, ParseCount(words[2]));
  ASSIGN_OR_RETURN(const CacheBenchWords split,
                   SplitCacheBenchWords({words.begin() + kOwnWords, words.end()}));
  const auto directory = CacheDirectory();
  ASSIGN_OR_RETURN(const CacheBenchSettings settings,
                   ParseCacheBench(split, FindCaches(directory)));
  ASSIGN_OR_RETURN(const lf_cache_table* const loaded, LoadCache(directory, name));
  const lf_cache_table& table = *loaded;
  if (table.name != name) {
    return Status::Failed(
        fmt::format("the plug-in of {} calls itself {}", name, Quote(table.name)));
  }
  StatusOr<CacheDescription> cache = Describe(settings, table);
  if (!cache.ok()) return cache.status();
  const lf_cache_options options = OptionsOf(settings, *cache);
  if (table.create(&options, nullptr) != LF_OK) {
    return Status::Usage(fmt::format("{}: {}", name, table.last_error()));
  }
  if (what == "describe") {
    Tell({{"cache", ToJson(*cache)}});
    return Status::Ok();
  }
  const Clock clock = Clock::Calibrate(true);
  cache->clock_ns = settings.histograms ? ClockNs(clock) : 0;
  cache->clock = !settings.histograms ? "not read"
                 : clock.is_tsc()     ? "time-stamp counter"
                                      : "CLOCK_MONOTONIC: " + clock.reason();
  Tell({{"cache", ToJson(*cache)}});
  uint64_t told = 0;
  uint64_t told_ns = 0;
  // Where nothing is done nothing is told, which is how a cache that hangs is seen.
  const auto progress = [&](uint64_t operations) {
    const uint64_t now_ns = MonotonicNs();
    if (operations == told || now_ns - told_ns < 500'000'000) return;
    told = operations;
    told_ns = now_ns;
    Tell({{"operations", operations}});
  };
  const StatusOr<CachePhase> phase = RunCachePhase(settings, table, options, cache->key_size, clock,
                                                   what == "payload", threads, progress);
  if (!phase.ok()) return phase.status();
  Tell({{"phase", ToJson(*phase)}});
  return Status::Ok();
}

}  // namespace

int RunCacheWorker(const std::vector<std::string>& words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Status status = Run(words);
  if (!status.ok()) (void)TellFailure(status);
  // Not through the libraries' own destructors: what matters of their end was measured.
  _exit(0);
}

}  // namespace levelfield
