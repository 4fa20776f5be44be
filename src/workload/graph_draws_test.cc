#include "workload/graph_draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "base/chi_square_for_test.h"

namespace levelfield::graph_draws_test {

GraphStream StreamOf(GraphPlan plan, uint64_t range, uint64_t seed = 1) {
  return {.plan = plan, .range = range, .seed = seed, .first_version = 1, .sizes = plan.Sizes()};
}

constexpr GraphPlan kMix = {.get_ratio = 0.83, .put_ratio = 0.14, .seek_ratio = 0.03};

// By the bucket of their key and by their operation.
TableOfCounts<20, 3> Counted(const GraphStream& stream) {
  TableOfCounts<20, 3> table = {};
  ForEachChoice(stream, 500'000, [&](const GraphChoice& choice) {
    // The one number is taken modulo a thousand.
    ++table[choice.index % 1000 * 20 / 1000][static_cast<size_t>(choice.kind)];
  });
  return table;
}

TEST(GraphDraws, ChooseTheOperationIndependentlyOfTheKey) {
  // 38 degrees of freedom: chance exceeds 70.7 once in a thousand times.
  EXPECT_LT(ChiSquareOf(Counted(StreamOf(kMix, 10'000))), 70.7);
  GraphPlan one_number = kMix;
  one_number.one_number = true;
  EXPECT_GT(ChiSquareOf(Counted(StreamOf(one_number, 10'000))), 400'000);
}

TEST(GraphDraws, MixInTheRatiosThatWereAskedForWhateverTheirSum) {
  for (const double factor : {1.0, 250.0}) {
    GraphPlan plan = kMix;
    plan.get_ratio *= factor;
    plan.put_ratio *= factor;
    plan.seek_ratio *= factor;
    std::map<GraphChoice::Kind, double> counts;
    ForEachChoice(StreamOf(plan, 1000), 1'000'000,
                  [&](const GraphChoice& choice) { ++counts[choice.kind]; });
    EXPECT_NEAR(counts[GraphChoice::Kind::kGet] / 830'000, 1, 0.01);
    EXPECT_NEAR(counts[GraphChoice::Kind::kPut] / 140'000, 1, 0.02);
    EXPECT_NEAR(counts[GraphChoice::Kind::kSeek] / 30'000, 1, 0.04);
  }
}

TEST(GraphDraws, AreGetsAloneByDefault) {
  ForEachChoice(StreamOf({}, 1000), 100'000, [&](const GraphChoice& choice) {
    ASSERT_EQ(choice.kind, GraphChoice::Kind::kGet);
  });
}

TEST(GraphDraws, HaveSizesOfTheParetoDistribution) {
  GraphPlan plan = {.get_ratio = 0, .put_ratio = 1, .most_value = 1 << 20};
  double sum = 0;
  constexpr int kPuts = 500'000;
  ForEachChoice(StreamOf(plan, 1000), kPuts,
                [&](const GraphChoice& choice) { sum += static_cast<double>(choice.value_size); });
  // Numerically, by the quantiles: rounded up, and at least 10.
  double expected = 0;
  constexpr int kQuantiles = 1'000'000;
  for (int i = 0; i < kQuantiles; ++i) {
    const double u = (i + 0.5) / kQuantiles;
    const double size = std::ceil(25.45 * (std::pow(u, -0.2615) - 1) / 0.2615);
    expected += std::max(size, 10.0) / kQuantiles;
  }
  EXPECT_NEAR(sum / kPuts / expected, 1, 0.01);
  EXPECT_NEAR(expected, 37.5, 1.5);
}

TEST(GraphDraws, HaveScansOfTheParetoDistribution) {
  GraphPlan plan = {
      .get_ratio = 0, .seek_ratio = 1, .iter_theta = 2, .iter_k = 0.1, .iter_sigma = 30};
  double sum = 0;
  constexpr int kSeeks = 500'000;
  ForEachChoice(StreamOf(plan, 1000), kSeeks,
                [&](const GraphChoice& choice) { sum += static_cast<double>(choice.scan_length); });
  EXPECT_NEAR(sum / kSeeks, 2 + 30 / 0.9 + 0.5, 0.5);
}

TEST(GraphDraws, OfDefaultScansStayBelowTheModulus) {
  GraphPlan plan = {.get_ratio = 0, .seek_ratio = 1, .most_scan = 50};
  for (const bool one_number : {false, true}) {
    plan.one_number = one_number;
    ForEachChoice(StreamOf(plan, 1000), 100'000,
                  [&](const GraphChoice& choice) { ASSERT_LT(choice.scan_length, 50u); });
  }
}

TEST(OneNumberDraws, GiveAKeyAlwaysTheSameOperationSizeAndLength) {
  GraphPlan plan = kMix;
  plan.one_number = true;
  std::map<uint64_t, GraphChoice> seen;
  uint64_t again = 0;
  for (const uint64_t seed : {1, 2}) {  // The thread does not matter.
    ForEachChoice(StreamOf(plan, 5000, seed), 100'000, [&](const GraphChoice& choice) {
      const auto [it, is_new] = seen.emplace(choice.index, choice);
      again += is_new ? 0 : 1;
      ASSERT_EQ(it->second.kind, choice.kind) << choice.index;
      ASSERT_EQ(it->second.value_size, choice.value_size);
      ASSERT_EQ(it->second.scan_length, choice.scan_length);
    });
  }
  EXPECT_GT(again, 190'000u);
}

TEST(OneNumberDraws, DrawTheNumbersOfTheOriginalsGenerator) {
  // Get below 830 of a thousand, put below 970, by RocksDB's QueryDecider; its ceil(1000 * 0.83)
  // may come to 831 where the division is not exact.
  GraphPlan plan = {.get_ratio = 1, .put_ratio = 1, .one_number = true};
  std::mt19937_64 numbers(42);
  OneNumberDraws draws(StreamOf(plan, 7777, 42));
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t number = numbers() % 7777;
    const GraphChoice choice = draws.Next();
    ASSERT_EQ(choice.index, number);
    ASSERT_EQ(choice.kind, number % 1000 < 500 ? GraphChoice::Kind::kGet : GraphChoice::Kind::kPut);
  }
}

TEST(OneNumberDraws, OfHotRangesStayInTheStore) {
  GraphPlan plan = kMix;
  plan.one_number = true;
  plan.keys = {.range_a = 14.18,
               .range_b = -2.917,
               .range_c = 0.0164,
               .range_d = -0.08082,
               .ranges = 30,
               .key_a = 0.002312,
               .key_b = 0.3467};
  std::vector<double> drawn(30);
  ForEachChoice(StreamOf(plan, 30'000), 20'000, [&](const GraphChoice& choice) {
    ASSERT_LT(choice.index, 30'000u);
    ++drawn[choice.index / 1000];
  });
  // The original gives the hottest range its share, too.
  EXPECT_NEAR(*std::ranges::max_element(drawn) / 20'000, 0.81, 0.03);
}

}  // namespace levelfield::graph_draws_test
