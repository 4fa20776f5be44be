#include "worker/phase_conclusion.h"

#include "base/matchers_for_test.h"

namespace levelfield::phase_conclusion_test {

PhaseResult After(double drift_ppm, Outcome outcome) {
  PhaseResult result;
  result.outcome = outcome;
  result.clock_drift_ppm = drift_ppm;
  VoidIfClockDrifted(result);
  return result;
}

TEST(PhaseConclusion, VoidsWhatWasTimedByAClockThatRanAway) {
  for (const double drift_ppm : {51.0, -51.0}) {
    const PhaseResult result = After(drift_ppm, Outcome::kOk);
    EXPECT_EQ(result.outcome, Outcome::kInvalid);
    EXPECT_THAT(result.message, HasSubstr("51 ppm"));
  }
  EXPECT_EQ(After(49, Outcome::kOk).outcome, Outcome::kOk);
}

TEST(PhaseConclusion, LeavesAWorseOutcomeAsItIs) {
  EXPECT_EQ(After(1000, Outcome::kWrong).outcome, Outcome::kWrong);
}

}  // namespace levelfield::phase_conclusion_test
