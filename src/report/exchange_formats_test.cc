// What other programs' services read: Bencher, and Kubernetes' perfdash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "result/rounds_for_test.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield::exchange_formats_test {

// So many rounds of 1000 gets a second, 1001, ...
Result RoundsOf(uint64_t rounds) {
  Result result;
  for (uint64_t round = 1; round <= rounds; ++round) {
    result.runs.push_back(RoundOf("leveldb", round, 999 + round, 2'000'000));
  }
  return result;
}

nlohmann::json Bencher(const Result& result) {
  return nlohmann::json::parse(BencherFile({}, *BencherEntriesOf(result, "", Settings())));
}

nlohmann::json Perfdash(const Result& result) {
  return nlohmann::json::parse(PerfdashFile({}, *PerfdashItemsOf(result, "", Settings())));
}

TEST(BencherJson, HasTheMeanOfEachWorkloadWithItsInterval) {
  const auto file = Bencher(RoundsOf(7));
  const auto& measures = file.at("leveldb/readrandom");
  const auto value_of = [&](const char* measure, const char* name) {
    return measures.at(measure).at(name).get<double>();
  };
  EXPECT_NEAR(value_of("throughput", "value"), 1003, 0.01);
  EXPECT_NEAR(value_of("throughput", "lower_value"), 1001, 0.01);
  EXPECT_NEAR(value_of("throughput", "upper_value"), 1005, 0.01);
  EXPECT_DOUBLE_EQ(value_of("latency", "value"), 1e9 / value_of("throughput", "value"));
  EXPECT_DOUBLE_EQ(value_of("latency", "upper_value"),
                   1e9 / value_of("throughput", "lower_value"));
}

TEST(BencherJson, HasNoBoundsOfTooFewRoundsAndNothingOfWhatFailed) {
  Result result = RoundsOf(1);
  EXPECT_FALSE(Bencher(result).at("leveldb/readrandom").at("throughput").contains("lower_value"));
  result.runs[0].phases[0].outcome = Outcome::kFailed;
  EXPECT_EQ(Bencher(result), nlohmann::json::object());
}

// As `levelfield noise` runs it.
TEST(ExchangeFormats, HaveANameForEachSideOfAnEngineThatIsComparedWithItself) {
  Result result;
  for (uint64_t round = 1; round <= 2; ++round) {
    for (const uint64_t gets : {1000, 2000}) {
      result.runs.push_back(RoundOf("leveldb", round, gets));
    }
  }
  const auto bencher = Bencher(result);
  ASSERT_EQ(bencher.size(), 2u);
  EXPECT_EQ(bencher.at("leveldb/readrandom").at("throughput").at("value"), 1000);
  EXPECT_EQ(bencher.at("leveldb (2)/readrandom").at("throughput").at("value"), 2000);
  EXPECT_EQ(Perfdash(result).at("dataItems").back().at("labels").at("Engine"), "leveldb (2)");
  const auto google = nlohmann::json::parse(
      GoogleBenchmarkFile({}, *GoogleBenchmarkEntriesOf(result, "", Settings())));
  std::string names;
  for (const auto& entry : google.at("benchmarks")) {
    names += entry.at("name").get<std::string>() + " ";
  }
  EXPECT_EQ(names,
            "leveldb/readrandom/num: leveldb (2)/readrandom/num: "
            "leveldb/readrandom/num: leveldb (2)/readrandom/num: ");
  const std::string rows = *CsvRowsOf(result, "", Settings());
  EXPECT_EQ(std::ranges::count(rows, '\n'), 4);
  EXPECT_THAT(rows, testing::ContainsRegex(",leveldb,.*\n.*,leveldb .2.,.*\n"));
}

TEST(PerfdashJson, HasTheRateAndPercentilesInMilliseconds) {
  const auto file = Perfdash(RoundsOf(100));
  EXPECT_EQ(file.at("version"), "v1");
  ASSERT_EQ(file.at("dataItems").size(), 2u);
  const auto& rate = file.at("dataItems")[0];
  EXPECT_EQ(rate.at("unit"), "1/s");
  EXPECT_EQ(rate.at("labels").at("Workload"), "readrandom");
  const auto& latency = file.at("dataItems")[1];
  EXPECT_EQ(latency.at("unit"), "ms");
  EXPECT_NEAR(latency.at("data").at("Perc50").get<double>(), 2, 0.1);
}

TEST(PerfdashJson, IsAWholeFileWithoutAnyFigure) {
  EXPECT_EQ(Perfdash(Result()).at("dataItems"), nlohmann::json::array());
}

}  // namespace levelfield::exchange_formats_test
