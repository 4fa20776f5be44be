#include "worker/cache_phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

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

}  // namespace levelfield
