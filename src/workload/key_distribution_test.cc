#include "workload/key_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "workload/key_sequence.h"

namespace levelfield {
namespace {

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
    // Alike among themselves, on both sides.
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

// 95 % of what is drawn at all; YCSB draws again what lies before the first key, which 3.03 % of an
// exponential distribution with that percentile do: 0.05^(1 / 0.857) of it lies beyond all keys.
TEST(KeyDistribution, OfExponentialHasYcsbsPercentileAmongTheLastSixSevenths) {
  constexpr uint64_t kKeys = 7000;
  const std::vector<uint64_t> counts =
      CountsOf(KeyDistribution({.kind = Kind::kExponential}, kKeys), kKeys);
  const double beyond = std::pow(0.05, 1 / 0.8571428571);
  EXPECT_NEAR(ShareOf(counts, 1000, kKeys), 0.95 / (1 - beyond), 0.001);
  EXPECT_NEAR(beyond, 0.0303, 0.0001);
  // And it falls as an exponential does: each seventh has the same share of the one behind it.
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

// Scattered by a bijection: the same frequencies, at other keys, of which the hot ones are apart.
TEST(SkewedKeys, AreSpreadWithoutAChangeOfTheirFrequencies) {
  const auto counted = [](const std::vector<uint64_t>& keys) {
    std::vector<std::pair<uint64_t, uint64_t>> counts(10'000);  // Of a key, and the key.
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

}  // namespace
}  // namespace levelfield
