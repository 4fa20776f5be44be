#include "report/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "result/rounds_for_test.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield::csv_test {

std::string FieldOf(const std::string& row, const std::string& name) {
  const std::vector<std::string> names = Parts(Trim(CsvHeader()), ',');
  const auto at = static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  const std::vector<std::string> fields = Parts(row, ',');
  EXPECT_LT(at, names.size()) << name;
  return at < fields.size() ? fields[at] : "";
}

TEST(PhasesCsv, HasARowForEachWorkloadOfEachRoundWithItsNumbers) {
  Result result;
  result.name = "bench";
  result.runs = {RoundOf("leveldb", 1, 5000, 1200), RoundOf("leveldb", 2, 6000, 1300)};
  const std::string rows = *CsvRowsOf(result, "", Settings());
  EXPECT_EQ(std::ranges::count(rows, '\n'), 2);
  const std::string second = rows.substr(rows.find('\n') + 1);
  EXPECT_EQ(FieldOf(second, "result"), "bench");
  EXPECT_EQ(FieldOf(second, "round"), "2");
  EXPECT_EQ(FieldOf(second, "outcome"), "ok");
  EXPECT_EQ(FieldOf(second, "operations"), "6000");
  EXPECT_EQ(FieldOf(second, "operations_per_second"), "6000");
  EXPECT_EQ(FieldOf(second, "max_ns"), "1300");
}

TEST(PhasesCsv, SayWhetherResponseTimesAreUpperBounds) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  EXPECT_EQ(FieldOf(*CsvRowsOf(result, "", Settings()), "load_verdict"), "");
  LoadResult& load = result.runs[0].phases[0].roles[0].load.emplace();
  EXPECT_EQ(FieldOf(*CsvRowsOf(result, "", Settings()), "load_verdict"), "ok");
  load.verdict = LoadOutcome::kLateGenerator;
  EXPECT_EQ(FieldOf(*CsvRowsOf(result, "", Settings()), "load_verdict"), "late generator");
}

TEST(PhasesCsv, HasNoNumbersOfWhatFailed) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  result.runs[0].phases[0].outcome = Outcome::kFailed;
  result.runs[0].phases[0].message = "disk full";
  const std::string row = *CsvRowsOf(result, "", Settings());
  EXPECT_EQ(FieldOf(row, "outcome"), "failed");
  EXPECT_EQ(FieldOf(row, "message"), "disk full");
  EXPECT_EQ(FieldOf(row, "operations_per_second"), "");
}

TEST(PhasesCsv, EveryRowHasTheColumnsOfTheHeader) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  EXPECT_EQ(std::ranges::count(*CsvRowsOf(result, "", Settings()), ','),
            std::ranges::count(CsvHeader(), ','));
}

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
                        .round = 3,
                        .phase = 2,
                        .engine = "rocksdb",
                        .workload = "a,\"b\"",
                        .interval = {.begin_ms = 1000, .end_ms = 3000, .roles = {}}};
  stored.interval.roles.push_back({.name = "reader",
                                   .operations = 2001,
                                   .statistics = {{.operation = "get",
                                                   .latency_ns = SparseHistogram(histogram),
                                                   .response_ns = SparseHistogram(responses)},
                                                  {.operation = "put", .latency_ns = {}}}});
  stored.interval.roles.push_back({.name = "untimed", .operations = 4, .statistics = {}});
  return stored;
}

TEST(IntervalsCsv, HasARowForEachOperationOfEachRole) {
  EXPECT_EQ(IntervalRows(Example()),
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,reader,2001,1000.5,get,2001,51,100,,"
            "5000000000,2001,200,200,,200\n"
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,reader,2001,1000.5,put,0,,,,,,,,,\n"
            "0,3,rocksdb,2,\"a,\"\"b\"\"\",1.000,3.000,untimed,4,2.0,,,,,,,,,,,\n");
}

TEST(IntervalsCsv, EveryRowHasTheColumnsOfTheHeader) {
  StoredInterval stored = Example();
  stored.workload = "plain";
  stored.interval.end_ms = stored.interval.begin_ms;  // Over at once: no rate.
  const std::string text = IntervalsHeader() + IntervalRows(stored);
  for (const std::string& line : LinesOf(text)) {
    EXPECT_EQ(std::ranges::count(line, ','), 20) << line;
  }
}

}  // namespace levelfield::csv_test
