#include "analysis/steady_state.h"
#include "base/matchers_for_test.h"
#include "base/random.h"
#include "result/ticks_for_test.h"

namespace levelfield::stalls_test {

std::vector<Stall> StallsIn(const Ticks& ticks, uint64_t batch = 1) {
  const Stalls found = FindStalls(ticks, 0, batch);
  EXPECT_EQ(found.unknown, "");
  return found.stalls;
}

TEST(Stalls, AHoleIsFoundWhereItIs) {
  const Ticks ticks = TicksOf(100, [](size_t i) { return i >= 40 && i < 52 ? 3 : 1000; });
  EXPECT_THAT(StallsIn(ticks), ElementsAre(Stall{4000, 5200, {}}));
}

TEST(Stalls, HolesAtBothEndsAndOfOneTickAreFound) {
  const Ticks ticks = TicksOf(100, [](size_t i) { return i < 2 || i == 50 || i >= 97 ? 0 : 1000; });
  EXPECT_THAT(StallsIn(ticks),
              ElementsAre(Stall{0, 200, {}}, Stall{5000, 5100, {}}, Stall{9700, 9900, {}}))
      << "but not the last tick, in which the threads end";
}

TEST(Stalls, NoneAreFoundInWhatIsOnlySlowOrUneven) {
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t) { return 1000; })), IsEmpty());
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t i) { return 500 + 10 * i; })), IsEmpty()) << "a ramp";
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t i) { return 200 + i % 20 * 80; })), IsEmpty())
      << "a sawtooth";
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t i) { return i < 10 ? 100'000 : 1000; })), IsEmpty())
      << "fast at first, and slow for the rest of it";
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t i) { return i < 30 ? 300 : 1000; })), IsEmpty())
      << "slow from the start";
  EXPECT_THAT(StallsIn(TicksOf(100, [](size_t i) { return i == 50 ? 101 : 1000; })), IsEmpty())
      << "a tick above a tenth of the usual";
}

TEST(Stalls, AStoreThatStandsStillMostOfTheTimeIsSaidToStall) {
  const Ticks ticks = TicksOf(100, [](size_t i) { return i % 10 < 3 ? 1000 : 0; });
  const std::vector<Stall> stalls = StallsIn(ticks);
  ASSERT_EQ(stalls.size(), 10u);
  EXPECT_EQ(stalls[0], (Stall{300, 1000, {}}));
}

TEST(Stalls, ChanceMakesNone) {
  Random random(7);
  for (int series = 0; series < 50; ++series) {
    const Ticks ticks = TicksOf(600, [&](size_t) {
      uint64_t calls = 0;  // Binomial of 400 and 1/16: a mean of 25.
      for (int i = 0; i < 400; ++i) calls += random.Next() >> 60 == 0 ? 1 : 0;
      return calls;
    });
    EXPECT_THAT(StallsIn(ticks), IsEmpty());
  }
}

TEST(Stalls, CannotBeToldOfFewTicksOrFewCalls) {
  EXPECT_THAT(FindStalls(TicksOf(10, [](size_t) { return 1000; }), 0, 1).unknown,
              HasSubstr("fewer than 10 ticks"));
  EXPECT_THAT(FindStalls(TicksOf(100, [](size_t i) { return i % 2; }), 0, 1).unknown,
              HasSubstr("fewer than 20 calls"));
  const Ticks batches = TicksOf(100, [](size_t i) { return i % 2 * 2000; });
  EXPECT_THAT(FindStalls(batches, 0, 1000).unknown, HasSubstr("fewer than 20 calls"))
      << "one batch of a thousand in a tick";
  EXPECT_EQ(FindStalls(batches, 0, 10).unknown, "");
  // The last tick, in which the threads end, tells nothing of the others.
  const Ticks ends = TicksOf(100, [](size_t i) { return i == 99 ? 1'000'000 : i % 2; });
  EXPECT_THAT(FindStalls(ends, 0, 1).unknown, HasSubstr("fewer than 20 calls"));
}

TEST(Stalls, AreNamedAfterWhatTheEngineWasAtMeanwhile) {
  Ticks ticks = TicksOf(100, [](size_t i) { return i >= 40 && i < 50 ? 0 : 1000; });
  ticks.activities = std::vector<Activity>{
      {"compaction", {{38, 60}}}, {"flush", {{10, 20}, {42, 46}}}, {"write stop", {{39, 49}}}};
  EXPECT_THAT(StallsIn(ticks), ElementsAre(Stall{4000, 5000, {"compaction", "write stop"}}))
      << "the flush was there in five of eleven times";
}

}  // namespace levelfield::stalls_test
