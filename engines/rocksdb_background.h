// RocksDB's own threads and the rate at which they write, for which its parser has no words.
// Cold code, for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_
#define LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_

#include "levelfield/engine.h"
#include "rocksdb_library.h"

namespace levelfield {

// Of the process's only Env, which all stores of the process share.
inline void SetRocksDbThreads(const EngineSettings& settings) {
  const RocksDbOwned<rocksdb_env_t, "rocksdb_env_destroy"> env(ROCKSDB(create_default_env));
  const auto threads = [&](const char* name) { return static_cast<int>(settings.Number(name, 0)); };
  if (const int high = threads("num_high_pri_threads"); high != 0) {
    ROCKSDB(env_set_high_priority_background_threads, env.get(), high);
  }
  if (const int low = threads("num_low_pri_threads"); low != 0) {
    ROCKSDB(env_set_low_priority_background_threads, env.get(), low);
  }
  if (const int bottom = threads("num_bottom_pri_threads"); bottom != 0) {
    ROCKSDB(env_set_bottom_priority_background_threads, env.get(), bottom);
  }
  if (settings.Flag("enable_io_prio", false)) {
    ROCKSDB(env_lower_thread_pool_io_priority, env.get());
    ROCKSDB(env_lower_high_priority_thread_pool_io_priority, env.get());
  }
  if (settings.Flag("enable_cpu_prio", false)) {
    ROCKSDB(env_lower_thread_pool_cpu_priority, env.get());
    ROCKSDB(env_lower_high_priority_thread_pool_cpu_priority, env.get());
  }
}

// Whether a limiter of more than a rate is asked for. A rate alone RocksDB's parser takes, with
// this period.
inline bool HasRocksDbRate(const EngineSettings& settings) {
  constexpr uint64_t kOwnPeriodUs = 100'000;
  return settings.Number("rate_limiter_refill_period_us", kOwnPeriodUs) != kOwnPeriodUs ||
         settings.Flag("rate_limiter_auto_tuned", false) ||
         settings.Flag("rate_limit_bg_reads", false);
}

inline lf_code SetRocksDbRate(const EngineSettings& settings, rocksdb_options_t* options) {
  if (!HasRocksDbRate(settings)) return LF_OK;
  const uint64_t rate = settings.Number("rate_limiter_bytes_per_sec", 0);
  if (rate == 0) {
    return Unsupported(
        "RocksDB: rate_limiter_refill_period_us, rate_limiter_auto_tuned and rate_limit_bg_reads "
        "are "
        "of the limiter that rate_limiter_bytes_per_sec makes: say that, too");
  }
  const char* const function = "rocksdb_ratelimiter_create_with_mode";
  const auto create =
      LaterRocksDbFunction<rocksdb_ratelimiter_t*(int64_t, int64_t, int32_t, int, bool)>(function);
  if (create == nullptr) return LacksRocksDbFunction("rate_limiter_bytes_per_sec", function);
  constexpr int32_t kFairness = 10;  // RocksDB's own.
  constexpr int kReadsOnly = 0, kWritesOnly = 1;
  const RocksDbOwned<rocksdb_ratelimiter_t, "rocksdb_ratelimiter_destroy"> limiter(
      create(static_cast<int64_t>(rate),
             static_cast<int64_t>(settings.Number("rate_limiter_refill_period_us", 100'000)),
             kFairness, settings.Flag("rate_limit_bg_reads", false) ? kReadsOnly : kWritesOnly,
             settings.Flag("rate_limiter_auto_tuned", false)));
  ROCKSDB(options_set_ratelimiter, options, limiter.get());
  return LF_OK;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_
