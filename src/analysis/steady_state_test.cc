#include "analysis/steady_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.h"
#include "result/ticks_for_test.h"

namespace levelfield::steady_state_test {

template <class ValueOf>
std::vector<double> SeriesBy(size_t count, ValueOf value_of) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(value_of(static_cast<double>(i)));
  return values;
}

double Noise(Random& random) { return static_cast<double>(random.Below(2001)) / 1000 - 1; }

TEST(SteadyState, APlateauIsSteadyFromItsBegin) {
  Random random(1);
  const auto values = SeriesBy(30, [&](double) { return 1000 + 40 * Noise(random); });
  const SteadyState state = FindSteadyState(values);
  EXPECT_EQ(state.steadiness, Steadiness::kSteady);
  EXPECT_EQ(state.since, 0u);
}

TEST(SteadyState, ARangeOfAFifthOfTheMeanOrASlopeOfATenthIsStillSteady) {
  const auto is_steady = [](const std::vector<double>& rounds) {
    return FindSteadyState(rounds).steadiness == Steadiness::kSteady;
  };
  EXPECT_TRUE(is_steady({9, 11, 10, 11, 9}) && is_steady({9.5, 9.75, 10, 10.25, 10.5}));
  EXPECT_FALSE(is_steady({8.9, 11, 10, 11, 9.1}));
  EXPECT_FALSE(is_steady({9.4, 9.7, 10, 10.3, 10.6}));
}

TEST(SteadyState, ARampIsNeverSteady) {
  EXPECT_EQ(FindSteadyState(SeriesBy(30, [](double i) { return 100 + 100 * i; })).steadiness,
            Steadiness::kNever);
  EXPECT_EQ(FindSteadyState(SeriesBy(30, [](double i) { return 3000 - 80 * i; })).steadiness,
            Steadiness::kNever);
}

TEST(SteadyState, ARampThatLevelsOffIsSteadySinceThen) {
  const SteadyState state =
      FindSteadyState(SeriesBy(30, [](double i) { return i < 10 ? 200 + 80 * i : 1000; }));
  EXPECT_EQ(state.steadiness, Steadiness::kSteady);
  EXPECT_EQ(state.since, 9u) << "920, then four times 1000";
}

TEST(SteadyState, WhatIsLostAgainAtTheEndIsNoSteadyState) {
  EXPECT_EQ(FindSteadyState(SeriesBy(30, [](double i) { return i < 27 ? 1000 : 500; })).steadiness,
            Steadiness::kNever);
  const SteadyState state =
      FindSteadyState(SeriesBy(30, [](double i) { return i < 15 ? 1000 : 500; }));
  EXPECT_EQ(state.steadiness, Steadiness::kSteady);
  EXPECT_EQ(state.since, 15u) << "at half of its speed";
}

TEST(SteadyState, ASawtoothIsNeverSteadyAndHasItsPeriod) {
  for (const size_t period : {4, 7, 25}) {
    const auto values = SeriesBy(
        100, [&](double i) { return 1000 + 50 * std::fmod(i, static_cast<double>(period)); });
    if (period != 4) {  // Whose range is within 20 %.
      EXPECT_EQ(FindSteadyState(values).steadiness, Steadiness::kNever) << period;
    }
    EXPECT_EQ(PeriodOf(values), period);
  }
}

// Whose peaks are broad.
TEST(SteadyState, AWaveHasItsPeriod) {
  for (size_t period = 8; period <= 30; ++period) {
    EXPECT_EQ(PeriodOf(SeriesBy(200,
                                [&](double i) {
                                  return 1000 +
                                         100 * std::sin(2 * M_PI * i / static_cast<double>(period));
                                })),
              period);
  }
}

TEST(SteadyState, APeriodIsFoundBelowATrendAndNoise) {
  Random random(3);
  const auto values = SeriesBy(
      200, [&](double i) { return 1000 + 3 * i + 20 * std::fmod(i, 20) + 60 * Noise(random); });
  const auto period = PeriodOf(values);
  ASSERT_TRUE(period.has_value());
  EXPECT_NEAR(static_cast<double>(*period), 20, 1);
}

TEST(SteadyState, NoiseAPlateauAndARampHaveNoPeriod) {
  Random random(5);
  for (int series = 0; series < 50; ++series) {
    EXPECT_EQ(PeriodOf(SeriesBy(100, [&](double) { return 1000 + 100 * Noise(random); })),
              std::nullopt);
  }
  EXPECT_EQ(PeriodOf(SeriesBy(100, [](double) { return 1000; })), std::nullopt);
  EXPECT_EQ(PeriodOf(SeriesBy(100, [](double i) { return 10 * i; })), std::nullopt);
  EXPECT_EQ(PeriodOf({}), std::nullopt);
}

TEST(SteadyState, FourRoundsAreTooFew) {
  EXPECT_EQ(FindSteadyState(SeriesBy(4, [](double) { return 1; })).steadiness,
            Steadiness::kTooShort);
  EXPECT_EQ(FindSteadyState({}).steadiness, Steadiness::kTooShort);
  EXPECT_EQ(FindSteadyState(SeriesBy(5, [](double) { return 1; })).steadiness, Steadiness::kSteady);
}

TEST(SteadyState, WhatStandsStillIsNotSteady) {
  EXPECT_EQ(FindSteadyState(SeriesBy(10, [](double) { return 0; })).steadiness, Steadiness::kNever);
}

TEST(SteadyState, OfThroughputIsToldInSeconds) {
  const ThroughputState state =
      StateOf(TicksOf(600, [](size_t i) { return i < 300 ? 2000 : 1000; }), 0);
  EXPECT_EQ(state.steadiness, Steadiness::kSteady);
  EXPECT_EQ(state.rounds, 30u);
  EXPECT_DOUBLE_EQ(state.since_seconds, 30);
  const ThroughputState saw =
      StateOf(TicksOf(600, [](size_t i) { return 500 + 20 * (i % 150); }), 0);
  EXPECT_EQ(saw.steadiness, Steadiness::kNever);
  ASSERT_TRUE(saw.period_seconds.has_value());
  EXPECT_NEAR(*saw.period_seconds, 15, 0.2);
  EXPECT_EQ(StateOf(TicksOf(49, [](size_t) { return 1; }), 0).steadiness, Steadiness::kTooShort);
  EXPECT_EQ(StateOf({}, 0).steadiness, Steadiness::kTooShort);
}

// A phase at 1,000 a second for 2 s and 100,000 for 1 s, of which an engine did what `done` says.
PhaseResult AtACurve(double seconds, std::function<double(double at, double due)> done) {
  PhaseResult phase;
  phase.ticks.emplace();
  phase.ticks->operations.emplace_back();
  phase.roles.emplace_back().curve = "1k:2s,100k:1s";
  for (double at = 0; at < seconds - 0.05; at += 0.1) {
    phase.ticks->end_ms.push_back(static_cast<uint64_t>((at + 0.1) * 1e3 + 0.5));
    const bool is_slow = std::fmod(at + 0.05, 3) < 2;
    phase.ticks->operations[0].push_back(static_cast<uint64_t>(done(at, is_slow ? 100 : 10'000)));
  }
  return phase;
}

TEST(TicksOf, ALullThatWasAskedForIsNeitherAStallNorUnsteady) {
  const PhaseResult kept = AtACurve(30, [](double, double due) { return due; });
  EXPECT_FALSE(FindStalls(*kept.ticks, 0, 1).stalls.empty() &&
               StateOf(*kept.ticks, 0).steadiness == Steadiness::kSteady)
      << "as it was counted";
  EXPECT_TRUE(FindStalls(TicksOf(kept), 0, 1).stalls.empty());
  EXPECT_EQ(StateOf(TicksOf(kept), 0).steadiness, Steadiness::kSteady);
}

TEST(TicksOf, AStallIsStillOneInALullAndInABurst) {
  for (const double begin : {3.5, 5.2}) {
    const PhaseResult stalled = AtACurve(
        30, [&](double at, double due) { return at > begin && at < begin + 0.45 ? 0 : due; });
    const Stalls found = FindStalls(TicksOf(stalled), 0, 1);
    ASSERT_EQ(found.stalls.size(), 1u) << begin;
    EXPECT_NEAR(static_cast<double>(found.stalls[0].begin_ms) * 1e-3, begin, 0.11);
  }
}

TEST(Ramp, IsTheFirstTenthBesideTheRest) {
  const auto ramp = RampOf(TicksOf(100, [](size_t i) { return i < 10 ? 50 : 200; }), 0);
  ASSERT_TRUE(ramp.has_value());
  EXPECT_DOUBLE_EQ(ramp->seconds, 1);
  EXPECT_DOUBLE_EQ(ramp->operations_per_second, 500);
  EXPECT_DOUBLE_EQ(ramp->of_the_rest, 0.25);
  EXPECT_FALSE(RampOf(TicksOf(19, [](size_t) { return 1; }), 0).has_value());
}

TEST(LaterHalf, IsTheSecondHalfsRateOverTheFirsts) {
  EXPECT_DOUBLE_EQ(LaterHalfOf(TicksOf(10, [](size_t i) { return i < 5 ? 200 : 50; }), 0).value(),
                   0.25);
  EXPECT_FALSE(LaterHalfOf(TicksOf(3, [](size_t) { return 1; }), 0).has_value());
  EXPECT_FALSE(LaterHalfOf(TicksOf(10, [](size_t i) { return i < 5 ? 0 : 1; }), 0).has_value());
  EXPECT_FALSE(LaterHalfOf(TicksOf(10, [](size_t) { return 1; }), 1).has_value());
}

TEST(SteadyState, OfSpaceIsOfWhatTheStoreHasAllocated) {
  const auto space_of = [](size_t looks, auto bytes) {
    SpaceSeries space;
    for (size_t i = 0; i < looks; ++i) {
      space.at_ms.push_back(1000 * (i + 1));
      space.allocated_bytes.push_back(static_cast<uint64_t>(bytes(i)));
    }
    return space;
  };
  // Grows for a minute, and is then as large as it is.
  const ThroughputState full = SpaceStateOf(
      space_of(120, [](size_t i) { return 1'000'000 + 100'000 * std::min<size_t>(i, 60); }));
  EXPECT_EQ(full.steadiness, Steadiness::kSteady);
  EXPECT_EQ(full.rounds, 30u);
  EXPECT_GT(full.since_seconds, 40);
  EXPECT_LE(full.since_seconds, 61);
  // Compacted every 24 seconds.
  const ThroughputState waves =
      SpaceStateOf(space_of(120, [](size_t i) { return 1'000'000 + 100'000 * (i % 24); }));
  EXPECT_EQ(waves.steadiness, Steadiness::kNever);
  ASSERT_TRUE(waves.period_seconds.has_value());
  EXPECT_NEAR(*waves.period_seconds, 24, 1);
  EXPECT_EQ(SpaceStateOf(space_of(120, [](size_t i) { return 1'000'000 * (i + 1); })).steadiness,
            Steadiness::kNever)
      << "grows until the end";
  EXPECT_EQ(SpaceStateOf(space_of(4, [](size_t) { return 1; })).steadiness, Steadiness::kTooShort);
  EXPECT_EQ(SpaceStateOf({}).steadiness, Steadiness::kTooShort);
}

TEST(SteadyState, OfWritesIsOfTheBytesOfAnOperation) {
  Ticks ticks;
  ticks.operations.emplace_back();
  for (uint64_t i = 0; i < 200; ++i) {
    ticks.end_ms.push_back(100 * (i + 1));
    ticks.operations[0].push_back(1000 + 5 * i);          // Faster and faster,
    ticks.dirtied_bytes.push_back((1000 + 5 * i) * 250);  // and 250 bytes each time.
  }
  EXPECT_EQ(WriteStateOf(ticks, 0).steadiness, Steadiness::kSteady);
  for (uint64_t i = 0; i < 200; ++i) ticks.dirtied_bytes[i] = ticks.operations[0][i] * (100 + i);
  EXPECT_EQ(WriteStateOf(ticks, 0).steadiness, Steadiness::kNever);
  for (uint64_t i = 0; i < 200; i += 50) std::fill_n(&ticks.operations[0][i], 25, 0);
  EXPECT_EQ(WriteStateOf(ticks, 0).period_seconds, 5) << "it rests for half of each 5 s";
  ticks.dirtied_bytes.clear();
  EXPECT_EQ(WriteStateOf(ticks, 0).steadiness, Steadiness::kTooShort) << "nothing is known";
}

}  // namespace levelfield::steady_state_test
