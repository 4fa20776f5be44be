#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "base/random.h"
#include "workload/key_distribution.h"

namespace levelfield {
namespace {

// Of the prefix_dist workload of the paper.
constexpr HotRangesPlan kSocialGraph = {.range_a = 14.18,
                                        .range_b = -2.917,
                                        .range_c = 0.0164,
                                        .range_d = -0.08082,
                                        .ranges = 30,
                                        .key_a = 0.002312,
                                        .key_b = 0.3467};

TEST(HotRanges, GetTheirShareOfTheTwoTermExponential) {
  constexpr uint64_t kKeys = 30'000;
  constexpr int kDraws = 2'000'000;
  const HotRanges ranges(kSocialGraph, kKeys);
  Random of_range(1);
  Random of_key(2);
  std::vector<double> drawn(30);
  for (int i = 0; i < kDraws; ++i) ++drawn[ranges.KeyOf(of_range.Next(), of_key.Next()) / 1000];
  // From the formula alone, hottest first; which range is which is a shuffle.
  std::vector<double> expected;
  double sum = 0;
  for (int i = 1; i <= 30; ++i) {
    expected.push_back(14.18 * std::exp(-2.917 * i) + 0.0164 * std::exp(-0.08082 * i));
    sum += expected.back();
  }
  std::ranges::sort(drawn, std::greater<>());
  for (size_t i = 0; i < 30; ++i) {
    const double share = drawn[i] / kDraws;
    EXPECT_NEAR(share / (expected[i] / sum), 1, 0.05) << i;
  }
}

TEST(HotRanges, AreShuffledSoThatHotOnesDoNotLieTogether) {
  const HotRanges ranges(kSocialGraph, 3000);
  size_t hottest = 0;
  bool is_sorted = true;
  for (size_t i = 1; i < 30; ++i) {
    if (ranges.ShareAt(i) > ranges.ShareAt(hottest)) hottest = i;
    is_sorted = is_sorted && ranges.ShareAt(i) <= ranges.ShareAt(i - 1);
  }
  EXPECT_FALSE(is_sorted);
  EXPECT_NEAR(ranges.ShareAt(hottest), 0.767 / (0.767 + 0.176), 0.06);
}

TEST(HotRanges, HoldAllKeysAlsoWhereTheirNumberDoesNotDivideThem) {
  HotRangesPlan plan = kSocialGraph;
  plan.key_a = 0;
  const HotRanges ranges(plan, 1003);
  EXPECT_EQ(ranges.FirstKeyAt(0), 0u);
  EXPECT_EQ(ranges.FirstKeyAt(30), 1003u);
  Random draws(5);
  std::map<uint64_t, int> keys;
  for (int i = 0; i < 1'000'000; ++i) ++keys[ranges.KeyOf(draws.Next(), draws.Next())];
  EXPECT_EQ(keys.size(), 1003u);
  EXPECT_EQ(keys.rbegin()->first, 1002u);
}

TEST(HotRanges, AreUniformWhereNothingIsSet) {
  const HotRanges keys({}, 100);
  Random draws(7);
  std::vector<int> drawn(100);
  for (int i = 0; i < 1'000'000; ++i) ++drawn[keys.KeyOf(draws.Next(), draws.Next())];
  double chi_square = 0;
  for (const int count : drawn) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 148.2);  // 99 degrees of freedom, p = 0.001.
}

// The x hottest keys have the share a x^b, as long as that is below 1.
TEST(HotKeys, FollowThePowerLaw) {
  constexpr HotRangesPlan kPlan = {.key_a = 0.1, .key_b = 0.25};  // 10,000 ranks.
  const HotRanges keys(kPlan, 100'000'000);                       // Few ranks share a key.
  Random draws(9);
  std::map<uint64_t, int> drawn;
  constexpr int kDraws = 1'000'000;
  for (int i = 0; i < kDraws; ++i) ++drawn[keys.KeyOf(draws.Next(), draws.Next())];
  std::vector<int> counts;
  for (const auto& [key, count] : drawn) counts.push_back(count);
  std::ranges::sort(counts, std::greater<>());
  double sum = 0;
  for (size_t rank = 1; rank <= 1000; ++rank) {
    sum += counts[rank - 1];
    if (rank != 1 && rank != 10 && rank != 100 && rank != 1000) continue;
    EXPECT_NEAR(sum / kDraws / (0.1 * std::pow(rank, 0.25)), 1, 0.05) << rank;
  }
}

TEST(HotKeys, OfAnImpossibleRankAreTheLastOne) {
  EXPECT_EQ(RankOf(0.5, 0.002312, 0.0001), uint64_t{1} << 62);
  EXPECT_EQ(RankOf(1e-16, 5, -0.001), uint64_t{1} << 62);
}

TEST(HotRangesPlan, KnowsWhetherItsSharesCanBeDrawn) {
  EXPECT_TRUE(HotRangesPlan{}.IsPossible());
  EXPECT_TRUE(kSocialGraph.IsPossible());
  EXPECT_FALSE((HotRangesPlan{.range_a = -1}).IsPossible());
  EXPECT_FALSE((HotRangesPlan{.range_b = -1}).IsPossible());
  EXPECT_FALSE((HotRangesPlan{.range_a = 1, .range_b = 1000}).IsPossible());
}

}  // namespace
}  // namespace levelfield
