#include "result/hdr_log.h"

#include <sstream>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/random.h"

namespace levelfield::hdr_log_test {

Histogram Draws(size_t count) {
  Random random(9);
  Histogram histogram;
  for (size_t i = 0; i < count; ++i) histogram.Add(1 + (random.Next() >> (30 + random.Below(30))));
  return histogram;
}

// Whether HdrHistogram reads what is behind these heads, HdrLogExchange of tests/cases asks it.
TEST(HdrLog, HasTheHeadAndTheFieldsOfVersion13) {
  const std::string head = HdrLogHeader("rocksdb, fillrandom");
  EXPECT_THAT(head, StartsWith("#[rocksdb, fillrandom]\n"));
  EXPECT_THAT(head, HasSubstr("#[Histogram log format version 1.3]\n"));
  EXPECT_THAT(head, HasSubstr("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
                              "\"Interval_Compressed_Histogram\"\n"));
  Histogram histogram;
  histogram.Add(2'500'000);
  EXPECT_THAT(HdrLogLine("put", 1000, 2500, histogram),
              StartsWith("Tag=put,1.000,1.500,2.500,HISTFAAAA"));
}

TEST(HdrLog, AnEmptyIntervalIsALineToo) {
  EXPECT_THAT(HdrLogLine("get", 0, 1000, Histogram()),
              StartsWith("Tag=get,0.000,1.000,0.000,HISTFA"));
}

struct Row {
  double value = 0;
  double percentile = 0;
  uint64_t count = 0;
};

std::vector<Row> RowsOf(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Row row;
    if (fields >> row.value >> row.percentile >> row.count) rows.push_back(row);
  }
  return rows;
}

TEST(HdrPercentiles, GoUpToAllAndAgreeWithTheHistogram) {
  const Histogram histogram = Draws(100'000);
  const std::string text = HdrPercentiles(histogram);
  EXPECT_THAT(text, StartsWith("       Value     Percentile TotalCount 1/(1-Percentile)\n\n"));
  const std::vector<Row> rows = RowsOf(text);
  ASSERT_GT(rows.size(), 50u);
  for (size_t i = 1; i < rows.size(); ++i) {
    EXPECT_GE(rows[i].value, rows[i - 1].value);
    EXPECT_GT(rows[i].percentile, rows[i - 1].percentile);
    EXPECT_GE(static_cast<double>(rows[i].count), rows[i].percentile * 100'000 - 1e-3);
    const auto ours = histogram.Percentile(rows[i].percentile);
    if (ours && rows[i].percentile > 0.01) {
      EXPECT_NEAR(rows[i].value, static_cast<double>(*ours),
                  static_cast<double>(*ours) * 0.008 + 1);
    }
  }
  EXPECT_EQ(rows.front().percentile, 0);
  EXPECT_DOUBLE_EQ(rows[5].percentile, 0.5) << "five steps to the half";
  EXPECT_DOUBLE_EQ(rows[10].percentile, 0.75) << "and five to the half of what is left";
  EXPECT_EQ(rows.back().percentile, 1);
  EXPECT_EQ(rows.back().count, 100'000u);
  EXPECT_EQ(rows.back().value, static_cast<double>(histogram.Max()));
  EXPECT_THAT(text, HasSubstr("Total count    =       100000]"));
}

TEST(HdrPercentiles, OfOneValueAndOfNone) {
  Histogram one;
  one.Add(777);
  EXPECT_EQ(RowsOf(HdrPercentiles(one)).back().value, 777);
  EXPECT_EQ(RowsOf(HdrPercentiles(one)).back().percentile, 1);
  EXPECT_TRUE(RowsOf(HdrPercentiles(Histogram())).empty());
}

}  // namespace levelfield::hdr_log_test
