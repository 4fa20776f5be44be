#include "workload/value_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <vector>

#include "base/chi_square_for_test.h"

namespace levelfield::value_sizes_test {

constexpr uint64_t kKeys = 200'000;

std::vector<uint64_t> SizesOf(const ValueSizes& sizes) {
  std::vector<uint64_t> drawn;
  for (uint64_t key = 0; key < kKeys; ++key) drawn.push_back(sizes.Of(key, 1));
  return drawn;
}

double MeanOf(const std::vector<uint64_t>& drawn) {
  double sum = 0;
  for (const uint64_t size : drawn) sum += static_cast<double>(size);
  return sum / static_cast<double>(drawn.size());
}

double DeviationOf(const std::vector<uint64_t>& drawn) {
  const double mean = MeanOf(drawn);
  double sum = 0;
  for (const uint64_t size : drawn) sum += std::pow(static_cast<double>(size) - mean, 2);
  return std::sqrt(sum / static_cast<double>(drawn.size()));
}

double ShareBelow(const std::vector<uint64_t>& drawn, double limit) {
  const auto below = std::ranges::count_if(
      drawn, [&](uint64_t size) { return static_cast<double>(size) < limit; });
  return static_cast<double>(below) / static_cast<double>(drawn.size());
}

TEST(ValueSizes, OfANumberAreThatNumber) {
  const ValueSizes sizes = 100;
  EXPECT_FALSE(sizes.vary());
  EXPECT_EQ(sizes.Of(7, 3), 100u);
  EXPECT_EQ(sizes.least(), 100u);
  EXPECT_EQ(sizes.most(), 100u);
  EXPECT_EQ(sizes.Mean(), 100);
  EXPECT_EQ(sizes, sizes.WithSeed(5));
}

// In a range of 2^30, two sizes agree by chance once in a thousand million.
TEST(ValueSizes, DifferWithSeedKeyAndVersionOnly) {
  const ValueSizes sizes = ValueSizes::Uniform(0, 1u << 30).WithSeed(11);
  const ValueSizes again = ValueSizes::Uniform(0, 1u << 30).WithSeed(11);
  EXPECT_EQ(sizes, again);
  const ValueSizes others = sizes.WithSeed(12);
  for (uint64_t key = 0; key < 1000; ++key) {
    EXPECT_EQ(sizes.Of(key, 9), again.Of(key, 9));
    EXPECT_NE(sizes.Of(key, 1), others.Of(key, 1));
    EXPECT_NE(sizes.Of(key, 1), sizes.Of(key, 2));
    EXPECT_NE(sizes.Of(key, 1), sizes.Of(key + 1, 1));
    // The next version differs from the next key.
    EXPECT_NE(sizes.Of(key, 2), sizes.Of(key + 1, 1));
  }
}

TEST(ValueSizes, OfUniformComeAllEquallyOften) {
  const ValueSizes sizes = ValueSizes::Uniform(100, 149).WithSeed(3);
  std::map<uint64_t, double> counts;
  for (const uint64_t size : SizesOf(sizes)) ++counts[size];
  ASSERT_EQ(counts.size(), 50u);
  EXPECT_EQ(counts.begin()->first, 100u);
  EXPECT_EQ(counts.rbegin()->first, 149u);
  EXPECT_LT(ChiSquareOfShares(std::views::values(counts)), 85.4);  // 49 degrees of freedom, 0.1 %.
  EXPECT_EQ(sizes.Mean(), 124.5);
}

TEST(ValueSizes, OfNormalHaveItsMeanAndDeviation) {
  const ValueSizes sizes = ValueSizes::Normal(100, 102'400).WithSeed(3);
  const std::vector<uint64_t> drawn = SizesOf(sizes);
  const double deviation = (102'400 - 100) / 6.0;
  EXPECT_NEAR(MeanOf(drawn), 51'250, 4 * deviation / std::sqrt(kKeys));
  EXPECT_NEAR(DeviationOf(drawn), deviation, 0.01 * deviation);
  EXPECT_NEAR(ShareBelow(drawn, 51'250 - deviation), 0.1587, 0.004);
  EXPECT_NEAR(ShareBelow(drawn, 51'250 + 2 * deviation), 0.9772, 0.002);
  EXPECT_EQ(*std::ranges::min_element(drawn), 100u);     // Smaller sizes are cut to 100:
  EXPECT_NEAR(ShareBelow(drawn, 101), 0.00135, 0.0005);  // the tail below three deviations.
  EXPECT_EQ(*std::ranges::max_element(drawn), 102'400u);
}

TEST(ValueSizes, OfNormalAreCutWhereSaid) {
  const ValueSizes sizes = ValueSizes::Normal(400, 500, 450, 1000).WithSeed(3);
  const std::vector<uint64_t> drawn = SizesOf(sizes);
  EXPECT_NEAR(ShareBelow(drawn, 401), 0.48, 0.01);
  EXPECT_EQ(*std::ranges::max_element(drawn), 500u);
}

// The share above x of a generalized Pareto distribution is (1 + k (x - theta) / sigma)^(-1/k).
TEST(ValueSizes, OfParetoHaveItsTail) {
  const double k = 0.2615;
  const double sigma = 25.45;
  const ValueSizes sizes = ValueSizes::Pareto(0, 1u << 30, 0, k, sigma).WithSeed(3);
  const std::vector<uint64_t> drawn = SizesOf(sizes);
  for (const double x : {5.0, 20.0, 50.0, 100.0, 200.0}) {
    const double above = std::pow(1 + k * x / sigma, -1 / k);
    EXPECT_NEAR(1 - ShareBelow(drawn, x + 0.5), above, 4 * std::sqrt(above / kKeys)) << x;
  }
  EXPECT_NEAR(MeanOf(drawn), sigma / (1 - k) + 0.5, 0.5);  // Rounded up: half a byte more.
  EXPECT_NEAR(sizes.Mean(), sigma / (1 - k), 1e-9);
}

TEST(ValueSizes, OfParetoStayBetweenTheirBounds) {
  const std::vector<uint64_t> drawn = SizesOf(ValueSizes::Pareto(10, 64, 0, 0.9, 25).WithSeed(3));
  EXPECT_EQ(*std::ranges::min_element(drawn), 10u);
  EXPECT_EQ(*std::ranges::max_element(drawn), 64u);
}

TEST(ParetoOf, IsTheLimitAtAShapeOfZero) {
  EXPECT_NEAR(ParetoOf(0.3, 5, 0, 20), ParetoOf(0.3, 5, 1e-9, 20), 1e-5);
  EXPECT_EQ(ParetoOf(1, 5, 0.5, 20), 5);
  // Even a tail of 2^-53 gives a number, not infinity.
  EXPECT_TRUE(std::isfinite(ParetoOf(0x1p-53, 0, 2.517, 14.236)));
}

// What RocksDB's appendrandom does to a string.
uint64_t Appended(std::optional<uint64_t> old, uint64_t value_size, uint64_t writes) {
  uint64_t size = old.value_or(0);
  for (uint64_t i = 0; i < writes; ++i) size += size > 0 ? 1 + value_size : value_size;
  return size;
}

TEST(LengthAfter, GrowsAsStringsThatAreAppendedTo) {
  for (const std::optional<uint64_t> old : {std::optional<uint64_t>(), {0}, {1}, {100}, {4096}}) {
    for (const uint64_t value_size : {0, 1, 100}) {
      for (const uint64_t writes : {1, 2, 3, 50}) {
        EXPECT_EQ(LengthAfter(LengthRule::kGrown, old, value_size, writes),
                  Appended(old, value_size, writes))
            << old.value_or(9999) << " " << value_size << " " << writes;
      }
    }
  }
}

TEST(LengthAfter, IsTheOldOneOrTheOwnOne) {
  EXPECT_EQ(LengthAfter(LengthRule::kOwn, 70, 100, 3), 100u);
  EXPECT_EQ(LengthAfter(LengthRule::kOwn, kUnknownLength, 100, 3), 100u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, 70, 100, 3), 70u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, 0, 100, 3), 0u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, std::nullopt, 100, 3), 100u);
}

TEST(LengthAfter, OfAnUnknownOneIsUnknown) {
  EXPECT_EQ(LengthAfter(LengthRule::kKept, kUnknownLength, 100, 1), kUnknownLength);
  EXPECT_EQ(LengthAfter(LengthRule::kGrown, kUnknownLength, 100, 7), kUnknownLength);
}

}  // namespace levelfield::value_sizes_test
