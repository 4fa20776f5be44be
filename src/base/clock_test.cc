#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "base/matchers_for_test.h"

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

// A counter of 2 GHz on a machine that the test describes.
class Script {
 public:
  std::string why_untrusted;
  int busy_tries = 0;         // So many tries see no handoff.
  uint64_t ticks_behind = 0;  // In the others.
  int wide_readings = 0;      // So many readings take a millisecond.
  int tries = 0;

  ClockChoice Choose() {
    return ChooseClock({.why_untrusted = [&] { return why_untrusted; },
                        .compare =
                            [&] {
                              return ++tries <= busy_tries
                                         ? CounterHandoffs{.quick = 3}
                                         : CounterHandoffs{.quick = 4000,
                                                           .ticks_behind = ticks_behind};
                            },
                        .read =
                            [&] {
                              const bool is_wide = wide_readings-- > 0;
                              return CounterReading{.ticks = 2 * now_ns_,
                                                    .monotonic_ns = now_ns_,
                                                    .width = is_wide ? 2'000'000u : 60u};
                            },
                        .sleep = [&](uint64_t ns) { now_ns_ += ns; }});
  }

 private:
  uint64_t now_ns_ = 1'000'000'000;
};

TEST(ChoiceOfTheClock, IsTheCounterWhereTheMachineIsQuiet) {
  const ClockChoice choice = Script().Choose();
  EXPECT_EQ(choice.reason, "");
  EXPECT_NEAR(choice.ticks_per_second, 2e9, 1);
}

TEST(ChoiceOfTheClock, TriesAgainOnABusyMachine) {
  Script script;
  script.busy_tries = 9;
  EXPECT_TRUE(script.Choose().is_tsc());
  EXPECT_EQ(script.tries, 10);
  Script of_readings;
  of_readings.wide_readings = 4;
  EXPECT_NEAR(of_readings.Choose().ticks_per_second, 2e9, 1);
}

TEST(ChoiceOfTheClock, SaysThatTheMachineWasTooBusyNotThatItWasAskedFor) {
  Script script;
  script.busy_tries = 1000;
  const ClockChoice choice = script.Choose();
  EXPECT_FALSE(choice.is_tsc());
  EXPECT_LT(script.tries, 20);
  EXPECT_THAT(choice.reason,
              HasSubstr("too busy to compare two processors' counters: 36 handoffs"));
  EXPECT_THAT(Clock::Known(choice).Words(),
              StartsWith("CLOCK_MONOTONIC: the machine was too busy"));
  EXPECT_THAT(Clock::Known(choice).Words(), Not(HasSubstr("asked for")));
}

TEST(ChoiceOfTheClock, SaysThatTheMachineWasTooBusyToCalibrate) {
  Script script;
  script.wide_readings = 1000;
  EXPECT_THAT(script.Choose().reason, HasSubstr("too busy to calibrate"));
}

TEST(ChoiceOfTheClock, SaysThatTheCountersDiffer) {
  Script script;
  script.ticks_behind = 201;
  EXPECT_EQ(script.Choose().reason, "two processors' counters are 201 ticks apart");
  script.ticks_behind = 200;
  EXPECT_TRUE(script.Choose().is_tsc());
}

TEST(ChoiceOfTheClock, SaysWhyNobodyVouchesForTheCounter) {
  Script script;
  script.why_untrusted = "the kernel keeps time by 'hpet', not by the counter";
  EXPECT_EQ(script.Choose().reason, script.why_untrusted);
  EXPECT_EQ(script.tries, 0);
}

TEST(ChoiceOfTheClock, SaysThatItWasAskedFor) {
  EXPECT_THAT(Clock::Known(ChosenClock(false)).Words(),
              StartsWith("CLOCK_MONOTONIC: --clock=monotonic was asked for"));
}

TEST(Clock, AnAssumedFrequencyScales) {
  const Clock clock = Clock::AssumeTsc(2.5e9);
  EXPECT_TRUE(clock.is_tsc());
  EXPECT_NEAR(static_cast<double>(clock.ToNs(2'500'000'000'000)), 1e12, 1e3);
}

}  // namespace levelfield::clock_test
