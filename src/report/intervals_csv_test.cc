#include <gtest/gtest.h>

#include <algorithm>

#include "report/csv.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

Result OneRun() {
  Result result;
  result.runs.resize(1);
  result.runs[0].round = 3;
  return result;
}

StoredInterval Example() {
  Histogram histogram;
  for (uint64_t ns = 1; ns <= 2000; ++ns) histogram.Add(ns % 100 + 1);
  histogram.Add(5'000'000'000);
  Histogram responses;
  for (int i = 0; i < 2001; ++i) responses.Add(200);
  StoredInterval stored{.run = 0,
                        .phase = 2,
                        .engine = "rocksdb",
                        .workload = "a,\"b\"",
                        .interval = {.begin_ms = 1000, .end_ms = 3000, .roles = {}}};
  stored.interval.roles.push_back({.name = "reader",
                                   .operations = 2001,
                                   .lanes = {{.operation = "get",
                                              .latency_ns = SparseHistogram(histogram),
                                              .response_ns = SparseHistogram(responses)},
                                             {.operation = "put", .latency_ns = {}}}});
  stored.interval.roles.push_back({.name = "untimed", .operations = 4, .lanes = {}});
  return stored;
}

TEST(IntervalsCsv, HasARowForEachOperationOfEachRole) {
  EXPECT_EQ(IntervalRows(OneRun(), Example()),
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,reader,2001,1000.5,get,2001,51,100,,"
            "5000000000,2001,200,200,,200\n"
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,reader,2001,1000.5,put,0,,,,,,,,,\n"
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,untimed,4,2.0,,,,,,,,,,,\n");
}

TEST(IntervalsCsv, EveryRowHasTheColumnsOfTheHeader) {
  StoredInterval stored = Example();
  stored.workload = "plain";
  stored.interval.end_ms = stored.interval.begin_ms;  // Over at once: no rate.
  const std::string text = IntervalsHeader() + IntervalRows(OneRun(), stored);
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string line = text.substr(begin, end - begin);
    EXPECT_EQ(std::ranges::count(line, ','), 20) << line;
    begin = end + 1;
  }
}

}  // namespace
}  // namespace levelfield
