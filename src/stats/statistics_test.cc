#include "stats/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace levelfield::statistics_test {

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

// A run of several engines against themselves: eleven workloads, six engines beside a baseline that
// all share. Rates scatter by 5 %, and some rounds are disturbed.
struct Family {
  std::vector<RateRatio> ratios;
  std::vector<Verdict> verdicts;
};
Family FamilyOf(std::mt19937_64& random, size_t rounds, double disturbed, double slower) {
  Family run;
  const auto rates = [&](double ratio) {
    std::vector<double> values(rounds);
    for (double& value : values) {
      value = ratio * std::lognormal_distribution<double>(0, 0.05)(random);
      if (std::bernoulli_distribution(disturbed)(random)) {
        value *= std::exp(-std::abs(std::normal_distribution<double>(0, 0.5)(random)));
      }
    }
    return values;
  };
  for (int workload = 0; workload < 11; ++workload) {
    const std::vector<double> baseline = rates(1);
    for (int engine = 0; engine < 6; ++engine) {
      run.ratios.push_back(ComparePaired(baseline, rates(engine == 0 ? 1 - slower : 1)));
    }
  }
  for (const RateRatio& ratio : run.ratios) run.verdicts.push_back(Judge(ratio, 0, 0));
  std::vector<Claim> claims;
  for (size_t i = 0; i < run.ratios.size(); ++i) {
    claims.push_back({&run.ratios[i], 0, &run.verdicts[i]});
  }
  HoldTogether(claims, 0);
  return run;
}

TEST(HoldTogether, NoRowOf66IsFalseInMoreThanFiveOf100RunsOfEqualEngines) {
  for (const double disturbed : {0.0, 0.1}) {
    for (const size_t rounds : {6U, 8U}) {
      std::mt19937_64 random(rounds);
      constexpr int kRuns = 2000;
      int false_runs = 0;
      for (int i = 0; i < kRuns; ++i) {
        const Family run = FamilyOf(random, rounds, disturbed, 0);
        const bool is_false = std::ranges::any_of(
            run.verdicts, [](Verdict verdict) { return verdict != Verdict::kUnresolved; });
        false_runs += is_false ? 1 : 0;
      }
      EXPECT_LE(false_runs, kRuns / 20) << rounds << " rounds, disturbed: " << disturbed;
    }
  }
}

TEST(HoldTogether, FindsAFifthInMostOf66RowsAndEightRoundsFindMoreThanSix) {
  const auto found = [](size_t rounds) {
    std::mt19937_64 random(5);
    int slower = 0;
    for (int i = 0; i < 50; ++i) {
      const Family run = FamilyOf(random, rounds, 0, 0.2);
      for (size_t row = 0; row < run.verdicts.size(); row += 6) {
        slower += run.verdicts[row] == Verdict::kSlower ? 1 : 0;
      }
    }
    return slower;
  };
  const int in_six = found(6);
  EXPECT_GE(in_six, 330) << "of 550";
  EXPECT_GE(found(8), in_six);
  EXPECT_GE(found(8), 520);
}

TEST(HoldTogether, OneRowKeepsItsVerdictAndAmongMoreItTakesMore) {
  // Alone, 4 standard errors of 5 degrees of freedom are beyond 95 % (2.6), but not beyond what
  // 20 rows take (5.6).
  const RateRatio ratio = RatioAround(std::log(0.9), std::log(1 / 0.9) / 4, 5);
  const auto verdict_among = [&](size_t rows) {
    Verdict verdict = Judge(ratio, 0.02, 0);
    HoldTogether(std::vector<Claim>{{&ratio, 0, &verdict}}, 0.02, rows);
    return verdict;
  };
  EXPECT_EQ(verdict_among(1), Verdict::kSlower);
  EXPECT_EQ(verdict_among(20), Verdict::kUnresolved);
}

TEST(HoldTogether, RowsThatAreClearLeaveTheErrorToTheOthers) {
  // 3 standard errors hold as one of one, and not as one of two.
  const RateRatio close = RatioAround(std::log(0.9), std::log(1 / 0.9) / 3, 5);
  const RateRatio clear = RatioAround(std::log(0.5), 0.001, 5);
  const auto verdict_beside = [&](const RateRatio& other) {
    Verdict verdicts[] = {Judge(close, 0.02, 0), Judge(other, 0.02, 0)};
    const Claim claims[] = {{&close, 0, &verdicts[0]}, {&other, 0, &verdicts[1]}};
    HoldTogether(claims, 0.02);
    return verdicts[0];
  };
  EXPECT_EQ(verdict_beside(clear), Verdict::kSlower);
  EXPECT_EQ(verdict_beside(close), Verdict::kUnresolved);
}

TEST(HoldTogether, EquivalentIsAClaimLikeTheOthers) {
  const RateRatio ratio = RatioAround(0.001, 0.006, 5);
  Verdict verdict = Judge(ratio, 0.02, 0);
  EXPECT_EQ(verdict, Verdict::kEquivalent);
  HoldTogether(std::vector<Claim>{{&ratio, 0, &verdict}}, 0.02, 50);
  EXPECT_EQ(verdict, Verdict::kUnresolved);
}

// The one that is nearly at the margin is the less sure of two, so it is held to the lesser demand.
TEST(HoldTogether, EquivalentIsAsSureAsItIsFarFromTheMargin) {
  const RateRatio near_margin = RatioAround(std::log(1.015), 0.00236, 100);
  const RateRatio faster = RatioAround(std::log(1.5), 0.1, 100);
  Verdict verdict = Judge(near_margin, 0.02, 0);
  ASSERT_EQ(verdict, Verdict::kEquivalent);
  Verdict other = Judge(faster, 0.02, 0);
  ASSERT_EQ(other, Verdict::kFaster);
  HoldTogether(std::vector<Claim>{{&near_margin, 0, &verdict}, {&faster, 0, &other}}, 0.02);
  EXPECT_EQ(verdict, Verdict::kEquivalent);
  EXPECT_EQ(other, Verdict::kFaster);
}

// Its own interval lies within the margin, and that of one of 20 does not, but is still above 1.
TEST(HoldTogether, ADifferenceThatNobodyMindsIsNotFaster) {
  const RateRatio ratio = RatioAround(0.028, 0.006, 9);
  Verdict verdict = Judge(ratio, 0.05, 0);
  ASSERT_EQ(verdict, Verdict::kEquivalent);
  HoldTogether(std::vector<Claim>{{&ratio, 0, &verdict}}, 0.05, 20);
  EXPECT_EQ(verdict, Verdict::kUnresolved);
}

TEST(HoldTogether, WhatIsNotRankedOrHasTooFewRoundsIsNoPartOfIt) {
  const RateRatio ratio = RatioAround(std::log(0.9), std::log(1 / 0.9) / 3, 5);
  const RateRatio of_few{.ratio = 0.5};
  Verdict verdicts[] = {Verdict::kSlower, Verdict::kNotRanked, Verdict::kIndicative};
  const Claim claims[] = {
      {&ratio, 0, &verdicts[0]}, {&ratio, 0, &verdicts[1]}, {&of_few, 0, &verdicts[2]}};
  HoldTogether(claims, 0.02);
  EXPECT_EQ(verdicts[0], Verdict::kSlower);
  EXPECT_EQ(verdicts[1], Verdict::kNotRanked);
  EXPECT_EQ(verdicts[2], Verdict::kIndicative);
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

}  // namespace levelfield::statistics_test
