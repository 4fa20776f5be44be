// The output of cache_bench. Pure. Any thread may call.
#ifndef LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_
#define LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_

#include <string>
#include <vector>

#include "result/result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// The generation, the mix, the keys and the values, which all caches of a run share.
std::string SettingsText(const CacheBenchSettings& settings);
// One cache: its facts, its phases, the cost of an operation, its scaling.
std::string CacheText(const CacheBenchSettings& settings, const RunResult& run);
// All caches side by side.
std::string ComparisonText(const CacheBenchSettings& settings, const std::vector<RunResult>& runs);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_CACHE_BENCH_TEXT_H_
