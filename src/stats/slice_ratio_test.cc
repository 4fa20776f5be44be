#include "stats/slice_ratio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace levelfield::slice_ratio_test {

// A machine that drifts, has bursts of other work and remembers both, and processes that happen to
// be faster or slower for their whole life. All from one seed.
class Machine {
 public:
  explicit Machine(uint64_t seed) : random_(seed) {}

  // The logarithm of the ratio of one pair of processes.
  double PairOf(double true_ratio, size_t slices = 300) {
    const double of_pair = 0.004 * Normal();
    const double drift = 0.2 * Normal();  // Over the whole pair, for both alike.
    std::vector<uint64_t> operations[2];
    std::vector<uint64_t> active_ns[2];
    double memory = 0;
    bool is_burst = false;
    double own[2] = {};  // Each engine's background threads.
    for (size_t i = 0; i < slices; ++i) {
      memory = 0.9 * memory + 0.05 * Normal();
      is_burst = Uniform() < (is_burst ? 0.8 : 0.02);
      for (size_t side = 0; side < 2; ++side) {
        own[side] = 0.7 * own[side] + 0.03 * Normal();
        // A burst takes a share of each slice's processor, drawn anew.
        const double taken = is_burst ? Uniform() * 0.7 : 0;
        const double logarithm = memory + own[side] +
                                 drift * static_cast<double>(i) / static_cast<double>(slices) +
                                 (side == 1 ? std::log(true_ratio) + of_pair : 0);
        const double ns = 1e7 * (1 + 0.1 * Uniform());
        active_ns[side].push_back(static_cast<uint64_t>(ns));
        operations[side].push_back(
            static_cast<uint64_t>(ns * 1e-3 * std::exp(logarithm) * (1 - taken)));
      }
    }
    return LogRatioOfSlices({operations[0], active_ns[0]}, {operations[1], active_ns[1]}).value();
  }

  RateRatio Compare(double true_ratio, size_t pairs) {
    std::vector<double> logarithms(pairs);
    for (double& logarithm : logarithms) logarithm = PairOf(true_ratio);
    return CompareProcessPairs(logarithms);
  }

 private:
  double Uniform() { return static_cast<double>(random_.Next() >> 11) * 0x1p-53; }
  double Normal() {  // Box and Muller.
    return std::sqrt(-2 * std::log(1 - Uniform())) * std::cos(2 * M_PI * Uniform());
  }

  Random random_;
};

TEST(SliceRatio, IntervalsHoldInDriftBurstsAndDependence) {
  constexpr int kTrials = 1000;
  for (const size_t pairs : {3U, 6U}) {
    Machine machine(pairs);
    int held = 0;
    for (int i = 0; i < kTrials; ++i) {
      const Interval interval = machine.Compare(0.97, pairs).interval.value();
      held += interval.low <= 0.97 && 0.97 <= interval.high ? 1 : 0;
    }
    EXPECT_GE(held, 930) << pairs;
    EXPECT_LE(held, 970) << pairs;
  }
}

TEST(SliceRatio, ThreePercentAreFoundInSixPairs) {
  Machine machine(7);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    found += Judge(machine.Compare(0.97, 6), 0.01, 0) == Verdict::kSlower ? 1 : 0;
  }
  EXPECT_GE(found, 180);
}

TEST(SliceRatio, IntervalsOfTwoSessionsHoldWhateverTheirYardstickIs) {
  constexpr int kTrials = 1000;
  Machine machine(9);
  int held = 0;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<double> before(3);
    std::vector<double> after(5);
    for (double& logarithm : before) logarithm = machine.PairOf(2);
    for (double& logarithm : after) logarithm = machine.PairOf(2 * 0.97);
    const Interval interval = CompareSessions(before, after).interval.value();
    held += interval.low <= 0.97 && 0.97 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 930);
  EXPECT_LE(held, 985);  // Welch's interval is the wider one where there are few.
}

TEST(SliceRatio, ASessionOfTwoPairsHasNoIntervalAndEqualOnesHaveANarrowOne) {
  const std::vector<double> three = {0.1, 0.1, 0.1};
  EXPECT_FALSE(CompareSessions(std::span(three).first(2), three).interval);
  const RateRatio same = CompareSessions(three, three);
  EXPECT_EQ(same.ratio, 1);
  EXPECT_EQ(same.interval->low, 1);
}

TEST(SliceRatio, WhatOnlyOneOfThemRanIsLeftOut) {
  const std::vector<uint64_t> ns(40, 1000);
  std::vector<uint64_t> fast(40, 200);
  std::fill(fast.begin() + 20, fast.end(), 1);
  const std::vector<uint64_t> slow(20, 100);
  const SlicedWork candidate = {slow, std::span(ns).first(20)};
  EXPECT_NEAR(std::exp(*LogRatioOfSlices({fast, ns}, candidate)), 0.5, 1e-9);
}

// The first slice of one was a single operation.
TEST(SliceRatio, AFewSlicesAreComparedByAllThatWasDone) {
  const std::vector<uint64_t> operations = {1, 999};
  const std::vector<uint64_t> ns = {50'000, 1'950'000};
  const std::vector<uint64_t> one = {1000};
  const std::vector<uint64_t> one_ns = {4'000'000};
  EXPECT_NEAR(std::exp(*LogRatioOfSlices({one, one_ns}, {operations, ns})), 2, 1e-9);
}

TEST(SliceRatio, NothingDoneHasNoRatio) {
  const std::vector<uint64_t> none(3, 0);
  const std::vector<uint64_t> ns(3, 1000);
  EXPECT_FALSE(LogRatioOfSlices({none, ns}, {none, ns}));
  EXPECT_FALSE(LogRatioOfSlices({}, {}));
}

TEST(SliceRatio, TwoPairsOfProcessesHaveNoInterval) {
  const double logarithms[] = {0.01, 0.02};
  EXPECT_FALSE(CompareProcessPairs(logarithms).interval);
  EXPECT_NEAR(CompareProcessPairs(logarithms).ratio, std::exp(0.015), 1e-9);
}

}  // namespace levelfield::slice_ratio_test
