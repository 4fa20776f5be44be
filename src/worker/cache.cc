#include "worker/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/quote.h"
#include "base/text.h"
#include "engine/loader.h"
#include "probe/machine.h"
#include "settings/dialects/cache_bench.h"
#include "worker/phase_conclusion.h"
#include "worker/roles_phase.h"
#include "worker/running_phase.h"
#include "worker/verifier.h"

namespace levelfield {
namespace {

// The shortest time that reading the clock twice takes here; every latency includes it.
double ClockNs(const Clock& clock) {
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 100; ++round) {
    const uint64_t start = MonotonicNs();
    for (int i = 0; i < 200; ++i) (void)(clock.is_tsc() ? TscTicks::Now() : MonotonicTicks::Now());
    least = std::min(least, MonotonicNs() - start);
  }
  return static_cast<double>(least) / 100;
}

struct MadeAs {
  int64_t shard_bits = 0;  // -1: as the cache chooses.
  uint64_t key_size = 0;
};

// How the cache is made for the settings, with notes on differences. A usage error if they ask for
// something that it cannot do.
StatusOr<MadeAs> Resolve(const CacheBenchSettings& settings, const lf_cache_table& table,
                         std::vector<std::string>& notes) {
  MadeAs made{.shard_bits = settings.num_shard_bits, .key_size = settings.key_size};
  const int32_t fixed = table.fixed_shard_bits;
  if (fixed >= 0 && fixed != settings.num_shard_bits) {
    if (settings.shards_are_given) {
      return Status::Usage(fmt::format(
          "--num_shard_bits={}: {} has 2^{} shards, always; leave the flag out, or give it {}",
          settings.num_shard_bits, table.name, fixed, fixed));
    }
    notes.push_back(fmt::format("has 2^{} shards, always", fixed));
    made.shard_bits = fixed;
  }
  if (table.key_bytes != 0 && table.key_bytes != settings.key_size) {
    notes.push_back(
        fmt::format("takes keys of {} bytes, in place of {}", table.key_bytes, settings.key_size));
    made.key_size = table.key_bytes;
  }
  if (table.keeps_first != 0) {
    notes.push_back("an insert of a key that is there leaves it as it is");
  }
  if (made.key_size > 16) {
    return Status::Failed(fmt::format("{}: takes keys of {} bytes; up to 16 can be made",
                                      table.name, table.key_bytes));
  }
  if (settings.charges_metadata && table.charges_metadata == 0) {
    notes.push_back("counts values alone: what it takes itself comes on top of cache_size");
  }
  return made;
}

// Its facts are its settings, except for those that every run has.
void AddFacts(const lf_cache_table& table, const MadeAs& made, RunResult& row) {
  row.settings = {{"summary", table.summary}, {"license", table.license}};
  for (auto& [name, value] : FactsOf(table)) {
    if (name == "version") {
      row.version = value;
    } else if (name == "warning") {
      row.warning = value;
    } else if (name == "library") {
      row.library_path = value;
    } else {
      row.settings.emplace_back(name, value);
    }
  }
  row.label = fmt::format("{} {}", EngineName(row.engine), row.version);
  row.settings.emplace_back("shard_bits", std::to_string(made.shard_bits));
  row.settings.emplace_back("key_size", std::to_string(made.key_size));
}

// The instruments of the measurement.
void AddInstruments(const CacheBenchSettings& settings, const Clock& clock, RunResult& row) {
  row.allocator = AllocatorInForce();
  row.cpus = ProcessorsText(ProcessorsInForce());
  row.clock = !settings.histograms ? "not read"
              : clock.is_tsc()     ? "time-stamp counter"
                                   : clock.Words();
  if (!settings.histograms) return;
  row.clock_kind = clock.kind();
  row.settings.emplace_back("clock_ns", fmt::format("{:.1f}", ClockNs(clock)));
}

Workload WorkloadOf(const CacheBenchSettings& settings, const CacheAsked& asked) {
  Workload workload;
  workload.name = asked.phase;
  workload.need = StoreNeed::kNone;
  Role& role = workload.roles.emplace_back();
  role.name = "threads";
  role.operation = &kCacheCalls;
  role.threads = asked.threads;
  role.operations = asked.threads * settings.ops_per_thread;
  return workload;
}

Status Measure(const WorkerSpec& spec, const CacheBenchSettings& settings,
               const lf_cache_table& table, const lf_cache_options& options, size_t key_size,
               Clock& clock, MessageWriter& events, const std::atomic<bool>& interrupted) {
  lf_cache* made = nullptr;
  if (table.create(&options, &made) != LF_OK || made == nullptr) {
    return Status::Failed(fmt::format("cannot make the cache: {}", table.last_error()));
  }
  const CacheTask cache{.settings = settings,
                        .table = table,
                        .cache = made,
                        .key_size = key_size,
                        .payload = spec.cache->payload,
                        .threads = spec.cache->threads};
  const Workload workload = WorkloadOf(settings, *spec.cache);
  PhaseResult result;
  result.workload = workload.name;
  result.outcome = Outcome::kOk;
  result.timed = settings.histograms;
  CacheResult& figures = result.cache.emplace(CacheResult{.payload = cache.payload});
  ProgressTicker ticker(events);
  const uint64_t planned = settings.Populated() + workload.roles.front().operations;
  const uint64_t let_go_before = ValuesLetGo();
  figures.populated = Populate(cache, [&](uint64_t done) { ticker.Tell(done, planned); });
  PhaseContext context;
  context.workload = &workload;
  context.settings = &spec.settings;
  context.clock = &clock;
  context.cache = &cache;
  context.is_interrupted = [&] { return interrupted.load(); };
  context.report_progress = [&](uint64_t done, uint64_t) {
    ticker.Tell(settings.Populated() + done, planned);
  };
  ResourceProbe resources(spec.directory);
  ConditionProbe conditions;
  const PhaseRun run = MeasurePhase(context, resources, conditions, result);
  SumUpCache(workload, run, result);
  result.clock_drift_ppm = settings.histograms ? clock.DriftPpm() : 0;
  figures.usage = table.usage(made);
  if (table.counters != nullptr) {
    table.counters(made, &result.counters, [](void* counters, const char* name, uint64_t value) {
      static_cast<decltype(result.counters)*>(counters)->emplace_back(name, value);
    });
  }
  table.destroy(made);
  figures.let_go += ValuesLetGo() - let_go_before;
  if (run.interrupted) {
    result.outcome = Outcome::kInterrupted;
  } else if (run.code != LF_OK) {
    result.outcome = Outcome::kFailed;
    result.message = run.error;
  } else {
    VerifyCache(settings, result);
  }
  events.Send(PhaseEnded{0, std::move(result)});
  return Status::Ok();
}

// Why the numbers do not hold; empty: they do.
std::string ContradictionOf(const CacheBenchSettings& settings, const PhaseResult& result) {
  const CacheResult& figures = *result.cache;
  const RoleResult& role = result.roles.front();
  const auto done = [&](CacheOperation operation) {
    return figures.operations[static_cast<size_t>(operation)].second;
  };
  const auto calls = [&](CacheCall call) {
    return role.statistics[static_cast<size_t>(call)].operations;
  };
  uint64_t all = 0;
  for (const auto& [name, count] : figures.operations) all += count;
  if (all != role.threads * settings.ops_per_thread) {
    return fmt::format("{} operations ran, {} were asked for", all,
                       role.threads * settings.ops_per_thread);
  }
  for (size_t i = 0; i < kCacheOperations; ++i) {
    const uint64_t count = figures.operations[i].second;
    if ((settings.percent[i] == 0) != (count == 0) && all >= 10'000) {
      return fmt::format("{}: {} % were asked for, {} ran", kCacheOperationNames[i],
                         settings.percent[i], count);
    }
  }
  const uint64_t lookups = done(CacheOperation::kLookup) + done(CacheOperation::kLookupInsert);
  const uint64_t answers = calls(CacheCall::kLookupHit) + calls(CacheCall::kLookupMiss);
  if (lookups != answers)
    return fmt::format("{} lookups, but {} hits and misses", lookups, answers);
  const uint64_t erases = calls(CacheCall::kEraseHit) + calls(CacheCall::kEraseMiss);
  if (erases != done(CacheOperation::kErase)) {
    return fmt::format("{} erases, but {} hits and misses", done(CacheOperation::kErase), erases);
  }
  for (const OperationStatistics& stats : role.statistics) {
    if (stats.latency_ns && stats.latency_ns->Count() != stats.operations) {
      return fmt::format("{}: {} calls, but {} latencies", stats.operation, stats.operations,
                         stats.latency_ns->Count());
    }
  }
  const OperationStatistics& inserts = role.statistics[static_cast<size_t>(CacheCall::kInsert)];
  const uint64_t went_in = figures.populated + inserts.hits;
  if (went_in != figures.let_go) {
    return fmt::format("wrong: {} values went in, {} were let go", went_in, figures.let_go);
  }
  if (inserts.misses == 0) return "";
  return fmt::format("{} of {} inserts failed", inserts.misses, inserts.operations);
}

}  // namespace

void SumUpCache(const Workload& workload, const PhaseRun& run, PhaseResult& result) {
  result.roles = Summarize(workload, run, result.timed);
  CacheResult& figures = *result.cache;
  for (const std::string_view name : kCacheOperationNames) {
    figures.operations.emplace_back(name, 0);
  }
  RoleResult& summary = result.roles.front();
  for (size_t t = 0; t < summary.threads; ++t) {
    const ThreadResult& thread = run.roles.front().results[t];
    for (size_t i = 0; i < kCacheOperations; ++i) {
      figures.operations[i].second += thread.cache.operations[i];
    }
    // One block of the stream is one operation with many calls.
    summary.thread_operations[t] = summary.thread_calls[t] = thread.Operations();
    figures.let_go += thread.cache.let_go;
    figures.cpu_seconds += thread.cache.cpu_seconds;
    figures.making_seconds += thread.cache.making_seconds;
  }
}

void VerifyCache(const CacheBenchSettings& settings, PhaseResult& result) {
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail = "each value that was found, and that each was let go once";
  const OperationStatistics& hits =
      result.roles.front().statistics[static_cast<size_t>(CacheCall::kLookupHit)];
  if (hits.wrong > 0) {
    result.outcome = Outcome::kWrong;
    result.message =
        fmt::format("wrong: {} of {} hits gave a value that was not inserted for the key",
                    hits.wrong, hits.operations);
    return;
  }
  result.void_because = ContradictionOf(settings, result);
}

Status RunCache(const WorkerSpec& spec, MessageWriter& events,
                const std::atomic<bool>& interrupted) {
  const auto directory = CacheDirectory();
  ASSIGN_OR_RETURN(const CacheBenchWords split, SplitCacheBenchWords(spec.cache->words));
  ASSIGN_OR_RETURN(const CacheBenchSettings settings,
                   ParseCacheBench(split, FindCaches(directory)));
  ASSIGN_OR_RETURN(const lf_cache_table* const table, LoadCache(directory, spec.engine));
  if (table->name != spec.engine) {
    return Status::Failed(
        fmt::format("the plug-in of {} calls itself {}", spec.engine, Quote(table->name)));
  }
  CacheDescribed described;
  described.run.engine = spec.engine;
  described.run.outcome = Outcome::kOk;
  const auto refuse = [&](const std::string& why) {
    described.run.outcome = Outcome::kUnsupported;
    described.run.message = why;
    events.Send(described);
    return Status::Ok();
  };
  const StatusOr<MadeAs> made = Resolve(settings, *table, described.run.notes);
  if (!made.ok()) {
    return made.status().kind() == ErrorKind::kUsage ? refuse(made.status().message())
                                                     : made.status();
  }
  AddFacts(*table, *made, described.run);
  const lf_cache_options options{.struct_bytes = sizeof(lf_cache_options),
                                 .capacity = settings.cache_size,
                                 .shard_bits = static_cast<int32_t>(made->shard_bits),
                                 .entry_charge = settings.entry_charge,
                                 .charge_metadata = settings.charges_metadata ? 1 : 0};
  if (table->create(&options, nullptr) != LF_OK) {
    return refuse(fmt::format("{}: {}", spec.engine, table->last_error()));
  }
  if (spec.cache->threads == 0) {
    events.Send(described);
    return Status::Ok();
  }
  Clock clock = Clock::Known(spec.clock);
  AddInstruments(settings, clock, described.run);
  events.Send(described);
  events.Send(StageBegan{0, Stage::kRun, false});
  return Measure(spec, settings, *table, options, made->key_size, clock, events, interrupted);
}

}  // namespace levelfield
