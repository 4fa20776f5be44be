#include "stats/change_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace levelfield::change_points_test {

using Noise = std::function<double(std::mt19937_64&)>;

double Normal(std::mt19937_64& random) { return std::normal_distribution<double>(0, 1)(random); }
// Rates of runs that are slow now and then.
double Skewed(std::mt19937_64& random) { return -std::exponential_distribution<double>(1)(random); }
double LongTailed(std::mt19937_64& random) {
  return std::student_t_distribution<double>(3)(random) / std::sqrt(3);
}

struct Level {
  size_t count;
  double rate;
};

std::vector<double> Levels(const std::vector<Level>& levels, double noise, std::mt19937_64& random,
                           const Noise& draw = Normal) {
  std::vector<double> values;
  for (const Level& level : levels) {
    for (size_t i = 0; i < level.count; ++i) {
      values.push_back(level.rate * std::exp(noise * draw(random)));
    }
  }
  return values;
}

bool IsAbout(size_t index, size_t place) { return index + 1 >= place && index <= place + 1; }

// In how many of 200 histories the last change is found within one value of its place.
int Found(size_t before, size_t behind, double ratio) {
  std::mt19937_64 random(3);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    const auto changes =
        FindChangePoints(Levels({{before, 1e6}, {behind, 1e6 * ratio}}, 0.02, random));
    found += !changes.empty() && IsAbout(changes.back().index, before) ? 1 : 0;
  }
  return found;
}

TEST(ChangePoints, AreAtAStepOfFivePercentInNoiseOfTwo) {
  for (const double ratio : {0.95, 1 / 0.95}) {
    for (const size_t before : {20, 47, 100}) {  // Independent of where windows begin.
      EXPECT_GE(Found(before, 3, ratio), 112) << before << " " << ratio;
      EXPECT_GE(Found(before, 5, ratio), 160) << before << " " << ratio;
      EXPECT_GE(Found(before, 10, ratio), 172) << before << " " << ratio;
    }
  }
}

TEST(ChangePoints, AreAtAStepOfFivePercentWithThreeValuesBehindIt) {
  std::mt19937_64 random(8);
  const auto changes = FindChangePoints(Levels({{100, 1e6}, {3, 0.95e6}}, 0.02, random));
  ASSERT_EQ(changes.size(), 1);
  EXPECT_TRUE(IsAbout(changes[0].index, 100)) << changes[0].index;
  EXPECT_NEAR(changes[0].size, -0.05, 0.03);
  EXPECT_LE(changes[0].p, 0.001);
}

// How many change points are found in a thousand histories of 200 values in which nothing changes.
int Alarms(double noise, const Noise& draw) {
  std::mt19937_64 random(5);
  int alarms = 0;
  for (int i = 0; i < 1000; ++i) {
    alarms += static_cast<int>(FindChangePoints(Levels({{200, 1e6}}, noise, random, draw)).size());
  }
  return alarms;
}

TEST(ChangePoints, AreTwoAtMostIn100HistoriesThatDoNotChange) {
  for (const double noise : {0.005, 0.02, 0.05, 0.2}) {
    EXPECT_LE(Alarms(noise, Normal), 10) << noise;
    EXPECT_LE(Alarms(noise, LongTailed), 15) << noise;
  }
  EXPECT_LE(Alarms(0.02, Skewed), 25);
}

TEST(ChangePoints, AreNoneOfEqualValues) {
  EXPECT_TRUE(FindChangePoints(std::vector<double>(200, 123456.7)).empty());
  // Nor where nothing is too small to be said.
  ChangePointRules rules;
  rules.least_size = 0;
  EXPECT_TRUE(FindChangePoints(std::vector<double>(200, 123456.7), rules).empty());
}

TEST(ChangePoints, AreCertainWithoutNoise) {
  std::mt19937_64 random(1);
  const auto changes = FindChangePoints(Levels({{20, 1e6}, {10, 0.5e6}}, 0, random));
  ASSERT_EQ(changes.size(), 1);
  EXPECT_EQ(changes[0].index, 20);
  EXPECT_NEAR(changes[0].size, -0.5, 1e-9);
  EXPECT_EQ(changes[0].p, 0);  // And not NaN.
}

TEST(ChangePoints, AreNoneOfTooFewValues) {
  std::mt19937_64 random(1);
  for (size_t count = 0; count < kLeastOfALevel + kLeastOfTheNewestLevel; ++count) {
    const size_t before = count / 2;
    const auto values = Levels({{before, 1e6}, {count - before, 1e5}}, 0.001, random);
    EXPECT_TRUE(FindChangePoints(values).empty()) << count;
  }
  EXPECT_EQ(FindChangePoints(Levels({{6, 1e6}, {3, 1e5}}, 0.001, random)).size(), 1);
}

TEST(ChangePoints, AreOneForEachStepUpAndDown) {
  std::mt19937_64 random(2);
  const auto changes =
      FindChangePoints(Levels({{40, 1e6}, {25, 0.8e6}, {60, 1.1e6}}, 0.02, random));
  ASSERT_EQ(changes.size(), 2);
  EXPECT_TRUE(IsAbout(changes[0].index, 40)) << changes[0].index;
  EXPECT_TRUE(IsAbout(changes[1].index, 65)) << changes[1].index;
  EXPECT_NEAR(changes[0].size, -0.2, 0.02);
  EXPECT_NEAR(changes[1].size, 0.375, 0.03);
}

// An older step has six times as many old values on its other side.
TEST(ChangePoints, AreNotHiddenByALargerOneBefore) {
  std::mt19937_64 random(4);
  const auto changes =
      FindChangePoints(Levels({{300, 1e5}, {40, 1e6}, {10, 0.95e6}}, 0.01, random));
  ASSERT_EQ(changes.size(), 2);
  EXPECT_TRUE(IsAbout(changes[1].index, 340)) << changes[1].index;
}

TEST(ChangePoints, AreNotAtOneBadValueNorAtALevelThatSoonWentAgain) {
  std::mt19937_64 random(6);
  EXPECT_TRUE(FindChangePoints(Levels({{50, 1e6}, {1, 1e5}, {50, 1e6}}, 0.02, random)).empty());
  EXPECT_TRUE(FindChangePoints(Levels({{50, 1e6}, {1, 1e5}}, 0.02, random)).empty());
  EXPECT_TRUE(FindChangePoints(Levels({{50, 1e6}, {4, 0.8e6}, {50, 1e6}}, 0.02, random)).empty());
}

// The energy of both parts has the same weight. Else the first value of the noisier one would go to
// the other.
TEST(ChangePoints, AreAtTheFirstValueOfANoisierLevel) {
  for (const size_t before : {12, 20}) {
    std::vector<double> values(before, 1e6);
    while (values.size() < 30) values.push_back((values.size() - before) % 2 == 0 ? 1.1e6 : 1.5e6);
    const auto changes = FindChangePoints(values);
    ASSERT_EQ(changes.size(), 1) << before;
    EXPECT_EQ(changes[0].index, before);
  }
}

TEST(ChangePoints, LeaveALevelThatSoonWentAgainToTheNeighbourThatItIsLike) {
  std::mt19937_64 random(9);
  for (const auto& [rate, place] : {std::pair(0.93e6, 44), std::pair(0.54e6, 40)}) {
    const auto changes =
        FindChangePoints(Levels({{40, 1e6}, {4, rate}, {60, 0.5e6}}, 0.01, random));
    ASSERT_EQ(changes.size(), 1) << rate;
    EXPECT_EQ(changes[0].index, place) << rate;
  }
}

TEST(ChangePoints, AreFoundInWindowsThatHaveRoomForOneOnly) {
  std::mt19937_64 random(1);
  ChangePointRules rules;
  rules.window = 2 * kLeastOfTheNewestLevel;
  const auto changes = FindChangePoints(Levels({{21, 1e6}, {9, 0.5e6}}, 0, random), rules);
  ASSERT_EQ(changes.size(), 1);
  EXPECT_EQ(changes[0].index, 21);
}

TEST(ChangePoints, OfTheLeastSizeThatMattersStay) {
  std::mt19937_64 random(1);
  ChangePointRules rules;
  rules.least_size = 1;
  EXPECT_EQ(FindChangePoints(Levels({{10, 1}, {8, 2}}, 0, random), rules).size(), 1);
  EXPECT_EQ(FindChangePoints(Levels({{10, 1}, {8, 1.9999}}, 0, random), rules).size(), 0);
}

TEST(ChangePoints, AreNoneWhereTheStepIsTooSmallToMatter) {
  std::mt19937_64 random(8);
  const auto values = Levels({{50, 1e6}, {50, 0.985e6}}, 0.001, random);
  EXPECT_TRUE(FindChangePoints(values).empty());
  ChangePointRules rules;
  rules.least_size = 0.01;
  EXPECT_EQ(FindChangePoints(values, rules).size(), 1);
}

TEST(ChangePoints, AreTheSameEachTimeAndInEachUnit) {
  std::mt19937_64 random(9);
  std::vector<double> values = Levels({{30, 1e6}, {30, 0.9e6}}, 0.02, random);
  const auto once = FindChangePoints(values);
  for (double& value : values) value *= 1e-9;
  const auto again = FindChangePoints(values);
  ASSERT_EQ(once.size(), 1);
  ASSERT_EQ(again.size(), 1);
  EXPECT_EQ(once[0].index, again[0].index);
  EXPECT_NEAR(once[0].size, again[0].size, 1e-9);
}

}  // namespace levelfield::change_points_test
