#include "analysis/equal_stores.h"

#include "analysis/comparison.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::equal_stores_test {

// Six rounds in which each engine's store held so many of a million entries.
Result Over(const std::vector<std::pair<std::string, uint64_t>>& stores) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    for (const auto& [engine, entries] : stores) {
      result.runs.push_back(
          RoundOf(engine, round, (engine == "a" ? 2'000'000 : 1'000'000) + round));
      result.runs.back().phases[0].held = Held{entries, 1'000'000, true};
    }
  }
  return result;
}

std::string WhyUnequalIn(const Result& result) {
  const std::vector<Series> all = SeriesOf(result);
  std::vector<PhaseOfSeries> phases;
  for (const Series& series : all) phases.push_back({&series, 0});
  return WhyUnequal(phases);
}

TEST(Stores, AreEqualWhereNobodyIsAHundredthApart) {
  EXPECT_EQ(WhyUnequalIn(Over({{"a", 1'000'000}, {"b", 1'000'000}})), "");
  EXPECT_EQ(WhyUnequalIn(Over({{"a", 151'859}, {"b", 151'000}})), "");
  EXPECT_EQ(WhyUnequalIn(Over({{"a", 0}, {"b", 0}})), "");
  EXPECT_EQ(WhyUnequalIn(Over({{"a", 151'859}, {"b", 273'911}, {"c", 67'328}})),
            "the stores differ: a's held 151859 of 1000000 entries, b's held 273911 of 1000000 "
            "entries, c's held 67328 of 1000000 entries");
  EXPECT_NE(WhyUnequalIn(Over({{"a", 0}, {"b", 1}})), "");
}

TEST(Stores, AreComparedByTheirSharesOfWhatWasAsked) {
  Result result = Over({{"a", 1'000'000}, {"b", 1'000'000}});
  for (RunResult& run : result.runs) {
    if (run.engine == "b") run.phases[0].held = Held{1000, 1000};
  }
  EXPECT_EQ(WhyUnequalIn(result), "") << "as with --vary=num=1000000,1000";
}

TEST(Stores, CountWhereTheyAreKnownAndInTheRoundsThatEndedWell) {
  Result result = Over({{"a", 1'000'000}, {"b", 500'000}});
  for (RunResult& run : result.runs) {
    if (run.engine == "b") run.phases[0].held.reset();
  }
  EXPECT_EQ(WhyUnequalIn(result), "");
  result = Over({{"a", 1'000'000}, {"b", 500'000}});
  result.runs.resize(3);                                // "b" has one round,
  result.runs[1].phases[0].outcome = Outcome::kFailed;  // which failed.
  EXPECT_EQ(WhyUnequalIn(result), "");
}

TEST(Stores, ThatDifferAreOfTheMiddleRound) {
  Result result = Over({{"a", 1'000'000}, {"b", 1'000'000}});
  result.runs[1].phases[0].held->entries = 10;
  EXPECT_EQ(WhyUnequalIn(result), "") << "one of six";
}

TEST(CompareWithin, RanksNothingOverStoresThatDifferButTwoThatAreEqual) {
  const auto comparisons =
      CompareWithin(Over({{"a", 1'000'000}, {"b", 1'000'000}, {"c", 300'000}}), "a", {});
  const ComparedWorkload equal = Must(comparisons).at(0).workloads.at(0);
  EXPECT_EQ(equal.verdict, Verdict::kSlower);
  const ComparedWorkload unequal = Must(comparisons).at(1).workloads.at(0);
  EXPECT_EQ(unequal.WordForNothing(), "not ranked");
  EXPECT_THAT(unequal.invalid, HasSubstr("the stores differ: a's held 1000000"));
  EXPECT_EQ(unequal.ratio.ratio, 0);
  EXPECT_GT(unequal.baseline, unequal.candidate) << "the rates are shown";
  EXPECT_EQ(ExitCodeOf({(*comparisons)[1]}), 3);
}

TEST(FewKeys, AreOfEachEngineByItself) {
  Result result = Over({{"a", 1'000'000}, {"b", 300'000}});
  result.settings = {{"num", "1000000"}};
  const std::vector<Series> all = SeriesOf(result);
  EXPECT_EQ(FewKeysOf(result, all[0], 0), std::nullopt);
  EXPECT_EQ(FewKeysOf(result, all[1], 0), 300'000u);
}

TEST(FewKeys, AreFewerThanTheVariantOfTheRunAskedFor) {
  Result result = Over({{"a", 1'000'000}, {"b", 300'000}});
  result.settings = {{"num", "1000000"}};
  result.runs[1].variant.settings = {{"num", "300000"}};
  const std::vector<Series> all = SeriesOf(result);
  EXPECT_EQ(FewKeysOf(result, all[1], 0), std::nullopt);
}

}  // namespace levelfield::equal_stores_test
