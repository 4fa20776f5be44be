// What ratios of rounds say on a machine that is never quiet, by simulated rounds without a clock.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "base/random.h"
#include "stats/statistics.h"

namespace levelfield::round_ratio_test {

// A machine that drifts, has bursts of other work and remembers both, and processes that happen to
// be faster or slower for their whole life. All from one seed.
class Machine {
 public:
  explicit Machine(uint64_t seed) : random_(seed) {}

  // The logarithm of the ratio of one pair of processes that took turns: of all that each did over
  // all its time, without what others took from it.
  double PairOf(double true_ratio, size_t slices = 300) {
    const double of_pair = 0.004 * Normal();
    const double drift = 0.2 * Normal();  // Over the whole pair, for both alike.
    double operations[2] = {};
    double ns[2] = {};
    double memory = 0;
    bool is_burst = false;
    double own[2] = {};  // Each engine's background threads.
    for (size_t i = 0; i < slices; ++i) {
      memory = 0.9 * memory + 0.05 * Normal();
      is_burst = Uniform() < (is_burst ? 0.8 : 0.02);
      for (size_t side = 0; side < 2; ++side) {
        own[side] = 0.7 * own[side] + 0.03 * Normal();
        // A burst takes a share of each slice's processor, drawn anew. The kernel counts most.
        const double taken = is_burst ? Uniform() * 0.7 : 0;
        const double logarithm = memory + own[side] +
                                 drift * static_cast<double>(i) / static_cast<double>(slices) +
                                 (side == 1 ? std::log(true_ratio) + of_pair : 0);
        const double active_ns = 1e7 * (1 + 0.1 * Uniform());
        operations[side] += active_ns * 1e-3 * std::exp(logarithm) * (1 - taken);
        ns[side] += active_ns * (1 - 0.9 * taken);
      }
    }
    return std::log(operations[1] / ns[1] / (operations[0] / ns[0]));
  }

  RateRatio Compare(double true_ratio, size_t pairs) {
    std::vector<double> logarithms(pairs);
    for (double& logarithm : logarithms) logarithm = PairOf(true_ratio);
    return CompareRounds(logarithms, kLeastProcessPairs);
  }

 private:
  double Uniform() { return static_cast<double>(random_.Next() >> 11) * 0x1p-53; }
  double Normal() {  // Box and Muller.
    return std::sqrt(-2 * std::log(1 - Uniform())) * std::cos(2 * M_PI * Uniform());
  }

  Random random_;
};

TEST(RoundRatio, IntervalsHoldInDriftBurstsAndDependence) {
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

TEST(RoundRatio, ThreePercentAreFoundInSixPairs) {
  Machine machine(7);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    found += Judge(machine.Compare(0.97, 6), 0.01, 0) == Verdict::kSlower ? 1 : 0;
  }
  EXPECT_GE(found, 180);
}

TEST(RoundRatio, IntervalsOfTwoSessionsHoldWhateverTheirYardstickIs) {
  constexpr int kTrials = 1000;
  Machine machine(9);
  int held = 0;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<double> before(3);
    std::vector<double> after(5);
    for (double& logarithm : before) logarithm = machine.PairOf(2);
    for (double& logarithm : after) logarithm = machine.PairOf(2 * 0.97);
    const Interval interval = CompareUnpaired(before, after, kLeastProcessPairs).interval.value();
    held += interval.low <= 0.97 && 0.97 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 930);
  EXPECT_LE(held, 985);  // Welch's interval is the wider one where there are few.
}

TEST(RoundRatio, ASessionOfTwoPairsHasNoIntervalAndEqualOnesHaveANarrowOne) {
  const std::vector<double> three = {0.1, 0.1, 0.1};
  EXPECT_FALSE(CompareUnpaired(std::span(three).first(2), three, kLeastProcessPairs).interval);
  const RateRatio same = CompareUnpaired(three, three, kLeastProcessPairs);
  EXPECT_EQ(same.ratio, 1);
  EXPECT_EQ(same.interval->low, 1);
}

TEST(RoundRatio, TwoPairsOfProcessesHaveNoInterval) {
  const double logarithms[] = {0.01, 0.02};
  EXPECT_FALSE(CompareRounds(logarithms, kLeastProcessPairs).interval);
  EXPECT_NEAR(CompareRounds(logarithms, kLeastProcessPairs).ratio, std::exp(0.015), 1e-9);
}

// Medians are not so: the medians' quotient here is 1.
TEST(GeometricMean, QuotientsAreTheMeanRatiosOfTheRoundsAndMultiply) {
  const std::vector<double> a = {100, 200, 400, 100, 300, 500};
  const std::vector<double> b = {150, 190, 900, 110, 310, 200};
  const std::vector<double> c = {50, 20, 90, 300, 10, 200};
  EXPECT_NEAR(ComparePaired(a, b).ratio, GeometricMean(b) / GeometricMean(a), 1e-12);
  EXPECT_NEAR(ComparePaired(a, b).ratio * ComparePaired(b, c).ratio, ComparePaired(a, c).ratio,
              1e-12);
}

TEST(GeometricMean, HasAnIntervalFromSixRoundsOn) {
  const std::vector<double> rates = {100, 110, 90, 105, 95, 100};
  const Interval interval = GeometricMeanInterval(rates).value();
  EXPECT_LT(interval.low, GeometricMean(rates));
  EXPECT_GT(interval.high, GeometricMean(rates));
  EXPECT_NEAR(interval.low * interval.high, GeometricMean(rates) * GeometricMean(rates), 1e-6);
  EXPECT_FALSE(GeometricMeanInterval(std::span(rates).first(5)));
}

}  // namespace levelfield::round_ratio_test
