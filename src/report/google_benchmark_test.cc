#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "result/rounds_for_test.h"
#include "settings/report_formats.h"
#include "settings/settings.h"

namespace levelfield::google_benchmark_test {

std::string TextOf(const std::vector<Result>& results) {
  std::string entries;
  for (const Result& result : results) entries += *GoogleBenchmarkEntriesOf(result, "", Settings());
  return GoogleBenchmarkFile(results, entries);
}

TEST(GoogleBenchmarkJson, HasARepetitionForEachRound) {
  Result result;
  result.settings = {{"num", "1000000"}};
  result.runs = {RoundOf("leveldb", 1, 5000), RoundOf("leveldb", 2, 4000)};
  const auto file = nlohmann::json::parse(TextOf({result}));
  EXPECT_EQ(file.at("context").at("library_build_type"), "release");
  ASSERT_EQ(file.at("benchmarks").size(), 2u);
  const auto& second = file.at("benchmarks")[1];
  EXPECT_EQ(second.at("name"), "leveldb/readrandom/num:1000000");
  EXPECT_EQ(second.at("run_type"), "iteration");
  EXPECT_EQ(second.at("repetitions"), 2);
  EXPECT_EQ(second.at("repetition_index"), 1);
  EXPECT_EQ(second.at("iterations"), 4000);
  EXPECT_EQ(second.at("time_unit"), "ns");
  EXPECT_DOUBLE_EQ(second.at("real_time").get<double>(), 250'000);
  EXPECT_DOUBLE_EQ(second.at("items_per_second").get<double>(), 4000);
}

TEST(GoogleBenchmarkJson, IsWrittenAsAWholeOneIs) {
  const auto expect_whole = [](const std::vector<Result>& results) {
    const std::string text = TextOf(results);
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(2, ' ', true) + "\n");
  };
  Result result;
  expect_whole({});
  expect_whole({result});
  result.name = "of [x]";
  result.runs = {RoundOf("leveldb[]\n\u009b", 1, 5000), RoundOf("leveldb", 2, 4000)};
  expect_whole({result});
  expect_whole({Result(), result, result});
}

TEST(GoogleBenchmarkJson, SaysWhatFailedAndGivesItNoTime) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  result.runs[0].phases[0].outcome = Outcome::kFailed;
  result.runs[0].phases[0].message = "disk full";
  const auto file = nlohmann::json::parse(TextOf({result}));
  EXPECT_EQ(file.at("benchmarks")[0].at("error_occurred"), true);
  EXPECT_EQ(file.at("benchmarks")[0].at("error_message"), "disk full");
  EXPECT_FALSE(file.at("benchmarks")[0].contains("real_time"));
}

TEST(GoogleBenchmarkJson, OfSeveralResultsHasAllOfThem) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 5000)};
  EXPECT_EQ(nlohmann::json::parse(TextOf({result, result})).at("benchmarks").size(), 2u);
}

}  // namespace levelfield::google_benchmark_test
