#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "workload/key_distribution.h"

namespace levelfield {
namespace {

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

// Of a hundred the tenth has 1.3 % of the draws or more: of six million of them 1 % of its share is
// close to three standard deviations, and of the others' more.
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
    EXPECT_GT(chi_square, 864) << exponent;  // Nor too good to be drawn.
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

// Of ten billion, which takes no longer to get ready. The hottest of Zipf(0.99) has 1 / zeta, for
// which YCSB states 26.469 (its ZETAN).
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

// Computed in 64-bit arithmetic of another language from the definition of FNV-1a and Math.abs;
// the first is also the key of YCSB's record 0, user6284781860667377211.
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

// The ranks of u = 0, 1e-6, 2e-6, ..., as the coefficients of a polynomial at 31, modulo 2^64: the
// number that a Java program prints that says these formulas with java.lang.Math (OpenJDK 17).
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
    // 1 / ZETAN; of a thousand items, a thousandth of the rest falls on it as well.
    const double expected = 0.03778 + (1 - 0.03778) / static_cast<double>(items);
    EXPECT_NEAR(static_cast<double>(count) / 1e6, expected, 0.0012) << items;
  }
}

}  // namespace
}  // namespace levelfield
