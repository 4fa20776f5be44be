#include "result/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "result/rounds_for_test.h"

namespace levelfield {
namespace {

// Rounds of "a" at a rate that wanders, and of "b" at `ratio` of it.
Result Rounds(size_t count, double ratio) {
  Result result;
  result.cpu = "2 * a cpu";
  result.cpu_cache = "1 KB";
  double rate = 1e6;
  for (uint64_t round = 1; round <= count; ++round) {
    result.runs.push_back(RoundOf("a", round, static_cast<uint64_t>(rate)));
    result.runs.push_back(RoundOf("b", round, static_cast<uint64_t>(rate * ratio)));
    rate *= round % 2 == 0 ? 0.4 : 2.2;
  }
  return result;
}

ComparedWorkload OnlyWorkload(const StatusOr<std::vector<Comparison>>& comparisons) {
  EXPECT_TRUE(comparisons.ok());
  if (!comparisons.ok() || comparisons->size() != 1) return {};
  return comparisons->front().workloads.front();
}

TEST(CompareWithin, FindsAPairedDifferenceThatTheMachineDrownsOtherwise) {
  const auto comparisons = CompareWithin(Rounds(8, 0.9), "", {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kSlower);
  EXPECT_NEAR(workload.ratio.ratio, 0.9, 1e-3);
  EXPECT_EQ(workload.rounds, 8);
  EXPECT_EQ(ExitCodeOf(*comparisons), 1);
}

TEST(CompareWithin, TakesTheBaselineThatIsNamed) {
  const auto comparisons = CompareWithin(Rounds(8, 0.9), "b", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kFaster);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
  const auto unknown = CompareWithin(Rounds(8, 0.9), "c", {});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.status().message().find("no engine of this result is called"),
            std::string::npos);
}

TEST(CompareWithin, RanksNothingOnFiveRounds) {
  const auto comparisons = CompareWithin(Rounds(5, 0.5), "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kIndicative);
  EXPECT_EQ(ExitCodeOf(*comparisons), 2);
}

TEST(CompareWithin, CallsEquivalentWhatIsWithinTheMargin) {
  const auto comparisons = CompareWithin(Rounds(8, 1.005), "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kEquivalent);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
}

TEST(CompareWithin, ClaimsNothingBelowTheNoise) {
  const ComparisonRules rules{.margin = 0.02, .noise = {{"readrandom", 0.2}}};
  EXPECT_EQ(OnlyWorkload(CompareWithin(Rounds(8, 0.9), "", rules)).verdict, Verdict::kUnresolved);
}

TEST(CompareWithin, HasNothingToSayOfAnEngineThatFailed) {
  Result result = Rounds(8, 1);
  result.runs[3].outcome = result.runs[3].phases[0].outcome = Outcome::kFailed;
  result.runs[3].phases[0].message = "disk full";
  const auto comparisons = CompareWithin(result, "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).invalid, "b: disk full");
  EXPECT_EQ(ExitCodeOf(*comparisons), 3);
}

TEST(CompareWithin, NeedsTwoEngines) {
  Result result = Rounds(6, 1);
  std::erase_if(result.runs, [](const RunResult& run) { return run.engine == "b"; });
  const auto comparisons = CompareWithin(result, "", {});
  ASSERT_FALSE(comparisons.ok());
  EXPECT_EQ(comparisons.status().kind(), ErrorKind::kUsage);
}

Result Only(Result result, const std::string& engine) {
  std::erase_if(result.runs, [&](const RunResult& run) { return run.engine != engine; });
  return result;
}

TEST(CompareAcross, DoesNotPairWhatWasNotInterleaved) {
  const auto comparisons = CompareAcross(Only(Rounds(8, 0.9), "a"), Only(Rounds(8, 0.9), "b"), {});
  // The same rounds as above, where pairing found the difference.
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kUnresolved);
  EXPECT_FALSE(comparisons->front().paired);
  EXPECT_EQ(ExitCodeOf(*comparisons), 2);
}

TEST(CompareAcross, RefusesResultsOfDifferentMachines) {
  Result other = Rounds(8, 1);
  other.cpu = "64 * another cpu";
  const auto comparisons = CompareAcross(Rounds(8, 1), other, {});
  ASSERT_FALSE(comparisons.ok());
  EXPECT_NE(comparisons.status().message().find("different machines"), std::string::npos);
}

TEST(CompareAcross, SaysWhichSettingsDiffer) {
  Result before = Rounds(6, 1);
  Result after = Rounds(6, 1);
  before.settings = {{"num", "1000"}, {"name", "x"}};
  after.settings = {{"num", "2000"}, {"name", "y"}};
  const auto comparisons = CompareAcross(before, after, {});
  ASSERT_TRUE(comparisons.ok());
  EXPECT_EQ(comparisons->size(), 2);
  ASSERT_EQ(comparisons->front().notes.size(), 1);
  EXPECT_NE(comparisons->front().notes[0].find("--num"), std::string::npos);
}

TEST(NoiseOf, IsHowFarTheIntervalOfAThingAgainstItselfReaches) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf("a", round, 1'000'000));
    result.runs.push_back(RoundOf("a", round, round % 2 == 0 ? 1'100'000 : 950'000));
  }
  const auto noise = NoiseOf(result);
  ASSERT_TRUE(noise.ok());
  EXPECT_NEAR(noise->front().second, 0.1, 1e-6);
  EXPECT_FALSE(NoiseOf(Rounds(6, 1)).ok());
}

}  // namespace
}  // namespace levelfield
