// What cache_bench prints. Pure; any thread.
#ifndef LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_
#define LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_

#include <string>
#include <vector>

#include "result/result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// The generation, the mix, the keys and the values, which all caches of a run have in common.
std::string SettingsText(const CacheBenchSettings& settings);
// One cache: what it is, its phases, what an operation costs, how it scales.
std::string CacheText(const CacheBenchSettings& settings, const RunResult& run);
// All caches beside each other.
std::string ComparisonText(const CacheBenchSettings& settings, const std::vector<RunResult>& runs);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_
