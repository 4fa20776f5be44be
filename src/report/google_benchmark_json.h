// Results as Google Benchmark writes its own, for the programs that read those: its compare.py, and
// services that follow benchmarks over commits. A round is a repetition; times are nanoseconds of
// an operation. Pure.
#ifndef LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_
#define LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// The entries of its `benchmarks`, named engine/workload/num:1000000. What failed is an error
// there.
nlohmann::ordered_json GoogleBenchmarks(const Result& result);

// The whole file, of one result or of several: the context is the first one's.
std::string RenderGoogleBenchmark(const std::vector<Result>& results);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_
