#include "analysis/duet.h"

#include <gtest/gtest.h>

#include "analysis/comparison.h"
#include "base/random.h"
#include "result/rounds_for_test.h"
#include "result/ticks_for_test.h"

namespace levelfield {
namespace {

PhaseResult PhaseOf(Ticks ticks) {
  PhaseResult phase = RoundOf("a", 1, 1000).phases[0];
  phase.ticks = std::move(ticks);
  return phase;
}

// What another tenant takes at that time, from both alike: now a tenth, now nine of ten.
double LeftByOthers(size_t tick, uint64_t seed) {
  return 0.1 + 1e-4 * static_cast<double>(Random(seed * 1000 + tick / 3).Below(8'000));
}

TEST(Duet, IsTheRatioThatBothHaveWhateverTheMachineDoesMeanwhile) {
  const PhaseResult baseline =
      PhaseOf(TicksOf(50, [](size_t i) { return 1e6 * LeftByOthers(i, 1); }));
  const PhaseResult candidate =
      PhaseOf(TicksOf(50, [](size_t i) { return 1.1e6 * LeftByOthers(i, 1); }));
  const std::optional<DuetRates> rates = RatesTogether(baseline, candidate);
  ASSERT_TRUE(rates);
  EXPECT_NEAR(rates->candidate / rates->baseline, 1.1, 1e-4);
}

// What only one of them meets is in a few slices, and the median passes over it.
TEST(Duet, IsNotMovedByWhatMetOneOfThemForAMoment) {
  const PhaseResult baseline = PhaseOf(TicksOf(50, [](size_t) { return 1000; }));
  const PhaseResult candidate =
      PhaseOf(TicksOf(50, [](size_t i) { return i / 10 == 2 ? 10 : 1000; }));
  EXPECT_DOUBLE_EQ(RatesTogether(baseline, candidate)->candidate, 10'000);
}

// The one that ends first leaves the whole machine to the other.
TEST(Duet, IsOfTheTimeThatBothRan) {
  const PhaseResult baseline = PhaseOf(TicksOf(10, [](size_t) { return 1000; }));
  const PhaseResult candidate = PhaseOf(TicksOf(40, [](size_t i) { return i < 10 ? 500 : 5000; }));
  const std::optional<DuetRates> rates = RatesTogether(baseline, candidate);
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(rates->baseline, 10'000);
  EXPECT_DOUBLE_EQ(rates->candidate, 5'000);
}

TEST(Duet, ThatWasTooShortHasNoRatio) {
  const PhaseResult whole = PhaseOf(TicksOf(50, [](size_t) { return 1000; }));
  EXPECT_FALSE(RatesTogether(whole, PhaseOf(TicksOf(4, [](size_t) { return 1000; }))));
  EXPECT_TRUE(RatesTogether(whole, PhaseOf(TicksOf(5, [](size_t) { return 1000; }))));
  PhaseResult untold = whole;
  untold.ticks.reset();
  EXPECT_FALSE(RatesTogether(whole, untold));
  EXPECT_FALSE(RatesTogether(whole, PhaseOf(TicksOf(50, [](size_t) { return 0; }))));
}

// Eight rounds of two on a machine that leaves them anything from a tenth to nine tenths of itself;
// `together`: the same to both at each moment.
Result OnABusyMachine(double ratio, bool together) {
  Result result;
  result.settings = {{"duet", together ? "1" : "0"}};
  for (uint64_t round = 1; round <= 8; ++round) {
    const uint64_t other_time = together ? round : round + 100;
    const auto add = [&](const char* engine, double speed, uint64_t seed) {
      RunResult run = RoundOf(engine, round, 0);
      run.phases[0].ticks =
          TicksOf(10, [&](size_t i) { return 1e6 * speed * LeftByOthers(i, seed); });
      uint64_t& done = run.phases[0].roles[0].lanes[0].operations;
      for (const uint64_t operations : run.phases[0].ticks->operations[0]) done += operations;
      result.runs.push_back(std::move(run));
    };
    add("a", 1, round);
    add("b", ratio, other_time);
  }
  return result;
}

TEST(Duet, FindsADifferenceThatTurnsCannotFindOnABusyMachine) {
  const auto verdict = [](const Result& result) {
    return (*CompareWithin(result, "a", {}))[0].workloads[0].verdict;
  };
  EXPECT_EQ(verdict(OnABusyMachine(1.1, true)), Verdict::kFaster);
  EXPECT_EQ(verdict(OnABusyMachine(0.9, true)), Verdict::kSlower);
  EXPECT_EQ(verdict(OnABusyMachine(1, true)), Verdict::kEquivalent);
  EXPECT_EQ(verdict(OnABusyMachine(1.1, false)), Verdict::kUnresolved);
}

}  // namespace
}  // namespace levelfield
