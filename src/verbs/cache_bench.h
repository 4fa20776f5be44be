// The program under the name cache_bench: caches alone, in the flags of RocksDB's program of that
// name.
#ifndef LEVELFIELD_VERBS_CACHE_BENCH_H_
#define LEVELFIELD_VERBS_CACHE_BENCH_H_

#include "verbs/answer.h"

namespace levelfield {

Answer RunCacheBench(const Words& words);

// `levelfield report` of a directory that it has made: the same tables, byte for byte, without any
// cache.
Answer ReportCacheBench(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_CACHE_BENCH_H_
