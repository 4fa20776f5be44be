#include "stats/rate_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::rate_curve_test {

RateCurve Curve(const std::string& text) { return Must(RateCurve::Parse(text)); }

TEST(RateCurve, IsAListOfRatesAndHowLongEachHolds) {
  const RateCurve curve = Curve("1k:10s, 5k/s:500ms\n0:1s");
  EXPECT_EQ(curve.text(), "1k:10s,5k/s:500ms,0:1s");
  EXPECT_DOUBLE_EQ(curve.PeriodSeconds(), 11.5);
  EXPECT_DOUBLE_EQ(curve.MeanRate(), 12'500 / 11.5);
  EXPECT_DOUBLE_EQ(curve.PeakRate(), 5'000);
  ASSERT_EQ(curve.parts().size(), 3u);
  EXPECT_DOUBLE_EQ(curve.parts()[1].begin_seconds, 10);
  EXPECT_DOUBLE_EQ(curve.parts()[1].end_seconds, 10.5);
  EXPECT_DOUBLE_EQ(curve.parts()[1].rate, 5'000);
}

TEST(RateCurve, IsDueWhereItsAreaIsThatLarge) {
  const RateCurve curve = Curve("10:1s,0:2s,100:1s");
  EXPECT_EQ(curve.DueNs(0), 0u);
  EXPECT_EQ(curve.DueNs(5), 500'000'000u);
  EXPECT_EQ(curve.DueNs(10), 3'000'000'000u) << "nothing is due in between";
  EXPECT_EQ(curve.DueNs(60), 3'500'000'000u);
  EXPECT_EQ(curve.DueNs(110), 4'000'000'000u) << "it begins again";
  EXPECT_EQ(curve.DueNs(1'100'005), 40'000'500'000'000u) << "and again";
}

TEST(RateCurve, BeginsWithTheFirstStepInWhichSomethingIsDue) {
  EXPECT_EQ(Curve("0:2s,10:1s").DueNs(0), 2'000'000'000u);
}

TEST(RateCurve, CountsWhatIsDueAsItsTimesSay) {
  for (const char* const text :
       {"10:1s,0:2s,100:1s", "7:3s", "sine 10..1000 every 8s", "0:1s,3:1s"}) {
    const RateCurve curve = Curve(text);
    for (double entries = 0.5; entries < 5'000; entries += 7.25) {
      const double due_seconds = static_cast<double>(curve.DueNs(entries)) * 1e-9;
      EXPECT_NEAR(curve.Entries(due_seconds), entries, 1e-5) << text;
    }
  }
}

TEST(RateCurve, NeverGoesBack) {
  const RateCurve curve = Curve("3:0.7s,0:0.3s,11:1.1s,1:0.9s");
  uint64_t last_ns = 0;
  for (double entries = 0; entries < 1'000; entries += 0.1) {
    const uint64_t due_ns = curve.DueNs(entries);
    EXPECT_GE(due_ns, last_ns) << entries;
    last_ns = due_ns;
  }
}

TEST(RateCurve, IsASineBetweenTwoRates) {
  const RateCurve curve = Curve("sine 1k..5k every 60s");
  EXPECT_NEAR(curve.MeanRate(), 3'000, 1e-6);
  EXPECT_NEAR(curve.PeakRate(), 5'000, 1);
  // The integral of 3000 + 2000 sin(2 pi t / 60).
  for (double t = 0; t <= 120; t += 1.7) {
    const double turn = 2 * 3.14159265358979 * t / 60;
    EXPECT_NEAR(curve.Entries(t),
                3'000 * t + 2'000 * 60 / (2 * 3.14159265358979) * (1 - std::cos(turn)), 3)
        << t;
  }
  ASSERT_EQ(curve.parts().size(), 8u);
  EXPECT_GT(curve.parts()[1].rate, 4'500);
  EXPECT_LT(curve.parts()[5].rate, 1'500);
}

TEST(RateCurve, ASineMayBeginAnywhereInItsPeriod) {
  const RateCurve whole = Curve("sine 1k..5k every 60s");
  const RateCurve later = Curve("sine 1k..5k every 60s from 0.25");
  EXPECT_NEAR(later.Entries(30), whole.Entries(45) - whole.Entries(15), 1e-6);
  EXPECT_NEAR(later.parts()[0].rate, later.parts()[7].rate, 1e-6) << "it begins at its top";
  EXPECT_GT(later.parts()[0].rate, 4'500);
}

TEST(RateCurve, ASineMayHoldEachOfItsRatesForAWhile) {
  const RateCurve curve = Curve("sine 1k..5k every 40s in steps of 10s");
  ASSERT_EQ(curve.parts().size(), 4u);
  EXPECT_NEAR(curve.parts()[0].rate, 3'000, 1e-6);
  EXPECT_NEAR(curve.parts()[1].rate, 5'000, 1e-6);
  EXPECT_NEAR(curve.parts()[3].rate, 1'000, 1e-6);
  EXPECT_DOUBLE_EQ(curve.PeriodSeconds(), 40);
  EXPECT_NEAR(curve.Entries(15), 55'000, 1e-6);
  EXPECT_DOUBLE_EQ(Curve("sine 1k..5k every 40s in steps of 40s").PeriodSeconds(), 40);
  EXPECT_DOUBLE_EQ(Curve("sine 1k..5k every 40s in steps of 30s").PeriodSeconds(), 120);
  EXPECT_THAT(RateCurve::Parse("sine 0..1 every 40s from 0.75 in steps of 40s").status().message(),
              testing::HasSubstr("nothing is ever due"));
}

TEST(RateCurve, StepsThatNeverMeetTheSinesPeriodGoOnForALongTime) {
  const RateCurve curve = Curve("sine 1k..5k every 6.28318530718s in steps of 10s");
  EXPECT_DOUBLE_EQ(curve.PeriodSeconds(), 10.0 * RateCurve::kMostSteps);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_NEAR(curve.Entries(10 * i + 10) - curve.Entries(10 * i),
                10 * (3'000 + 2'000 * std::sin(10 * i)), 1e-3);
  }
}

TEST(RateCurve, NoiseMovesEachStepUpToSoFar) {
  const RateCurve plain = Curve("sine 1k..5k every 40s in steps of 10s");
  const RateCurve noisy = Curve("sine 1k..5k every 40s in steps of 10s +-300");
  double largest = 0;
  double sum = 0;
  for (int i = 0; i < 1'000; ++i) {
    const auto rate_of = [&](const RateCurve& curve) {
      return (curve.Entries(10 * i + 10) - curve.Entries(10 * i)) / 10;
    };
    const double moved = rate_of(noisy) - rate_of(plain);
    largest = std::max(largest, std::abs(moved));
    sum += moved;
  }
  EXPECT_LE(largest, 300);
  EXPECT_GT(largest, 290);
  EXPECT_LT(std::abs(sum / 1'000), 30);
}

TEST(RateCurve, WhatStandsBehindASineIsRefusedIfItIsWrong) {
  for (const char* const text :
       {"sine 1k..5k every 60s from 2", "sine 1k..5k every 60s from x",
        "sine 1k..5k every 60s in steps of 10ms", "sine 1k..5k every 60s +-100",
        "sine 1k..5k every 60s in steps of 10s +-x", "sine 1k..5k every 60s in steps of"}) {
    EXPECT_THAT(RateCurve::Parse(text).status().message(), testing::HasSubstr("+-200")) << text;
  }
}

TEST(RateCurve, TellsWhichPartAMomentIsOf) {
  const RateCurve curve = Curve("1k:10s,5k:2s");
  for (const auto& [seconds, part, end] : {std::tuple(0.0, 0u, 10.0),
                                           {9.9, 0u, 10.0},
                                           {10.0, 1u, 12.0},
                                           {12.0, 0u, 22.0},
                                           {23.0, 1u, 24.0},
                                           {1205.0, 0u, 1210.0}}) {
    EXPECT_EQ(curve.PartAt(seconds), part) << seconds;
    EXPECT_DOUBLE_EQ(curve.PartEndSeconds(seconds), end) << seconds;
  }
}

TEST(RateCurve, HasNoPartsWhereItHasVeryManySteps) {
  std::string text;
  for (int i = 0; i < 288; ++i) text += std::to_string(i) + ":300s\n";
  EXPECT_TRUE(Curve(text).parts().empty());
  EXPECT_DOUBLE_EQ(Curve(text).PeriodSeconds(), 86'400);
  std::string most;
  for (size_t i = 1; i <= RateCurve::kMostParts; ++i) most += std::to_string(i) + ":1s\n";
  EXPECT_EQ(Curve(most).parts().size(), RateCurve::kMostParts);
  EXPECT_TRUE(Curve(most + "1:1s").parts().empty());
  EXPECT_EQ(Curve("sine 1k..5k every 240s in steps of 10s").parts().size(), RateCurve::kMostParts);
  EXPECT_TRUE(Curve("sine 1k..5k every 250s in steps of 10s").parts().empty());
}

TEST(RateCurve, KnowsItsLongestWait) {
  EXPECT_NEAR(Curve("10:1s,0:2s,100:1s").LongestWaitSeconds(1), 2.01, 1e-6);
  EXPECT_NEAR(Curve("10:1s").LongestWaitSeconds(5), 0.5, 1e-6);
  EXPECT_NEAR(Curve("100:1s,1:10s").LongestWaitSeconds(3), 3, 1e-6);
}

TEST(RateCurve, RefusesNonsenseWithWhatIsAccepted) {
  for (const char* const text : {"1k:", ":10s", "1k:10m5", "x:10s", "1k:-1s", "1k:0.01s", "0:10s",
                                 "1k:10s,5k", ",", "2G:1s", "sine 5k..1k every 60s", "sine 1k..5k",
                                 "sine 1k..5k every 0.5s", "sine x..5k every 9s", "1k:10s;5k:1s"}) {
    EXPECT_THAT(ErrorOf(RateCurve::Parse(text)), HasSubstr("`1k:10s,5k:2s`")) << text;
  }
  EXPECT_TRUE(RateCurve::Parse("1k:10").ok()) << "a plain number is seconds";
}

}  // namespace levelfield::rate_curve_test
