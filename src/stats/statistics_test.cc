#include "stats/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace levelfield {
namespace {

std::vector<double> Series(size_t count) {  // 1, 2, ... count.
  std::vector<double> values;
  for (size_t i = 1; i <= count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5, 7}), 6);
}

// The published table: of n values the k-th least to the k-th greatest.
TEST(MedianInterval, IsThatOfThePublishedTable) {
  const std::vector<std::array<size_t, 3>> table = {{6, 1, 6},   {7, 1, 7},   {9, 2, 8},
                                                    {10, 2, 9},  {12, 3, 10}, {15, 4, 12},
                                                    {20, 6, 15}, {30, 10, 21}};
  for (const auto& [count, low, high] : table) {
    const auto interval = MedianInterval(Series(count));
    ASSERT_TRUE(interval.has_value()) << count;
    EXPECT_EQ(interval->low, static_cast<double>(low)) << count;
    EXPECT_EQ(interval->high, static_cast<double>(high)) << count;
  }
}

TEST(MedianInterval, IsNotGivenForFewerThanSixValues) {
  for (size_t count = 0; count < kLeastRepetitions; ++count) {
    EXPECT_FALSE(MedianInterval(Series(count)).has_value()) << count;
  }
}

double Coverage(size_t count, double median, const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(7);
  constexpr int kSeries = 2000;
  int covered = 0;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> values(count);
    for (double& value : values) value = draw(random);
    const auto interval = MedianInterval(values);
    covered += interval->low <= median && median <= interval->high ? 1 : 0;
  }
  return static_cast<double>(covered) / kSeries;
}

TEST(MedianInterval, ContainsTheMedianOfSkewedTimesInAtLeast94Of100Cases) {
  const auto lognormal = [](std::mt19937_64& random) {
    return std::lognormal_distribution<double>(0, 0.5)(random);
  };
  const auto floor_and_tail = [](std::mt19937_64& random) {
    return 1 + std::exponential_distribution<double>(5)(random);
  };
  for (const size_t count : {6, 10, 21}) {
    EXPECT_GE(Coverage(count, 1, lognormal), 0.94) << count;
    EXPECT_GE(Coverage(count, 1 + std::log(2) / 5, floor_and_tail), 0.94) << count;
  }
}

TEST(ComparePaired, IsNotMovedByWhatBothHadToBear) {
  // Each round is ten times as slow as the one before; the candidate is a fifth faster in each.
  std::vector<double> baseline;
  std::vector<double> candidate;
  for (double rate = 1e6; rate > 1; rate /= 10) {
    baseline.push_back(rate);
    candidate.push_back(rate * 1.2);
  }
  const RateRatio ratio = ComparePaired(baseline, candidate);
  EXPECT_NEAR(ratio.ratio, 1.2, 1e-9);
  ASSERT_TRUE(ratio.interval.has_value());
  EXPECT_NEAR(ratio.interval->low, 1.2, 1e-9);
  EXPECT_EQ(Judge(ratio, 0.02, 0), Verdict::kFaster);
  EXPECT_EQ(Judge(ComparePaired(candidate, baseline), 0.02, 0), Verdict::kSlower);
}

TEST(Judge, TellsTheFourVerdictsApart) {
  const auto of = [](double ratio, double low, double high) {
    return Judge({.ratio = ratio, .interval = Interval{low, high}}, 0.02, 0);
  };
  EXPECT_EQ(of(1.10, 1.05, 1.15), Verdict::kFaster);
  EXPECT_EQ(of(0.90, 0.85, 0.95), Verdict::kSlower);
  EXPECT_EQ(of(1.00, 0.99, 1.01), Verdict::kEquivalent);
  EXPECT_EQ(of(1.03, 0.90, 1.20), Verdict::kUnresolved);
}

TEST(Judge, GivesNoVerdictOnThreeRepetitions) {
  const std::vector<double> slow = {1, 1, 1};
  const std::vector<double> fast = {2, 2, 2};
  EXPECT_EQ(Judge(ComparePaired(slow, fast), 0.02, 0), Verdict::kIndicative);
}

TEST(Judge, ClaimsNothingSmallerThanTheNoise) {
  const RateRatio ratio{.ratio = 1.04, .interval = Interval{1.03, 1.05}};
  EXPECT_EQ(Judge(ratio, 0.02, 0.03), Verdict::kFaster);
  EXPECT_EQ(Judge(ratio, 0.02, 0.06), Verdict::kUnresolved);
}

// A thing against itself, on a machine whose speed wanders from round to round.
TEST(Judge, CallsAThingFasterThanItselfInAtMostSixOf100Sessions) {
  std::mt19937_64 random(11);
  int alarms = 0;
  constexpr int kSessions = 200;
  for (int session = 0; session < kSessions; ++session) {
    std::vector<double> one;
    std::vector<double> other;
    double machine = 1;
    for (int round = 0; round < 10; ++round) {
      machine *= std::lognormal_distribution<double>(0, 0.3)(random);
      one.push_back(machine * std::lognormal_distribution<double>(0, 0.05)(random));
      other.push_back(machine * std::lognormal_distribution<double>(0, 0.05)(random));
    }
    const Verdict verdict = Judge(ComparePaired(one, other), 0.02, 0);
    alarms += verdict == Verdict::kFaster || verdict == Verdict::kSlower ? 1 : 0;
  }
  EXPECT_LE(alarms, kSessions * 6 / 100);
}

TEST(LeastRepetitions, AreThoseThatHaveAnInterval) {
  EXPECT_EQ(LeastRepetitions(0.95), kLeastRepetitions);
  EXPECT_EQ(LeastRepetitions(0.99), kLeastForPrecision);
  for (const size_t variants : {1, 2, 3, 5, 20}) {
    const double confidence = ConfidenceOfEach(variants);
    const size_t least = LeastRepetitions(confidence);
    EXPECT_TRUE(MedianInterval(Series(least), confidence).has_value()) << variants;
    EXPECT_FALSE(MedianInterval(Series(least - 1), confidence).has_value()) << variants;
  }
}

TEST(RoundsForVerdicts, AreMoreTheMoreThereIsToCompare) {
  EXPECT_EQ(RoundsForVerdicts(0), 6u) << "of one alone, for its own interval";
  EXPECT_EQ(RoundsForVerdicts(1), 6u);
  EXPECT_EQ(RoundsForVerdicts(2), 7u);
  EXPECT_EQ(RoundsForVerdicts(5), 8u);
}

// Looks after each repetition from the sixth to the fortieth; the interval that is reported is the
// one of 95 %.
TEST(IsPrecise, LeavesTheIntervalItsCoverageWhereItDecidesWhenToStop) {
  std::mt19937_64 random(13);
  int covered = 0;
  constexpr int kSeries = 2000;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> values;
    const auto draw = [&] {
      values.push_back(std::lognormal_distribution<double>(0, 0.1)(random));
    };
    while (values.size() < kLeastRepetitions) draw();
    while (values.size() < 40 && !IsPrecise(values, 0.05)) draw();
    const auto interval = MedianInterval(values);
    covered += interval->low <= 1 && 1 <= interval->high ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(covered) / kSeries, 0.95);
}

// Why it does not look at which one is ahead: who stops as soon as a difference of two equal things
// is significant believes in 95 % and is right in 85.
TEST(IsPrecise, DoesWhatStoppingOnSignificanceDoesNot) {
  std::mt19937_64 random(13);
  int covered = 0;
  constexpr int kSeries = 2000;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> ratios;  // Logarithms of the ratios of two equal things.
    const auto is_significant = [&] {
      const auto interval = MedianInterval(ratios);
      return interval && (interval->low > 0 || interval->high < 0);
    };
    while (ratios.size() < 40 && !is_significant()) {
      ratios.push_back(std::normal_distribution<double>(0, 0.1)(random));
    }
    covered += is_significant() ? 0 : 1;
  }
  EXPECT_GE(static_cast<double>(covered) / kSeries, 0.80);
  EXPECT_LE(static_cast<double>(covered) / kSeries, 0.90);
}

TEST(IsPrecise, NeedsEightRepetitionsAtLeast) {
  EXPECT_FALSE(IsPrecise(std::vector<double>(kLeastForPrecision - 1, 1.0), 0.02));
  EXPECT_TRUE(IsPrecise(std::vector<double>(kLeastForPrecision, 1.0), 0.02));
}

}  // namespace
}  // namespace levelfield
