// Benchmarks of RocksDB's db_bench that are calls of RocksDB's own, which no engine's table has or
// which its C interface lacks: what they are and why they are not run here, for people who ask for
// one by its name.
#ifndef LEVELFIELD_WORKLOAD_NAMES_NOT_RUN_H_
#define LEVELFIELD_WORKLOAD_NAMES_NOT_RUN_H_

#include <string_view>

namespace levelfield {

// A sentence without its end; empty where the name is none of them.
std::string_view WhyNotRun(std::string_view name);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_NAMES_NOT_RUN_H_
