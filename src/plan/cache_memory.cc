#include "plan/cache_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/cache_result.h"

namespace levelfield {
namespace {

// An entry beside its value: 64 bytes a slot of HyperClockCache's table, which may be twice as
// large as it has to be and is filled to 70 %; LRU entries with their key and buckets take less.
constexpr uint64_t kEntryBytes = 192;
constexpr uint64_t kMallocBytes = 16;
constexpr double kShareOfMachine = 0.9;

}  // namespace

uint64_t MemoryNeed(const CacheBenchSettings& settings) {
  // More than the capacity only while handles hold what was evicted; and no more than is inserted.
  const uint64_t fit = settings.cache_size / settings.charge + 1;
  const uint64_t held = settings.PinnedByThread(settings.threads) * settings.threads;
  const uint64_t operations = settings.threads * settings.ops_per_thread;
  const uint64_t inserts = settings.Populated() + operations;
  const uint64_t entries = std::min({fit, inserts, settings.max_key}) + held;
  // The table of a HyperClockCache is there from the beginning.
  const bool is_fixed = std::ranges::any_of(settings.caches, [](const std::string& cache) {
    return cache.starts_with("rocksdb_hyper_clock");
  });
  const uint64_t slots = is_fixed ? settings.cache_size / settings.entry_charge + 1 : 0;
  const uint64_t threads =
      settings.threads * kCacheCallKinds * Histogram::kBuckets * sizeof(uint64_t) * 2;
  const uint64_t value_bytes = settings.lean ? 0 : settings.value_bytes + kMallocBytes;
  return std::max(entries, slots) * kEntryBytes + entries * value_bytes + threads;
}

uint64_t MemoryThere(const nlohmann::ordered_json& environment) {
  uint64_t there = UINT64_MAX;
  for (const char* const name : {"memory_available_bytes", "cgroup_memory_limit_bytes"}) {
    const auto it = environment.find(name);
    if (it != environment.end() && it->is_number_unsigned()) {
      there = std::min(there, it->get<uint64_t>());
    }
  }
  return there;
}

Status CheckMemory(const CacheBenchSettings& settings, uint64_t there) {
  const uint64_t need = MemoryNeed(settings);
  if (static_cast<double>(need) <= kShareOfMachine * static_cast<double>(there)) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--cache_size={}: with its values of {} bytes it may take {} MiB, and {} MiB are free here; "
      "ask for a smaller --cache_size",
      settings.cache_size, settings.value_bytes, need >> 20, there >> 20));
}

}  // namespace levelfield
