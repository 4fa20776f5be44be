#include "analysis/series.h"

#include "analysis/comparison.h"
#include "analysis/cost.h"
#include "analysis/durability.h"
#include "base/matchers_for_test.h"
#include "result/result.h"
#include "result/rounds_for_test.h"

namespace levelfield::series_test {

TEST(SeriesOf, PutsTheRoundsOfAnEngineTogether) {
  Result result;
  result.runs = {RoundOf("a", 1, 100), RoundOf("b", 1, 50), RoundOf("b", 2, 25),
                 RoundOf("a", 2, 300, 2000)};
  const std::vector<Series> series = SeriesOf(result);
  ASSERT_EQ(series.size(), 2);
  EXPECT_THAT(Present(series[0].Rates(0)), ElementsAre(100, 300));
  EXPECT_THAT(Present(series[1].Rates(0)), ElementsAre(50, 25));
  const OperationStatistics& stats = series[0].sum.phases[0].roles[0].statistics[0];
  EXPECT_EQ(stats.operations, 400);
  EXPECT_EQ(stats.latency_ns->Count(), 2);
  EXPECT_EQ(stats.latency_ns->Max(), 2000);
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

RunResult RoundWith(uint64_t number, const std::string& value, uint64_t round, uint64_t gets) {
  RunResult run = RoundOf("a", round, gets);
  run.variant = {
      .number = number, .name = "value_size=" + value, .settings = {{"value_size", value}}};
  return run;
}

// The second at `ratio` of the first, whose rate wanders; the order changes from round to round.
Result Sweep(size_t rounds, double ratio) {
  Result result;
  result.name = "run";
  result.settings = {{"num", "1000"}, {"value_size", "100"}, {"vary", "value_size=100,1000"}};
  double rate = 1e6;
  for (uint64_t round = 1; round <= rounds; ++round) {
    const RunResult first = RoundWith(1, "100", round, static_cast<uint64_t>(rate));
    const RunResult second = RoundWith(2, "1000", round, static_cast<uint64_t>(rate * ratio));
    result.runs.push_back(round % 2 == 0 ? first : second);
    result.runs.push_back(round % 2 == 0 ? second : first);
    rate *= round % 2 == 0 ? 0.4 : 2.2;
  }
  return result;
}

TEST(Variants, AreResultsWithTheirOwnSettings) {
  const Result sweep = Sweep(6, 0.5);
  const Variants parts = VariantsOf(sweep);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(SettingOf(parts[0], "value_size"), "100");
  EXPECT_EQ(SettingOf(parts[1], "value_size"), "1000");
  EXPECT_EQ(SettingOf(parts[1], "num"), "1000");
  EXPECT_EQ(SettingOf(parts[1], "vary"), "");
  EXPECT_EQ(VariantOf(parts[1]).name, "value_size=1000");
  EXPECT_EQ(parts[1].runs.size(), 6u);
  EXPECT_EQ(VariantOf(parts[1]).number, 2u);
}

TEST(Variants, OfAResultWithoutAnyAreItselfAndNotCompared) {
  Result result = Sweep(6, 0.5);
  for (RunResult& run : result.runs) run.variant = {};
  const Variants parts = VariantsOf(result);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(&parts[0], &result) << "and not a copy";
  EXPECT_EQ(SettingOf(parts[0], "vary"), "value_size=100,1000");
  EXPECT_FALSE(CompareVariants(result, {}).ok());
}

TEST(Variants, AreThereWhereThereIsMoreThanOne) {
  const Result sweep = Sweep(6, 0.5);
  EXPECT_TRUE(HasVariants(sweep));
  EXPECT_FALSE(HasVariants(VariantsOf(sweep)[1]));
  EXPECT_FALSE(HasVariants(Result()));
}

TEST(Variants, OfAnEngineAreSeriesOfTheirOwnWhicheverCameFirst) {
  const Result result = Sweep(6, 0.5);
  const std::vector<Series> all = SeriesOf(result);
  ASSERT_EQ(all.size(), 2u);
  for (const Series& series : all) {
    ASSERT_EQ(series.rounds.size(), 6u);
    for (const RunResult* const run : series.rounds) EXPECT_EQ(run->variant, series.sum.variant);
  }
}

TEST(Variants, AreComparedInPairsWithTheFirst) {
  Result result = Sweep(8, 0.9);
  const auto comparisons = CompareVariants(result, {});
  ASSERT_TRUE(comparisons.ok()) << comparisons.status().message();
  ASSERT_EQ(comparisons->size(), 1u);
  EXPECT_EQ(comparisons->front().baseline, "a value_size=100");
  EXPECT_EQ(comparisons->front().candidate, "a value_size=1000");
  ASSERT_EQ(comparisons->front().workloads.size(), 1u);
  EXPECT_EQ(comparisons->front().workloads.front().verdict, Verdict::kSlower);
  EXPECT_NEAR(comparisons->front().workloads.front().ratio.ratio, 0.9, 1e-3);
  for (uint64_t round = 1; round <= 8; ++round) {
    result.runs.push_back(RoundWith(3, "2000", round, 1000));
  }
  EXPECT_EQ(CompareVariants(result, {})->size(), 2u);
}

// They divide what was used by the operations, so both are of the same rounds.
TEST(SeriesOf, HasTheCostsAndTheFlushesOfAllRounds) {
  Result result;
  for (uint64_t round = 1; round <= 3; ++round) {
    RunResult run = RoundOf("one", round, 1000, 1000);
    PhaseResult& phase = run.phases[0];
    OperationStatistics& puts = phase.roles[0].statistics.emplace_back();
    puts.operation = "put";
    puts.effects = kPuts;
    puts.operations = 100;
    Resources& used = phase.resources.emplace();
    used.user_seconds = 0.001;
    used.foreground_seconds = 0.001;
    used.watcher_seconds = 0;
    used.syncs = Resources::Syncs{};
    used.syncs->kinds = {{"fsync", 100}};
    result.runs.push_back(run);
  }
  const PhaseResult& one = result.runs[0].phases[0];
  const std::vector<Series> series = SeriesOf(result);
  const PhaseResult& all = series[0].sum.phases[0];
  ASSERT_TRUE(CostOf(one).cpu_us.value);
  EXPECT_NEAR(*CostOf(all).cpu_us.value, *CostOf(one).cpu_us.value, 1e-9);
  EXPECT_EQ(FlushesPerCommit(one), 1.0);
  EXPECT_EQ(FlushesPerCommit(all), 1.0);
}

// Were they of its reads alone, those of synced writes would be in no figure.
TEST(PercentileOf, AMixIsOfAllItsKindsOfOperations) {
  RunResult run = RoundOf("one", 1, 1000, 1000);
  std::vector<OperationStatistics>& kinds = run.phases[0].roles[0].statistics;
  kinds[0].latency_ns = SparseHistogram();
  for (int i = 0; i < 900; ++i) kinds[0].latency_ns->Add(1'000);
  OperationStatistics puts;
  puts.operation = "put";
  puts.effects = kPuts;
  puts.latency_ns.emplace();
  for (int i = 0; i < 100; ++i) puts.latency_ns->Add(1'000'000);
  kinds.push_back(puts);
  EXPECT_NEAR(static_cast<double>(*PercentileOf(&run.phases[0], 0.5)), 1e3, 50);
  EXPECT_NEAR(static_cast<double>(*PercentileOf(&run.phases[0], 0.95)), 1e6, 5e4);
}

}  // namespace levelfield::series_test
