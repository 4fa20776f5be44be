// RocksDB's own threads, the rate at which they and perhaps others write, and what is counted
// against its cache: all for which its parser has no words.
// Cold code, for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_
#define LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_

#include <string>
#include <string_view>

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

// What the limiter counts of the calls themselves. Each needs the kind of limiter that looks at it.
inline lf_code SetRocksDbUserLimits(const EngineSettings& settings, rocksdb_readoptions_t* read,
                                    rocksdb_writeoptions_t* write) {
  constexpr int kUser = 3;  // Env::IO_USER.
  const bool has_limiter = settings.Number("rate_limiter_bytes_per_sec", 0) != 0;
  const bool limits_reads = settings.Flag("rate_limit_bg_reads", false);
  if (settings.Flag("rate_limit_user_ops", false)) {
    if (!has_limiter || !limits_reads) {
      return Unsupported(
          "RocksDB: rate_limit_user_ops: counts reads, at which a limiter looks with both "
          "rate_limiter_bytes_per_sec and rate_limit_bg_reads=1: say them, too");
    }
    const char* const function = "rocksdb_readoptions_set_rate_limiter_priority";
    const auto set = LaterRocksDbFunction<void(rocksdb_readoptions_t*, int)>(function);
    if (set == nullptr) return LacksRocksDbFunction("rate_limit_user_ops", function);
    set(read, kUser);
  }
  if (settings.Flag("rate_limit_auto_wal_flush", false)) {
    if (!has_limiter || limits_reads || settings.Durability() == "none") {
      return Unsupported(
          "RocksDB: rate_limit_auto_wal_flush: counts writes of the log, of which "
          "--durability=none has none, and at which a limiter looks with "
          "rate_limiter_bytes_per_sec and without rate_limit_bg_reads: say so, too");
    }
    const char* const function = "rocksdb_writeoptions_set_rate_limiter_priority";
    const auto set = LaterRocksDbFunction<void(rocksdb_writeoptions_t*, int)>(function);
    if (set == nullptr) return LacksRocksDbFunction("rate_limit_auto_wal_flush", function);
    set(write, kUser);
  }
  return LF_OK;
}

// Memtables take room in the cache.
inline lf_code CountRocksDbMemtables(const EngineSettings& settings, rocksdb_cache_t* cache,
                                     rocksdb_options_t* options) {
  struct Manager;  // A header of before may lack its name.
  const char* const function = "rocksdb_write_buffer_manager_create_with_cache";
  const auto create =
      LaterRocksDbFunction<Manager*(size_t, const rocksdb_cache_t*, bool)>(function);
  const auto set = LaterRocksDbFunction<void(rocksdb_options_t*, Manager*)>(
      "rocksdb_options_set_write_buffer_manager");
  const auto destroy = LaterRocksDbFunction<void(Manager*)>("rocksdb_write_buffer_manager_destroy");
  if (create == nullptr || set == nullptr || destroy == nullptr) {
    return LacksRocksDbFunction("cost_write_buffer_to_cache", function);
  }
  const std::string_view size = settings.Text("db_write_buffer_size", "0");
  if (size.find_first_not_of("0123456789") != size.npos) {
    return Unsupported("RocksDB: db_write_buffer_size=" + std::string(size) +
                       " with cost_write_buffer_to_cache: say it in bytes, as a whole number");
  }
  Manager* const manager =
      create(settings.Number("db_write_buffer_size", 0), cache, /*allow_stall=*/false);
  set(options, manager);
  destroy(manager);  // The options keep what it is of.
  return LF_OK;
}

// Null, with an error, where it cannot be opened.
inline rocksdb_backup_engine_t* OpenLimitedRocksDbBackup(const char* directory, uint64_t limit,
                                                         rocksdb_env_t* env, char** error) {
  const RocksDbOwned<rocksdb_backup_engine_options_t, "rocksdb_backup_engine_options_destroy"> how(
      ROCKSDB(backup_engine_options_create, directory));
  ROCKSDB(backup_engine_options_set_backup_rate_limit, how.get(), limit);
  return ROCKSDB(backup_engine_open_opts, how.get(), env, error);
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_BACKGROUND_H_
