#include "analysis/validity.h"

#include "base/matchers_for_test.h"

namespace levelfield::validity_test {

PhaseResult Sound() {
  PhaseResult phase;
  phase.outcome = Outcome::kOk;
  return phase;
}

PhaseResult AfterADriftOf(double ppm, Outcome outcome) {
  PhaseResult phase = Sound();
  phase.outcome = outcome;
  phase.clock_drift_ppm = ppm;
  VoidIfUnsound(phase);
  return phase;
}

TEST(Validity, VoidsWhatWasTimedByAClockThatRanAway) {
  for (const double drift_ppm : {51.0, -51.0}) {
    const PhaseResult phase = AfterADriftOf(drift_ppm, Outcome::kOk);
    EXPECT_EQ(phase.outcome, Outcome::kInvalid);
    EXPECT_THAT(phase.message, HasSubstr("51 ppm"));
  }
  EXPECT_EQ(AfterADriftOf(49, Outcome::kOk).outcome, Outcome::kOk);
}

TEST(Validity, LeavesAWorseOutcomeAsItIs) {
  EXPECT_EQ(AfterADriftOf(1000, Outcome::kWrong).outcome, Outcome::kWrong);
}

TEST(Validity, OfAnOpenLoopThatDidNothingThereIsNone) {
  PhaseResult phase = Sound();
  RoleResult& role = phase.roles.emplace_back();
  role.rate = 50'000;
  role.seconds = 2;
  role.load.emplace();
  EXPECT_THAT(WhyVoid(phase), HasSubstr("no operation was done in 2 s at 50000 a second"));
}

TEST(Validity, OfAColdPhaseNeedsAColdCache) {
  PhaseResult phase = Sound();
  phase.page_cache = PageCacheShare{.file_bytes = 100 << 20, .cached_bytes = 50 << 20};
  EXPECT_EQ(WhyVoid(phase), "") << "it was to be warm";
  phase.page_cache->was_dropped = true;
  EXPECT_THAT(WhyVoid(phase), HasSubstr("still had 50.0 of 100.0 MiB"));
}

TEST(Validity, IsDeniedByWhatAWorkerKnowsEvenIfThePhaseDidNotRun) {
  PhaseResult phase;
  phase.void_because = "a library eats its syncs";
  EXPECT_TRUE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_EQ(phase.message, "a library eats its syncs");
  EXPECT_EQ(phase.void_because, "") << "it is said once";
}

// A run of two acts that write and a workload behind them.
RunResult OfActs(Outcome last, bool is_read_back) {
  RunResult run;
  for (uint64_t number = 1; number <= 2; ++number) {
    PhaseResult phase = Sound();
    phase.act = ActNumber{.number = number, .of = 2};
    phase.checked.answers = AnswersChecked::kInTheLoop;
    OperationStatistics& stats = phase.roles.emplace_back().statistics.emplace_back();
    stats.effects = Effect::kCommits;
    stats.operations = 5;
    run.phases.push_back(phase);
  }
  run.phases[1].outcome = last;
  run.phases[1].checked.is_store_verified = is_read_back;
  run.phases.push_back(Sound());
  JudgeActs(run);
  return run;
}

TEST(Validity, OfActsIsThatOfTheStoreBehindTheLast) {
  const RunResult right = OfActs(Outcome::kOk, true);
  EXPECT_EQ(right.phases[0].outcome, Outcome::kOk);
  EXPECT_TRUE(IsChecked(right.phases[0]));
  const RunResult wrong = OfActs(Outcome::kWrong, true);
  EXPECT_EQ(wrong.phases[0].outcome, Outcome::kInvalid);
  EXPECT_THAT(wrong.phases[0].message, HasSubstr("wrong when it was read back"));
  EXPECT_EQ(wrong.phases[2].outcome, Outcome::kOk) << "not of them";
  const RunResult unread = OfActs(Outcome::kFailed, false);
  EXPECT_EQ(unread.phases[0].outcome, Outcome::kOk);
  EXPECT_FALSE(IsChecked(unread.phases[0]));
}

}  // namespace levelfield::validity_test
