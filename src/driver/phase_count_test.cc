#include "driver/phase_count.h"

#include <gtest/gtest.h>

namespace levelfield::phase_count_test {

TEST(PhaseCount, CountsRunsOneAfterTheOther) {
  PhaseCount count(3);
  count.Reach(0, 0, 0);
  EXPECT_EQ(count.begun(), 1u);
  count.Reach(0, 2, 0.5);
  EXPECT_EQ(count.begun(), 3u);
  EXPECT_DOUBLE_EQ(count.done(), 2.5);
  count.End(0);
  count.Reach(1, 0, 0.25);
  EXPECT_EQ(count.begun(), 4u);
  EXPECT_DOUBLE_EQ(count.done(), 3.25);
}

TEST(PhaseCount, NeverGoesBackWhileRunsTakeTurns) {
  PhaseCount count(2);
  size_t begun = 0;
  double done = 0;
  for (size_t phase = 0; phase < 2; ++phase) {
    for (const double part : {0.0, 0.3, 0.1, 0.9}) {
      for (const size_t run : {size_t{0}, size_t{2}, size_t{1}}) {
        count.Reach(run, phase, part);
        EXPECT_GE(count.begun(), begun);
        EXPECT_GE(count.done(), done);
        begun = count.begun();
        done = count.done();
      }
    }
  }
  EXPECT_EQ(begun, 6u);
  EXPECT_NEAR(done, 5.7, 1e-9);
}

TEST(PhaseCount, ARunThatFailedCountsAsWhole) {
  PhaseCount count(5);
  count.Reach(0, 1, 0.5);
  count.End(0);
  EXPECT_EQ(count.begun(), 5u);
  // Work after the last phase is none.
  count.Reach(0, 5, 0.5);
  EXPECT_EQ(count.begun(), 5u);
  EXPECT_DOUBLE_EQ(count.done(), 5);
}

}  // namespace levelfield::phase_count_test
