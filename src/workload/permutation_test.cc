#include "workload/permutation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/chi_square_for_test.h"

namespace levelfield::permutation_test {

// Every index occurs once, and PositionOf finds it again.
void ExpectBijection(uint64_t n, uint64_t seed) {
  const Permutation permutation(n, seed);
  std::vector<bool> seen(n);
  for (uint64_t position = 0; position < n; ++position) {
    const uint64_t index = permutation.At(position);
    ASSERT_LT(index, n) << "n = " << n;
    ASSERT_FALSE(seen[index]) << "n = " << n << ", " << index << " came twice";
    seen[index] = true;
    ASSERT_EQ(permutation.PositionOf(index), position) << "n = " << n;
  }
}

TEST(Permutation, IsABijectionOfSmallAndOddSizes) {
  for (const uint64_t n : {1, 2, 3, 5, 7, 10, 1000}) {
    for (uint64_t seed = 0; seed < 20; ++seed) ExpectBijection(n, seed);
  }
}

TEST(Permutation, IsABijectionAroundEveryPowerOfTwo) {
  for (int k = 1; k <= 20; ++k) {
    const uint64_t power = uint64_t{1} << k;
    for (const uint64_t n : {power - 1, power, power + 1}) {
      if (n > 0) ExpectBijection(n, static_cast<uint64_t>(k));
    }
  }
}

RC_GTEST_PROP(Permutation, IsInvertedAtAnySizeUpTo10ToThe15, (uint64_t seed)) {
  const uint64_t n = *rc::gen::inRange<uint64_t>(1, 1'000'000'000'000'001);
  const Permutation permutation(n, seed);
  for (int i = 0; i < 20; ++i) {
    const uint64_t position = *rc::gen::inRange<uint64_t>(0, n);
    const uint64_t index = permutation.At(position);
    RC_ASSERT(index < n);
    RC_ASSERT(permutation.PositionOf(index) == position);
    RC_ASSERT(permutation.At(permutation.PositionOf(position)) == position);
  }
}

TEST(Shuffle, WithinAWindowIsABijectionThatMovesNothingFar) {
  for (const uint64_t n : {1u, 2u, 7u, 100u, 101u, 1'000u}) {
    for (const uint64_t window : {1u, 2u, 3u, 10u, 99u, 100u, 5'000u}) {
      const Shuffle shuffle(n, 3, window);
      std::vector<bool> seen(n);
      std::vector<uint64_t> range(n);
      shuffle.AtRange(0, range);
      for (uint64_t position = 0; position < n; ++position) {
        const uint64_t index = shuffle.At(position);
        ASSERT_EQ(range[position], index);
        ASSERT_LT(index, n) << n << " within " << window;
        ASSERT_FALSE(seen[index]) << n << " within " << window;
        seen[index] = true;
        ASSERT_EQ(shuffle.PositionOf(index), position) << n << " within " << window;
        const uint64_t far = std::max(index, position) - std::min(index, position);
        ASSERT_LT(far, std::max<uint64_t>(window, 1));
      }
    }
  }
}

TEST(Shuffle, GivesEveryPrefixItsNextKeyOnceARound) {
  for (const uint64_t prefixes : {1u, 2u, 7u, 100u}) {
    for (const uint64_t of_prefix : {1u, 10u, 100u}) {
      const uint64_t n = prefixes * of_prefix;
      const Shuffle shuffle(n, 3, 0, prefixes);
      std::vector<uint64_t> range(n);
      shuffle.AtRange(0, range);
      std::vector<uint64_t> next(prefixes);  // The key of each prefix that is due.
      for (uint64_t position = 0; position < n; ++position) {
        const uint64_t index = shuffle.At(position);
        ASSERT_EQ(range[position], index);
        ASSERT_LT(index, n);
        ASSERT_EQ(next[index / of_prefix]++, index % of_prefix) << prefixes << ", " << position;
        ASSERT_EQ(index % of_prefix, position / prefixes) << "a round has each prefix once";
        ASSERT_EQ(shuffle.PositionOf(index), position);
      }
    }
  }
  const Shuffle shuffle(100'000, 3, 0, 100);
  size_t alike = 0;
  for (uint64_t i = 0; i < 100; ++i) alike += shuffle.At(100 + i) == shuffle.At(i) + 1 ? 1 : 0;
  EXPECT_LT(alike, 10u) << "each round has an order of its own";
}

TEST(Shuffle, OrdersItsWindowsDifferently) {
  const Shuffle shuffle(10'000, 3, 100);
  size_t alike = 0;
  for (uint64_t i = 0; i < 100; ++i) alike += shuffle.At(100 + i) == shuffle.At(i) + 100 ? 1 : 0;
  EXPECT_LT(alike, 10u);
  EXPECT_EQ(Shuffle(1'000, 3, 0).At(7), Permutation(1'000, 3).At(7)) << "one window is all of it";
}

TEST(Permutation, IsInvertedAtTheLargestSizes) {
  for (const uint64_t n : {uint64_t{1'000'000'000'000'000}, uint64_t{10'000'000'000'000'000},
                           uint64_t{1} << 53, (uint64_t{1} << 63) + 1, ~uint64_t{0}}) {
    const Permutation permutation(n, 7);
    Random random(n);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t position = random.Below(n);
      ASSERT_LT(permutation.At(position), n);
      ASSERT_EQ(permutation.PositionOf(permutation.At(position)), position) << n;
    }
  }
}

TEST(Permutation, ABlockIsWhatItsPositionsAre) {
  Random random(9);
  for (const uint64_t n : {uint64_t{1}, uint64_t{2}, uint64_t{5}, uint64_t{1000}, uint64_t{1025},
                           uint64_t{100'000'000}, (uint64_t{1} << 32) - 1, (uint64_t{1} << 32) + 1,
                           uint64_t{10'000'000'000}, uint64_t{1'000'000'000'000'000}}) {
    const Permutation permutation(n, n);
    for (size_t size = 0; size <= 130; ++size) {
      if (size > n) break;
      const uint64_t first = random.Below(n - size + 1);
      std::vector<uint64_t> block(size);
      permutation.AtRange(first, block);
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(block[i], permutation.At(first + i)) << n << ", " << size << ", " << i;
      }
    }
  }
}

TEST(Permutation, EachSeedGivesAnOrderOfItsOwn) {
  constexpr uint64_t kSize = 100'000;
  const Permutation first(kSize, 1);
  for (const uint64_t seed : {1, 2, 3, 4}) {
    const Permutation other(kSize, seed);
    uint64_t same = 0;
    for (uint64_t position = 0; position < kSize; ++position) {
      same += first.At(position) == other.At(position) ? 1 : 0;
    }
    if (seed == 1) {
      EXPECT_EQ(same, kSize);
    } else {
      EXPECT_LT(same, 10u) << "unrelated orders agree in one place, on average";
    }
  }
}

// Three statistics over 4e6 steps that a shuffled array would pass, for a range that fills its bits
// (2^27) and one that cycle-walks (1e8).
class PermutationStatistics : public ::testing::TestWithParam<uint64_t> {
 protected:
  static constexpr uint64_t kSteps = 4'000'000;
  const uint64_t n_ = GetParam();
  const Permutation permutation_{n_, 301};
};

TEST_P(PermutationStatistics, PairsOfSuccessiveIndexesFallIntoAllCellsAlike) {
  constexpr uint64_t kSide = 64;
  std::vector<uint64_t> cells(kSide * kSide);
  uint64_t before = permutation_.At(0) * kSide / n_;
  for (uint64_t position = 1; position <= kSteps; ++position) {
    const uint64_t bucket = permutation_.At(position) * kSide / n_;
    ++cells[before * kSide + bucket];
    before = bucket;
  }
  // Its standard deviation is sqrt(2 / 4095) = 0.022; without replacement it is slightly below 1.
  EXPECT_NEAR(ChiSquareOfShares(cells) / static_cast<double>(cells.size() - 1), 1, 0.1);
}

TEST_P(PermutationStatistics, SuccessiveIndexesAreUncorrelated) {
  for (const uint64_t lag : {1, 2, 3, 128}) {
    double product = 0;
    for (uint64_t position = 0; position < kSteps; ++position) {
      const auto centred = [&](uint64_t at) {
        return static_cast<double>(permutation_.At(at)) / static_cast<double>(n_) - 0.5;
      };
      product += centred(position) * centred(position + lag);
    }
    EXPECT_LT(std::abs(product / static_cast<double>(kSteps) * 12), 0.0025) << "5 sigma; " << lag;
  }
}

TEST_P(PermutationStatistics, SuccessiveIndexesAreNoMoreOftenNeighboursThanByChance) {
  for (const uint64_t distance : {n_ / 100'000, n_ / 10'000, n_ / 1'000}) {
    uint64_t near = 0;
    uint64_t before = permutation_.At(0);
    for (uint64_t position = 1; position <= kSteps; ++position) {
      const uint64_t index = permutation_.At(position);
      near += (index > before ? index - before : before - index) <= distance ? 1 : 0;
      before = index;
    }
    const double expected =
        static_cast<double>(kSteps) * 2 * static_cast<double>(distance) / static_cast<double>(n_);
    EXPECT_NEAR(static_cast<double>(near), expected, 6 * std::sqrt(expected)) << distance;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PermutationStatistics,
                         ::testing::Values(uint64_t{1} << 27, uint64_t{100'000'000}));

}  // namespace levelfield::permutation_test
