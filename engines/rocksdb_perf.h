// RocksDB's counters of each thread, its perf context, summed over the sessions of a store: what
// --rocksdb.perf_level asks for.
// https://github.com/facebook/rocksdb/wiki/Perf-Context-and-IO-Stats-Context
//
// A thread counts for itself. Its counters are read once, when its session ends.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_PERF_H_
#define LEVELFIELD_ENGINES_ROCKSDB_PERF_H_

#include <charconv>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "levelfield/engine.h"
#include "rocksdb_library.h"

namespace levelfield {

class RocksDbPerf {
 public:
  // `is_told`: somebody has asked for a level that counts, so the sums are counters of the store.
  void Begin(int level, bool is_told) {
    level_ = level;
    is_told_ = is_told;
  }

  // Both on the thread of the session.
  void BeginThread() {
    ROCKSDB(set_perf_level, level_);
    if (is_told_) ROCKSDB(perfcontext_reset, Context(ROCKSDB(perfcontext_create)).get());
  }
  void EndThread() {
    if (!is_told_) return;
    constexpr unsigned char kWithZeros = 0;
    const Context context(ROCKSDB(perfcontext_create));
    char* const report = ROCKSDB(perfcontext_report, context.get(), kWithZeros);
    Add(report);
    ROCKSDB(free, report);
  }

  void Tell(void* context, void (*sink)(void*, const char*, uint64_t)) {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, sum] : sums_) sink(context, name.c_str(), sum);
  }

 private:
  using Context = RocksDbOwned<rocksdb_perfcontext_t, "rocksdb_perfcontext_destroy">;

  // "block_cache_hit_count = 468, block_read_count = 580, "; those of levels have no number alone.
  void Add(std::string_view report) {
    const std::lock_guard lock(mutex_);
    while (!report.empty()) {
      const std::string_view one = report.substr(0, report.find(','));
      report.remove_prefix(std::min(one.size() + 1, report.size()));
      const size_t equals = one.find(" = ");
      if (equals == one.npos) continue;
      const std::string_view name = one.substr(one.find_first_not_of(" \n"), one.npos);
      const std::string_view digits = one.substr(equals + 3);
      uint64_t number = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (error != std::errc() || end != digits.data() + digits.size()) continue;
      sums_["perf_context." + std::string(name.substr(0, name.find(" = ")))] += number;
    }
  }

  int level_ = 2;
  bool is_told_ = false;
  std::mutex mutex_;
  std::map<std::string, uint64_t> sums_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_PERF_H_
