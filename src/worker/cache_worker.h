// A worker process for a cache: loads one, and describes it or measures it in one phase, so that no
// phase finds the heap that another one left.
#ifndef LEVELFIELD_WORKER_CACHE_WORKER_H_
#define LEVELFIELD_WORKER_CACHE_WORKER_H_

#include <string>
#include <string_view>
#include <vector>

#include "operations/task.h"
#include "result/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

inline constexpr std::string_view kCacheWorkerWord = "--cache-worker";

// The whole life of the process. Its words are the cache's name, "describe", "payload" or "lean", a
// number of threads, and the words that cache_bench was given. What it tells are JSON lines.
int RunCacheWorker(const std::vector<std::string>& words);

// Sums up, and checks that everything adds up: the operations are those that were asked for, each
// is found again among the calls, every value that went in came out once, none was wrong.
CachePhase SumUp(const CacheBenchSettings& settings, const std::vector<ThreadResult>& threads);
std::string ProblemOf(const CacheBenchSettings& settings, const CachePhase& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_WORKER_H_
