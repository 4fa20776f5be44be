#include "loop/backlog_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(BacklogSeries, IsEmptyWhereNobodyWaits) {
  BacklogSeries series(1000, 10);
  for (uint64_t due = 1000; due < 3000; due += 7) series.Done(due, due);
  EXPECT_EQ(series.Parts().size(), BacklogSeries::kParts);
  EXPECT_THAT(series.Parts(), Each(0u));
}

TEST(BacklogSeries, GrowsWithTheDelayOfAnEngineThatIsTooSlow) {
  BacklogSeries series(0, 10);
  for (uint64_t i = 0; i < 8000; ++i) series.Done(i, 2 * i);  // Twice as slow as it has to be.
  const std::vector<uint64_t> parts = series.Parts();
  ASSERT_EQ(parts.size(), 8u);
  for (uint64_t part = 0; part < 8; ++part) {
    // In the middle of the part half of the time that has passed is missing.
    EXPECT_NEAR(static_cast<double>(parts[part]), (static_cast<double>(part) + 0.5) * 1000, 20);
  }
}

TEST(BacklogSeries, SeesAStallWhileItLasts) {
  BacklogSeries series(0, 100);
  series.Done(0, 10);
  series.Done(20, 8000);  // All eight parts of the run pass in one operation.
  EXPECT_THAT(series.Parts(), ElementsAre(530, 1530, 2530, 3530, 4530, 5530, 6530, 7530));
}

TEST(BacklogSeries, KeepsAFewHundredIntervalsHoweverLongItRuns) {
  for (const uint64_t length : {20'000u, 1'000'000u, 77'777'777u}) {
    BacklogSeries series(5, 10);
    for (uint64_t i = 1; i <= 1000; ++i) {
      const uint64_t end = 5 + length * i / 1000;
      series.Done(end - length / 2000, end);
    }
    const double parts_ticks = 8 * static_cast<double>(series.PartTicks());
    EXPECT_NEAR(parts_ticks / static_cast<double>(length), 1, 0.01) << length;
  }
}

TEST(BacklogSeries, SaysNothingOfARunThatWasOverTooSoon) {
  BacklogSeries series(0, 10);
  series.Done(0, 70);
  EXPECT_TRUE(series.Parts().empty());
}

}  // namespace
}  // namespace levelfield
