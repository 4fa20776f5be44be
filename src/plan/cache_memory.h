// What a phase needs of the machine's memory, reckoned beforehand and on the safe side, and how
// much of it there is. Any thread.
#ifndef LEVELFIELD_PLAN_CACHE_MEMORY_H_
#define LEVELFIELD_PLAN_CACHE_MEMORY_H_

#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/status.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

uint64_t MemoryNeed(const CacheBenchSettings& settings);

// The environment of a manifest (result/environment.h): what is free, within the cgroup's limit.
// 2^64-1 where neither is known.
uint64_t MemoryThere(const nlohmann::ordered_json& environment);

// A usage error where it does not fit, with what to make smaller.
Status CheckMemory(const CacheBenchSettings& settings, uint64_t there);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_CACHE_MEMORY_H_
