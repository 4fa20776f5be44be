#include "worker/cache_worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/json_text.h"
#include "base/quote.h"
#include "base/units.h"
#include "engine/loader.h"
#include "process/process.h"
#include "worker/cache_phase.h"

namespace levelfield {
namespace {

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
