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

}  // namespace levelfield::validity_test
