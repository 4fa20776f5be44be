#include "analysis/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "result/rounds_for_test.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;

TEST(SeriesOf, PutsTheRoundsOfAnEngineTogether) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("b", 1, 50), RoundOf("b", 2, 25),
                 RoundOf("a", 2, 300, 2000)};
  const std::vector<Series> series = SeriesOf(result);
  ASSERT_EQ(series.size(), 2);
  EXPECT_THAT(Present(series[0].Rates(0)), ElementsAre(100, 300));
  EXPECT_THAT(Present(series[1].Rates(0)), ElementsAre(50, 25));
  const LaneResult& lane = series[0].sum.phases[0].roles[0].lanes[0];
  EXPECT_EQ(lane.operations, 400);
  EXPECT_EQ(lane.latency_ns->Count(), 2);
  EXPECT_EQ(lane.latency_ns->Max(), 2000);
}

TEST(SeriesOf, ShowsTheOneRoundThatWasWrongAndCountsTheOthers) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("a", 2, 100), RoundOf("a", 3, 100)};
  result.runs[1].outcome = result.runs[1].phases[0].outcome = Outcome::kWrong;
  result.runs[1].phases[0].message = "lost a key";
  const std::vector<Series> series = SeriesOf(result);
  ASSERT_EQ(series.size(), 1);
  EXPECT_EQ(series[0].sum.outcome, Outcome::kWrong);
  EXPECT_EQ(series[0].sum.phases[0].message, "lost a key");
  EXPECT_EQ(series[0].Rates(0).size(), 3);
  EXPECT_FALSE(series[0].Rates(0)[1].has_value());
}

TEST(SeriesOf, CountsWhatACutOffRunHadMeasuredAndNotThatTheRestIsMissing) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("a", 2, 300)};
  for (RunResult& run : result.runs) {
    run.phases.push_back(run.phases.front());
    run.phases.back().workload = "overwrite";
  }
  RunResult& last = result.runs[1];
  last.cut_off = true;
  last.outcome = last.phases[1].outcome = Outcome::kInterrupted;
  const std::vector<Series> series = SeriesOf(result);
  ASSERT_EQ(series.size(), 1);
  EXPECT_EQ(series[0].sum.outcome, Outcome::kOk);
  EXPECT_EQ(series[0].sum.phases[1].outcome, Outcome::kOk);
  EXPECT_THAT(Present(series[0].Rates(0)), ElementsAre(100, 300));
  EXPECT_THAT(Present(series[0].Rates(1)), ElementsAre(100));
  last.phases[1].outcome = Outcome::kWrong;
  EXPECT_EQ(SeriesOf(result)[0].sum.phases[1].outcome, Outcome::kWrong) << "it was before the cut";
}

TEST(SeriesOf, CopiesNoPhaseOfASingleRound) {
  Result result;
  result.runs = {RoundOf("a", 1, 100)};
  const std::vector<Series> series = SeriesOf(result);
  const Result& whole = result;
  EXPECT_EQ(&series[0].sum.phases[0], &whole.runs[0].phases[0]);
}

TEST(SeriesOf, ChargesEachRoundForWhatItLeftToTheBackground) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("a", 2, 100), RoundOf("b", 1, 100)};
  for (RunResult& run : result.runs) ASSERT_EQ(run.phases[0].roles[0].seconds, 1);
  result.runs[0].phases[0].settle = {.seconds = 0.25};
  result.runs[1].phases[0].settle = {.seconds = 1, .complete = false};
  const std::vector<Series> series = SeriesOf(result);
  EXPECT_THAT(Present(series[0].ChargedRates(0)), ElementsAre(80, 50));
  EXPECT_THAT(Present(series[0].SettleSeconds(0)), ElementsAre(0.25, 1));
  EXPECT_FALSE(series[0].sum.phases[0].settle->complete);
  EXPECT_THAT(Present(series[1].ChargedRates(0)), ElementsAre()) << "nothing was settled";
  result.runs[0].phases[0].outcome = Outcome::kWrong;
  EXPECT_FALSE(series[0].ChargedRates(0)[0].has_value());
  EXPECT_FALSE(series[0].SettleSeconds(0)[0].has_value());
}

TEST(SeriesOf, KeepsAnEngineAndItselfApart) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("a", 1, 200), RoundOf("a", 2, 300),
                 RoundOf("a", 2, 400)};
  EXPECT_EQ(SeriesOf(result).size(), 2);
}

}  // namespace
}  // namespace levelfield
