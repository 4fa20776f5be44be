#include "result/conditions.h"

#include "base/matchers_for_test.h"

namespace levelfield::conditions_test {

Conditions Quiet() {
  return {.seconds = 1,
          .stolen_share = 0.005,
          .others_share = 0.03,
          .cpu_wait_share = 0.05,
          .io_wait_share = 0.9,
          .memory_wait_share = 0.0,
          .begin_mhz = 3000,
          .end_mhz = 2900};
}

TEST(Conditions, OfAQuietMachineDisturbNobody) {
  EXPECT_THAT(DisturbancesOf(Quiet()), IsEmpty());
  EXPECT_THAT(DisturbancesOf({.seconds = 1}), IsEmpty()) << "nothing is known";
}

TEST(Conditions, StolenTimeIsSaidFromOnePercentOn) {
  Conditions conditions = Quiet();
  conditions.stolen_share = 0.02;
  EXPECT_THAT(DisturbancesOf(conditions), ElementsAre(HasSubstr("2 %")));
}

TEST(Conditions, OtherProcessesAreSaidWithTheWaitsThatTheyMake) {
  Conditions conditions = Quiet();
  conditions.others_share = 0.5;
  conditions.seconds = 0.1;
  EXPECT_THAT(DisturbancesOf(conditions), ElementsAre(HasSubstr("50 %"))) << "of a moment as well";
  conditions.seconds = 1;
  conditions.cpu_wait_share = 0.4;
  EXPECT_THAT(DisturbancesOf(conditions), ElementsAre(HasSubstr("50 %"), HasSubstr("40 %")));
}

TEST(Conditions, ManyThreadsOfItsOwnDisturbAPhaseNot) {
  Conditions conditions = Quiet();
  conditions.cpu_wait_share = 0.9;
  EXPECT_THAT(DisturbancesOf(conditions), IsEmpty());
}

TEST(Conditions, AProcessorThatSlowsDownAndWantOfMemoryAreSaid) {
  Conditions conditions = Quiet();
  conditions.end_mhz = 2000;
  conditions.memory_wait_share = 0.3;
  EXPECT_THAT(DisturbancesOf(conditions),
              ElementsAre(HasSubstr("memory"), HasSubstr("3000 to 2000 MHz")));
}

}  // namespace levelfield::conditions_test
