#include "base/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/chi_square_for_test.h"

namespace levelfield::random_test {

TEST(DeriveSeed, DependsOnEachOfItsArguments) {
  std::set<uint64_t> seeds;
  size_t made = 0;
  for (const uint64_t seed : {0, 1, 2, 301}) {
    for (const std::string_view purpose : {"", "keys", "order", "kez"}) {
      for (const std::string_view role : {"", "reader", "writer"}) {
        for (uint64_t thread = 0; thread < 64; ++thread) {
          seeds.insert(DeriveSeed(seed, purpose, role, thread));
          ++made;
        }
      }
    }
  }
  EXPECT_EQ(seeds.size(), made);
}

TEST(DeriveSeed, TheBorderBetweenItsTextsCounts) {
  std::set<uint64_t> seeds;
  const std::string text = "abc";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    seeds.insert(DeriveSeed(1, text.substr(0, cut), text.substr(cut), 0));
  }
  EXPECT_EQ(seeds.size(), 4u);
  EXPECT_NE(DeriveSeed(1, "keys", "reader", 0), DeriveSeed(1, "reader", "keys", 0));
  EXPECT_NE(DeriveSeed(1, std::string_view("a\0", 2), "", 0), DeriveSeed(1, "a", "", 0));
}

// Published results depend on these streams: a change to them changes every key that was ever
// drawn.
TEST(DeriveSeed, AndTheStreamsStayAsTheyAre) {
  EXPECT_EQ(Mix64(0), 0u);
  EXPECT_EQ(Mix64(1), 0x5692161d100b05e5u);
  EXPECT_EQ(Mix64(0x9e3779b97f4a7c15), 0xe220a8397b1dcdafu) << "SplitMix64 from 0";
  EXPECT_EQ(DeriveSeed(301, "keys", "reader", 0), 0x6d712bfe0a8e9becu);
  EXPECT_EQ(Random(0).Next(), 0x111cb3a78f59a58eu);
}

TEST(Mix64, EveryInputBitMovesHalfOfTheOutput) {
  Random random(5);
  for (int bit = 0; bit < 64; ++bit) {
    int moved = 0;
    for (int i = 0; i < 1000; ++i) {
      const uint64_t x = random.Next();
      moved += std::popcount(Mix64(x) ^ Mix64(x ^ (uint64_t{1} << bit)));
    }
    EXPECT_NEAR(moved / 1000.0, 32, 1) << bit;
  }
}

TEST(Random, BelowIsUniformForAnyBound) {
  // Chi-square over `buckets` equal shares; its mean is df, its standard deviation sqrt(2 df).
  for (const uint64_t bound :
       {uint64_t{2}, uint64_t{3}, uint64_t{7}, uint64_t{100}, uint64_t{1000}, uint64_t{1} << 20,
        uint64_t{999'999'937}, uint64_t{8'000'000'000}, uint64_t{10'000'000'000'000'000}}) {
    const uint64_t buckets = std::min<uint64_t>(bound, 1000);
    const auto bucket_of = [&](uint64_t value) {
      return static_cast<size_t>(static_cast<unsigned __int128>(value) * buckets / bound);
    };
    std::vector<uint64_t> seen(buckets);
    Random random(bound);
    for (int i = 0; i < 1'000'000; ++i) {
      const uint64_t value = random.Below(bound);
      ASSERT_LT(value, bound);
      ++seen[bucket_of(value)];
    }
    const auto df = static_cast<double>(buckets - 1);
    EXPECT_LT(std::abs(ChiSquareOfShares(seen) - df), 4.5 * std::sqrt(2 * df)) << bound;
  }
}

TEST(Random, BelowOneIsZero) {
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.Below(1), 0u);
}

TEST(Random, SuccessiveDrawsAreUncorrelated) {
  for (const uint64_t seed : {0, 1, 2}) {
    Random random(seed);
    constexpr int kDraws = 1'000'000;
    double product = 0;
    double square = 0;
    double before = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double draw = static_cast<double>(random.Next()) * 0x1p-64 - 0.5;
      product += draw * before;
      square += draw * draw;
      before = draw;
    }
    EXPECT_LT(std::abs(product / square), 4.5 / std::sqrt(kDraws)) << seed;
  }
}

TEST(Random, NeighbouringSeedsGiveUnrelatedStreams) {
  int moved = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    moved += std::popcount(Random(seed).Next() ^ Random(seed + 1).Next());
  }
  EXPECT_NEAR(moved / 1000.0, 32, 1);
}

}  // namespace levelfield::random_test
