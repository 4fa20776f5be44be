#include "workload/key_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "base/chi_square_for_test.h"
#include "base/random.h"
#include "workload/key_sequence.h"

namespace levelfield::key_distribution_test {

std::vector<double> SharesOf(uint64_t n, double exponent, uint64_t draws) {
  const Zipf zipf(n, exponent);
  Random random(7);
  std::vector<double> shares(n);
  for (uint64_t i = 0; i < draws; ++i) {
    const uint64_t rank = zipf.Draw(random);
    EXPECT_LT(rank, n);
    shares[rank] += 1 / static_cast<double>(draws);
  }
  return shares;
}

std::vector<double> TheoryOf(uint64_t n, double exponent) {
  std::vector<double> shares(n);
  double sum = 0;
  for (uint64_t k = 0; k < n; ++k) sum += shares[k] = std::pow(k + 1, -exponent);
  for (double& share : shares) share /= sum;
  return shares;
}

// The tenth of a hundred ranks gets 1.3 % of the draws or more. With six million draws, 1 % of its
// share is close to three standard deviations. For the hotter ranks it is more.
TEST(Zipf, HasTheTheorysShareOfTheTenHottest) {
  for (const double exponent : {0.5, 0.99, 1.0, 1.5}) {
    constexpr uint64_t n = 100;
    constexpr uint64_t kDraws = 6'000'000;
    const std::vector<double> expected = TheoryOf(n, exponent);
    const std::vector<double> shares = SharesOf(n, exponent, kDraws);
    for (size_t k = 0; k < 10; ++k) {
      ASSERT_GT(expected[k] * kDraws, 75'000) << exponent;
      EXPECT_NEAR(shares[k] / expected[k], 1, 0.01) << exponent << ", rank " << k;
    }
  }
}

// Chi-square over all ranks: with 999 degrees of freedom beyond 1143 once in a thousand.
TEST(Zipf, HasTheTheorysShareOfEveryRank) {
  for (const double exponent : {0.0, 0.5, 0.99, 1.0, 1.5}) {
    constexpr double kDraws = 1'000'000;
    const std::vector<double> expected = TheoryOf(1000, exponent);
    const std::vector<double> shares = SharesOf(1000, exponent, 1'000'000);
    double chi_square = 0;
    for (size_t k = 0; k < 1000; ++k) {
      const double difference = (shares[k] - expected[k]) * kDraws;
      chi_square += difference * difference / (expected[k] * kDraws);
    }
    EXPECT_LT(chi_square, 1143) << exponent;
    EXPECT_GT(chi_square, 864) << exponent;  // Nor too even to be random.
  }
}

TEST(Zipf, OfOneTwoAndThreeIsExact) {
  for (const double exponent : {0.0, 0.5, 0.99, 1.0, 1.5, 20.0}) {
    for (const uint64_t n : {1, 2, 3}) {
      const std::vector<double> expected = TheoryOf(n, exponent);
      const std::vector<double> shares = SharesOf(n, exponent, 400'000);
      for (size_t k = 0; k < n; ++k) EXPECT_NEAR(shares[k], expected[k], 0.004) << exponent;
    }
  }
}

// Ten billion ranks take no longer to set up. The hottest of Zipf(0.99) has 1 / zeta, for which
// YCSB states 26.469 (its ZETAN).
TEST(Zipf, IsReadyForTenBillionAtOnce) {
  const Zipf zipf(10'000'000'000, 0.99);
  Random random(5);
  uint64_t hottest = 0;
  uint64_t high = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t rank = zipf.Draw(random);
    ASSERT_LT(rank, 10'000'000'000u);
    hottest += rank == 0 ? 1 : 0;
    high += rank >= 5'000'000'000 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(hottest) / 1e6, 1 / 26.46902820178302, 0.0007);
  // The integral of x^-0.99 over the upper half, over zeta.
  const double upper = (std::pow(1e10, 0.01) - std::pow(5e9, 0.01)) / 0.01 / 26.46902820178302;
  EXPECT_NEAR(static_cast<double>(high) / 1e6, upper, 0.0008);
}

TEST(Zipf, ThatWasResizedIsAsThoughItHadBeenMadeSo) {
  Zipf resized(10, 0.7);
  resized.Resize(1234);
  const Zipf made(1234, 0.7);
  Random a(3);
  Random b(3);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(resized.Draw(a), made.Draw(b));
}

// Computed in the 64-bit arithmetic of another language from the definition of FNV-1a and Math.abs.
// The first is also the key of YCSB's record 0, user6284781860667377211.
TEST(YcsbZipf, HashesAsYcsbDoes) {
  EXPECT_EQ(YcsbZipf::HashOf(0), 6284781860667377211u);
  EXPECT_EQ(YcsbZipf::HashOf(1), 8517097267634966620u);
  EXPECT_EQ(YcsbZipf::HashOf(2), 1820151046732198393u);
  EXPECT_EQ(YcsbZipf::HashOf(1'000'000), 1011632231655643464u);
}

// Ranks and items for u = k/32, from the formula of Gray et al. with YCSB's constants, in decimal
// numbers of 60 digits.
TEST(YcsbZipf, GivesTheItemThatYcsbGivesForADraw) {
  struct Vector {
    int k;
    uint64_t rank;
    uint64_t of_thousand;
    uint64_t of_million;
  };
  constexpr Vector kVectors[] = {
      {0, 0, 211, 377211},          {1, 0, 211, 377211},         {2, 2, 393, 198393},
      {3, 5, 360, 227360},          {4, 12, 425, 980425},        {5, 27, 834, 296834},
      {8, 296, 614, 933614},        {12, 6617, 47, 994047},      {16, 134552, 260, 280260},
      {20, 2505186, 170, 547170},   {24, 42924421, 439, 210439}, {28, 679954874, 373, 952373},
      {31, 5141020210, 307, 622307}};
  for (const Vector& vector : kVectors) {
    const double u = vector.k / 32.0;
    EXPECT_EQ(YcsbZipf::RankOf(u), vector.rank) << u;
    EXPECT_EQ(YcsbZipf(1000).ItemOf(u), vector.of_thousand) << u;
    EXPECT_EQ(YcsbZipf(1'000'000).ItemOf(u), vector.of_million) << u;
  }
}

// The ranks of u = 0, 1e-6, 2e-6, ..., as the coefficients of a polynomial at 31, modulo 2^64. A
// Java program with these formulas in java.lang.Math (OpenJDK 17) prints this number.
TEST(YcsbZipf, HasTheRanksThatJavaComputesForAMillionDraws) {
  uint64_t sum = 0;
  for (int i = 0; i < 1'000'000; ++i) sum = sum * 31 + YcsbZipf::RankOf(i / 1'000'000.0);
  EXPECT_EQ(static_cast<int64_t>(sum), -8899074896369502005);
}

TEST(YcsbZipf, GivesTheHottestItemTheSameShareHoweverManyThereAre) {
  for (const uint64_t items : {1'000, 100'000, 1'000'000}) {
    const YcsbZipf zipf(items);
    const uint64_t hottest = YcsbZipf::HashOf(0) % items;
    Random random(11);
    uint64_t count = 0;
    for (int i = 0; i < 1'000'000; ++i) count += zipf.Draw(random) == hottest ? 1 : 0;
    // 1 / ZETAN. With a thousand items, it also gets a thousandth of the rest.
    const double expected = 0.03778 + (1 - 0.03778) / static_cast<double>(items);
    EXPECT_NEAR(static_cast<double>(count) / 1e6, expected, 0.0012) << items;
  }
}

using Kind = KeyDistributionPlan::Kind;

constexpr uint64_t kDraws = 1'000'000;

std::vector<uint64_t> CountsOf(const KeyDistribution& distribution, uint64_t n) {
  Random random(3);
  std::vector<uint64_t> counts(n);
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t position = distribution.Draw(random);
    EXPECT_LT(position, n);
    ++counts[position];
  }
  return counts;
}

double ShareOf(const std::vector<uint64_t>& counts, size_t begin, size_t end) {
  uint64_t sum = 0;
  for (size_t i = begin; i < end; ++i) sum += counts[i];
  return static_cast<double>(sum) / static_cast<double>(kDraws);
}

TEST(KeyDistribution, OfAHotspotGivesTheRequestsToTheKeysThatWereAskedFor) {
  struct Case {
    double keys;
    double requests;
  };
  for (const Case& c : {Case{0.2, 0.8}, Case{0.01, 0.9}, Case{0.5, 0.5}, Case{0.1, 0.0}}) {
    const KeyDistribution hotspot(
        {.kind = Kind::kHotspot, .hot_keys = c.keys, .hot_requests = c.requests}, 1000);
    const std::vector<uint64_t> counts = CountsOf(hotspot, 1000);
    const auto hot = static_cast<size_t>(c.keys * 1000);
    EXPECT_NEAR(ShareOf(counts, 0, hot), c.requests, 0.002) << c.keys;
    // On both sides the keys are alike.
    EXPECT_NEAR(ShareOf(counts, 0, hot / 2), c.requests / 2, 0.002) << c.keys;
    EXPECT_NEAR(ShareOf(counts, hot, hot + (1000 - hot) / 2), (1 - c.requests) / 2, 0.002);
  }
}

TEST(KeyDistribution, OfAHotspotHasAtLeastOneHotKeyAndMayHaveNoOther) {
  const KeyDistribution one({.kind = Kind::kHotspot, .hot_keys = 0, .hot_requests = 1}, 10);
  EXPECT_EQ(CountsOf(one, 10)[0], kDraws);
  const KeyDistribution all({.kind = Kind::kHotspot, .hot_keys = 1, .hot_requests = 0}, 10);
  EXPECT_NEAR(ShareOf(CountsOf(all, 10), 9, 10), 0.1, 0.002);
}

// 95 % of the accepted draws. YCSB draws again whatever lies before the first key. That happens to
// 3.03 % of an exponential distribution with that percentile: 0.05^(1 / 0.857) of it lies beyond
// all keys.
TEST(KeyDistribution, OfExponentialHasYcsbsPercentileAmongTheLastSixSevenths) {
  constexpr uint64_t kKeys = 7000;
  const std::vector<uint64_t> counts =
      CountsOf(KeyDistribution({.kind = Kind::kExponential}, kKeys), kKeys);
  const double beyond = std::pow(0.05, 1 / 0.8571428571);
  EXPECT_NEAR(ShareOf(counts, 1000, kKeys), 0.95 / (1 - beyond), 0.001);
  EXPECT_NEAR(beyond, 0.0303, 0.0001);
  // It falls as an exponential does: the ratio of each seventh to the next one is the same.
  for (size_t i = 0; i + 2 <= 7; ++i) {
    const double fall =
        ShareOf(counts, i * 1000, (i + 1) * 1000) / ShareOf(counts, (i + 1) * 1000, (i + 2) * 1000);
    EXPECT_NEAR(fall, std::pow(0.05, 1.0 / 6), 0.02) << i;
  }
}

TEST(KeyDistribution, OfLatestIsZipfsCountedBackFromTheNewestWhichMoves) {
  const KeyDistributionPlan plan = {.kind = Kind::kLatest, .exponent = 0.99};
  KeyDistribution latest(plan, 500);
  latest.Grow(1000);
  const std::vector<uint64_t> counts = CountsOf(latest, 1000);
  double zeta = 0;
  for (int k = 1; k <= 1000; ++k) zeta += std::pow(k, -0.99);
  for (size_t back = 0; back < 5; ++back) {
    const double expected = std::pow(back + 1, -0.99) / zeta;
    EXPECT_NEAR(ShareOf(counts, 999 - back, 1000 - back), expected, 0.002) << back;
  }
}

TEST(KeyDistribution, HasTheSameDrawsFromTheSameSeed) {
  for (const Kind kind : {Kind::kUniform, Kind::kZipf, Kind::kYcsbZipf, Kind::kLatest,
                          Kind::kHotspot, Kind::kExponential}) {
    const KeyDistribution distribution({.kind = kind}, 12'345);
    Random a(9);
    Random b(9);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(distribution.Draw(a), distribution.Draw(b));
  }
}

TEST(KeyDistribution, WithOneKeyGivesThatKey) {
  for (const Kind kind : {Kind::kUniform, Kind::kZipf, Kind::kYcsbZipf, Kind::kLatest,
                          Kind::kHotspot, Kind::kExponential}) {
    EXPECT_EQ(CountsOf(KeyDistribution({.kind = kind}, 1), 1)[0], kDraws);
  }
}

TEST(KeyDistribution, HasANameForEachKindAndNoOther) {
  EXPECT_EQ(DistributionKindOf("ycsb-zipf"), Kind::kYcsbZipf);
  EXPECT_FALSE(DistributionKindOf("zipfian"));
}

std::vector<uint64_t> Keys(bool scattered, uint64_t order_seed, size_t block) {
  KeySequence sequence({.order = KeyOrder::kSkewed,
                        .range = 10'000,
                        .order_seed = order_seed,
                        .draw_seed = 4,
                        .distribution = {.kind = Kind::kZipf, .exponent = 1.2},
                        .scattered = scattered});
  std::vector<uint64_t> keys(100'000);
  uint64_t round = 0;
  for (size_t i = 0; i < keys.size(); i += block) {
    EXPECT_EQ(sequence.Fill(std::span(keys).subspan(i, block), &round), block);
  }
  return keys;
}

TEST(SkewedKeys, AreTheSameHoweverTheyAreAskedFor) {
  EXPECT_EQ(Keys(true, 1, 100), Keys(true, 1, 1000));
}

// A bijection scatters them: the same frequencies at other keys, and the hot ones are apart.
TEST(SkewedKeys, AreSpreadWithoutAChangeOfTheirFrequencies) {
  const auto counted = [](const std::vector<uint64_t>& keys) {
    std::vector<std::pair<uint64_t, uint64_t>> counts(10'000);  // The count and its key.
    for (uint64_t i = 0; i < counts.size(); ++i) counts[i].second = i;
    for (const uint64_t key : keys) ++counts.at(key).first;
    std::ranges::sort(counts, std::greater<>());
    return counts;
  };
  const auto near = counted(Keys(false, 1, 1000));
  const auto spread = counted(Keys(true, 1, 1000));
  const auto elsewhere = counted(Keys(true, 2, 1000));
  uint64_t nearest = 10'000;
  for (size_t rank = 0; rank < 10; ++rank) {
    EXPECT_EQ(near[rank].first, spread[rank].first);
    EXPECT_EQ(near[rank].second, rank);
    for (size_t other = 0; other < rank; ++other) {
      const uint64_t a = spread[rank].second;
      const uint64_t b = spread[other].second;
      nearest = std::min(nearest, a > b ? a - b : b - a);
    }
  }
  EXPECT_GT(nearest, 5u);
  EXPECT_NE(spread[0].second, elsewhere[0].second);
}

// The prefix_dist workload of the paper.
constexpr HotRangesPlan kSocialGraph = {.range_a = 14.18,
                                        .range_b = -2.917,
                                        .range_c = 0.0164,
                                        .range_d = -0.08082,
                                        .ranges = 30,
                                        .key_a = 0.002312,
                                        .key_b = 0.3467};

TEST(HotRanges, GetTheirShareOfTheTwoTermExponential) {
  constexpr uint64_t kKeys = 30'000;
  constexpr int kTimes = 2'000'000;
  const HotRanges ranges(kSocialGraph, kKeys);
  Random of_range(1);
  Random of_key(2);
  std::vector<double> drawn(30);
  for (int i = 0; i < kTimes; ++i) ++drawn[ranges.KeyOf(of_range.Next(), of_key.Next()) / 1000];
  // From the formula alone, hottest first; a shuffle decides which range is which.
  std::vector<double> expected;
  double sum = 0;
  for (int i = 1; i <= 30; ++i) {
    expected.push_back(14.18 * std::exp(-2.917 * i) + 0.0164 * std::exp(-0.08082 * i));
    sum += expected.back();
  }
  std::ranges::sort(drawn, std::greater<>());
  for (size_t i = 0; i < 30; ++i) {
    const double share = drawn[i] / kTimes;
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
  EXPECT_LT(ChiSquareOfShares(drawn), 148.2);  // 99 degrees of freedom, p = 0.001.
}

// The x hottest keys have the share a x^b, as long as that is below 1.
TEST(HotKeys, FollowThePowerLaw) {
  constexpr HotRangesPlan kPlan = {.key_a = 0.1, .key_b = 0.25};  // 10,000 ranks.
  const HotRanges keys(kPlan, 100'000'000);                       // Few ranks share a key.
  Random draws(9);
  std::map<uint64_t, int> drawn;
  constexpr int kTimes = 1'000'000;
  for (int i = 0; i < kTimes; ++i) ++drawn[keys.KeyOf(draws.Next(), draws.Next())];
  std::vector<int> counts;
  for (const auto& [key, count] : drawn) counts.push_back(count);
  std::ranges::sort(counts, std::greater<>());
  double sum = 0;
  for (size_t rank = 1; rank <= 1000; ++rank) {
    sum += counts[rank - 1];
    if (rank != 1 && rank != 10 && rank != 100 && rank != 1000) continue;
    EXPECT_NEAR(sum / kTimes / (0.1 * std::pow(rank, 0.25)), 1, 0.05) << rank;
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

}  // namespace levelfield::key_distribution_test
