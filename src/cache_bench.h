// The program under the name cache_bench: caches alone, in the flags of RocksDB's program of that
// name.
#ifndef LEVELFIELD_CACHE_BENCH_H_
#define LEVELFIELD_CACHE_BENCH_H_

#include <string_view>

#include "answer.h"

namespace levelfield {

bool IsCacheBench(std::string_view argv0);
Answer RunCacheBench(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_H_
