// A worker process for a cache: loads one, and describes it or measures it in one phase, so that no
// phase finds the heap that another one left.
#ifndef LEVELFIELD_WORKER_CACHE_WORKER_H_
#define LEVELFIELD_WORKER_CACHE_WORKER_H_

#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

inline constexpr std::string_view kCacheWorkerWord = "--cache-worker";

// The whole life of the process. Its words are the cache's name, "describe", "payload" or "lean", a
// number of threads, and the words that cache_bench was given. What it tells are JSON lines.
int RunCacheWorker(const std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_WORKER_H_
