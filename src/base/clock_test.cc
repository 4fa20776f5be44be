#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace levelfield::clock_test {

void Sleep(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// CLOCK_MONOTONIC and ticks of one moment: the narrowest of many readings.
std::pair<uint64_t, uint64_t> Moment() {
  std::pair<uint64_t, uint64_t> moment;
  uint64_t narrowest = ~uint64_t{0};
  for (int i = 0; i < 200; ++i) {
    const uint64_t before = MonotonicNs();
    const uint64_t ticks = TscTicks::Now();
    const uint64_t after = MonotonicNs();
    if (after - before < narrowest) {
      narrowest = after - before;
      moment = {before + (after - before) / 2, ticks};
    }
  }
  return moment;
}

TEST(Clock, TheCalibratedCounterAgreesWithTheMonotonicClockWithin50Ppm) {
  const Clock clock = Clock::Calibrate(true);
  if (!clock.is_tsc()) GTEST_SKIP() << clock.reason();
  EXPECT_EQ(clock.reason(), "");
  const auto [ns_before, ticks_before] = Moment();
  Sleep(200);
  const auto [ns_after, ticks_after] = Moment();
  const auto ns = static_cast<double>(ns_after - ns_before);
  EXPECT_NEAR(static_cast<double>(clock.ToNs(ticks_after - ticks_before)) / ns, 1, 50e-6);
  EXPECT_LT(std::abs(clock.DriftPpm()), 50);
}

TEST(Clock, WhereTheCounterIsNotTrustedAReasonIsGiven) {
  const Clock clock = Clock::Calibrate(true);
  EXPECT_EQ(clock.reason().empty(), clock.is_tsc());
}

TEST(Clock, TheFallbackTicksInNanosecondsAndSaysWhy) {
  const Clock clock = Clock::Calibrate(false);
  EXPECT_FALSE(clock.is_tsc());
  EXPECT_NE(clock.reason(), "");
  EXPECT_EQ(clock.ticks_per_second(), 1e9);
  for (const uint64_t ticks : {uint64_t{0}, uint64_t{1}, uint64_t{20'000'000'000}, ~uint64_t{0}}) {
    EXPECT_EQ(clock.ToNs(ticks), ticks);
  }
  const uint64_t before = MonotonicNs();
  const uint64_t now = MonotonicTicks::Now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, MonotonicNs());
  EXPECT_EQ(clock.DriftPpm(), 0);
}

TEST(Clock, ScalingIsExactAtLargeValues) {
  constexpr uint64_t kOne = uint64_t{1} << 32;
  EXPECT_EQ(Clock::ScaleToNs(~uint64_t{0}, kOne), ~uint64_t{0});
  EXPECT_EQ(Clock::ScaleToNs(~uint64_t{0}, kOne / 2), ~uint64_t{0} / 2);
  EXPECT_EQ(Clock::ScaleToNs(~uint64_t{0}, 1), kOne - 1);
  EXPECT_EQ(Clock::ScaleToNs(1, kOne - 1), 0u);
  EXPECT_EQ(Clock::ScaleToNs(kOne, kOne - 1), kOne - 1);
  // A year at 2.5 GHz: a product of 82 bits.
  EXPECT_EQ(Clock::ScaleToNs(78'840'000'000'000'000, kOne / 5 * 2), 31'535'999'992'657'452u);
  EXPECT_EQ(Clock::ScaleToNs(78'840'000'000'000'000, kOne / 4), 19'710'000'000'000'000u);
}

TEST(Clock, AFrequencyThatIsOffIsNoticedAsDrift) {
  const Clock right = Clock::Calibrate(true);
  if (!right.is_tsc()) GTEST_SKIP() << right.reason();
  const Clock slow = Clock::AssumeTsc(right.ticks_per_second() * 1.001);
  const Clock fast = Clock::AssumeTsc(right.ticks_per_second() * 0.999);
  EXPECT_EQ(slow.DriftPpm(), 0) << "too early to tell";
  Sleep(110);
  EXPECT_NEAR(slow.DriftPpm(), -999, 50);
  EXPECT_NEAR(fast.DriftPpm(), 1001, 50);
  EXPECT_LT(std::abs(right.DriftPpm()), 50);
}

TEST(Clock, AnAssumedFrequencyScales) {
  const Clock clock = Clock::AssumeTsc(2.5e9);
  EXPECT_TRUE(clock.is_tsc());
  EXPECT_NEAR(static_cast<double>(clock.ToNs(2'500'000'000'000)), 1e12, 1e3);
}

}  // namespace levelfield::clock_test
