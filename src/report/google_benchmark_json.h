// Results as Google Benchmark writes its own, for the programs that read those: its compare.py, and
// services that follow benchmarks over commits. A round is a repetition; times are nanoseconds of
// an operation. Pure.
#ifndef LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_
#define LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "result/result.h"

namespace levelfield {

// Of results one after the other; of each, its entries are all that is kept. They are named
// engine/workload/num:1000000, and what failed is an error there.
class GoogleBenchmarkFile {
 public:
  void Add(const Result& result);
  // The whole file; its context is the first result's.
  std::string Text() const;

 private:
  nlohmann::ordered_json context_ = nlohmann::ordered_json::object();
  std::string entries_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_GOOGLE_BENCHMARK_JSON_H_
