// Where workload texts come from: the program itself, and files. Any thread.
#ifndef LEVELFIELD_WORKLOAD_FIND_WORKLOAD_H_
#define LEVELFIELD_WORKLOAD_FIND_WORKLOAD_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Why a benchmark of RocksDB's db_bench is not run here: it calls something of RocksDB's own that
// no engine table has, or that its C interface lacks. Empty: it is none of these.
std::string_view WhyNotRun(std::string_view name);
// All of these: (name, why).
std::span<const std::pair<std::string_view, std::string_view>> WorkloadsNotRun();

// The workloads compiled into the program, from workloads/*.workload: (name, text), sorted by name.
std::span<const std::pair<std::string_view, std::string_view>> BuiltinWorkloads();

// The benchmarks of the original programs, compiled in from workloads/db_bench_exact/*.workloads:
// (dialect, text). The text has one workload after another, each below a line `=== name`.
std::span<const std::pair<std::string_view, std::string_view>> ExactWorkloads();

// The text of a workload, which a run keeps beside its results.
struct WorkloadText {
  std::string name;
  std::string text;
};

// Finds a built-in. An unknown name is a usage error that suggests the nearest one.
StatusOr<WorkloadText> FindWorkload(const std::string& name);

// The built-in workloads that a pattern with * and ? names, sorted; what stands behind it, as
// `[X3]`, stands behind each. Any other text is itself. A pattern that matches none is a usage
// error.
StatusOr<std::vector<std::string>> WorkloadsNamed(const std::string& text);

// Whether it is the path of a workload's file, and no name: it ends in `.workload`.
bool IsWorkloadFile(std::string_view name_or_path);
// Reads such a file, at most one byte more than it may have.
StatusOr<WorkloadText> ReadWorkloadFile(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FIND_WORKLOAD_H_
