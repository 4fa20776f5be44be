#include "worker/cache_phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <memory>
#include <numeric>
#include <semaphore>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "loop/loop.h"
#include "operations/call_cache.h"

namespace levelfield {
namespace {

constexpr double kMostDriftPpm = 50;

template <class Value>
typename Value::Shape ShapeOf(const CacheBenchSettings& settings) {
  if constexpr (std::is_same_v<Value, PayloadValue>) {
    const auto random = static_cast<size_t>(
        std::ceil(settings.compressible_to_ratio * static_cast<double>(settings.value_bytes)));
    return {.bytes = settings.value_bytes,
            .random_bytes = std::clamp<size_t>(random, 1, settings.value_bytes)};
  } else {
    return {};
  }
}

// What a phase's threads have in common.
struct Context {
  const CacheBenchSettings& settings;
  const CacheTarget& target;
  const Clock& clock;
  uint64_t threads;
};

template <class Value, class Timer, class Pins>
void RunThread(const Context& context, uint64_t index, std::barrier<>& start, Timer timer,
               ThreadControl& control, CacheThread& thread) {
  OperationStream stream(context.settings, index);
  Value value(ShapeOf<Value>(context.settings),
              DeriveSeed(context.settings.seed, "cache values", "", index));
  Pins pins(context.target, context.settings.PinnedByThread(context.threads));
  CallCache<Value, Timer, Pins> operation(context.target, stream, value, timer, pins);
  KeyBlock block(KeyPlan(), KeyFormat(KeyShape(), 1, false), kStreamBlock);  // It draws its own.
  start.arrive_and_wait();
  thread.start_ns = MonotonicNs();
  const double cpu_start = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
  (void)RunLoop(operation, Untimed{}, block, context.settings.ops_per_thread, control);
  thread.end_ns = MonotonicNs();
  thread.cpu_seconds = CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
  thread.making_seconds = operation.making_seconds();
  pins.ReleaseAll(context.target);
  thread.counts = operation.counts();
  thread.let_go = values_let_go;
  thread.digest = value.digest();
}

template <class Value, class Pins>
void RunTimed(const Context& context, uint64_t index, std::barrier<>& start, ThreadControl& control,
              CacheThread& thread) {
  const auto run = [&](auto timer) {
    RunThread<Value, decltype(timer), Pins>(context, index, start, timer, control, thread);
  };
  Histogram* const histograms = thread.latency_ns.data();
  const uint64_t scale = context.clock.ns_per_tick_fixed();
  if (!context.settings.histograms) return run(Untimed{});
  if (context.clock.is_tsc()) return run(Timed<TscTicks>{scale, histograms});
  run(Timed<MonotonicTicks>{scale, histograms});
}

// Inserts that are not measured, on this thread. How many the cache took.
template <class Value>
uint64_t Populate(const Context& context, const std::function<void(uint64_t)>& progress) {
  const CacheTarget& target = context.target;
  const KeyDraw draw(context.settings);
  Random keys(DeriveSeed(context.settings.seed, "cache populate", "", 0));
  Value value(ShapeOf<Value>(context.settings), keys.Next());
  KeyBytes bytes;
  uint64_t inserted = 0;
  for (uint64_t i = 0; i < context.settings.Populated(); ++i) {
    const uint64_t key = draw.Draw(keys);
    if (i % kStreamBlock == 0) progress(i);
    void* const made = value.Make(key);
    const lf_code code = target.table.insert(target.cache, bytes.Of(key, target.key_size), made,
                                             target.charge, Value::LetGo, nullptr);
    if (code == LF_OK) {
      ++inserted;
    } else {
      Value::Discard(made);
    }
  }
  return inserted;
}

template <class Value>
CachePhase RunOn(const Context& context, const std::function<void(uint64_t)>& progress) {
  const uint64_t let_go_before = values_let_go;
  const uint64_t populated = Populate<Value>(context, progress);
  std::vector<CacheThread> threads(context.threads);
  std::vector<ThreadControl> controls(context.threads);
  std::string problem;
  std::counting_semaphore<> ended(0);
  uint64_t running = 0;
  {
    std::barrier start(static_cast<std::ptrdiff_t>(context.threads));
    std::vector<std::jthread> jthreads;
    const auto run = [&](uint64_t i) {
      context.settings.PinnedByThread(context.threads) == 0
          ? RunTimed<Value, NoPins>(context, i, start, controls[i], threads[i])
          : RunTimed<Value, RingOfPins>(context, i, start, controls[i], threads[i]);
      ended.release();
    };
    for (uint64_t i = 0; i < context.threads; ++i) {
      try {
        jthreads.emplace_back(run, i);
        ++running;
      } catch (const std::system_error& error) {
        problem = fmt::format("a thread of {} cannot be started: {}", context.threads,
                              error.code().message());
        start.arrive_and_drop();
      }
    }
    while (running > 0) {
      running -= ended.try_acquire_for(std::chrono::milliseconds(100)) ? 1 : 0;
      uint64_t operations = populated;
      for (const ThreadControl& control : controls) operations += control.operations.load();
      progress(operations);
    }
  }
  CachePhase phase = SumUp(context.settings, threads);
  if (phase.problem.empty()) phase.problem = problem;
  phase.populated = populated;
  phase.clock_drift_ppm = context.settings.histograms ? context.clock.DriftPpm() : 0;
  const CacheTarget& target = context.target;
  phase.usage = target.table.usage(target.cache);
  if (target.table.counters != nullptr) {
    target.table.counters(
        target.cache, &phase.counters, [](void* counters, const char* name, uint64_t value) {
          static_cast<decltype(phase.counters)*>(counters)->emplace_back(name, value);
        });
  }
  target.table.destroy(target.cache);
  phase.let_go += values_let_go - let_go_before;
  return phase;
}

}  // namespace

CachePhase SumUp(const CacheBenchSettings& settings, const std::vector<CacheThread>& threads) {
  CachePhase phase;
  phase.threads = threads.size();
  uint64_t first_ns = UINT64_MAX;
  uint64_t last_ns = 0;
  for (const CacheThread& thread : threads) {
    const auto& done = thread.counts.operations;
    if (std::accumulate(done.begin(), done.end(), uint64_t{0}) != settings.ops_per_thread) {
      phase.problem = "a thread ran another number of operations than was asked for";
    }
    for (size_t i = 0; i < kCacheOperations; ++i) phase.counts.operations[i] += done[i];
    for (size_t i = 0; i < kCacheCalls; ++i) {
      phase.counts.calls[i] += thread.counts.calls[i];
      phase.latency_ns[i].Merge(thread.latency_ns[i]);
    }
    phase.counts.failed += thread.counts.failed;
    phase.counts.wrong += thread.counts.wrong;
    phase.thread_seconds += static_cast<double>(thread.end_ns - thread.start_ns) * 1e-9;
    phase.cpu_seconds += thread.cpu_seconds;
    phase.making_seconds += thread.making_seconds;
    phase.let_go += thread.let_go;
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
  for (size_t i = 0; settings.histograms && i < kCacheCalls; ++i) {
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
  lf_cache* cache = nullptr;
  if (table.create(&options, &cache) != LF_OK || cache == nullptr) {
    return Status::Failed(fmt::format("cannot make the cache: {}", table.last_error()));
  }
  const CacheTarget target{
      .table = table, .cache = cache, .key_size = key_size, .charge = settings.charge};
  const Context context{.settings = settings, .target = target, .clock = clock, .threads = threads};
  CachePhase phase =
      payload ? RunOn<PayloadValue>(context, progress) : RunOn<StampValue>(context, progress);
  phase.payload = payload;
  phase.problem = ProblemOf(settings, phase);
  return phase;
}

}  // namespace levelfield
