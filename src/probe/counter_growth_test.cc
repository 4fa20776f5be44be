#include "probe/counter_growth.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

TEST(CounterGrowth, IsWhatWasCountedMeanwhile) {
  const EngineCounters before = {{"flushes", 3}, {"stalls", 10}};
  const EngineCounters after = {{"stalls", 12}, {"flushes", 3}};
  EXPECT_EQ(CountersSince(before, after), (EngineCounters{{"stalls", 2}, {"flushes", 0}}));
}

TEST(CounterGrowth, OfACounterThatHasFallenIsNoHugeNumber) {
  EXPECT_EQ(CountersSince({{"open_files", 9}}, {{"open_files", 4}}),
            (EngineCounters{{"open_files", 0}}));
}

TEST(CounterGrowth, TakesACounterThatIsNewAsItIs) {
  EXPECT_EQ(CountersSince({{"gone", 7}}, {{"new", 5}}), (EngineCounters{{"new", 5}}));
}

}  // namespace
}  // namespace levelfield
