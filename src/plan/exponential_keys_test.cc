// Skewed draws, against the distribution that they claim.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "plan/plan.h"
#include "workload/key_sequence.h"

namespace levelfield {
namespace {

// The spreading by a prime is undone, so that what is left is range * exp(-u * skew): the share of
// draws below x of them is 1 + ln(x / range) / skew.
TEST(ExponentialKeys, HaveTheirDistribution) {
  constexpr uint64_t kRange = 10'007;
  constexpr double kSkew = 8;
  constexpr size_t kDraws = 400'000;
  std::vector<uint64_t> unspread(kRange);
  for (uint64_t near = 0; near < kRange; ++near) unspread[near * 0x5bd1e995 % kRange] = near;
  KeySequence sequence(
      {.order = KeyOrder::kExponential, .range = kRange, .draw_seed = 3, .skew = kSkew});
  std::vector<uint64_t> draws(kDraws);
  uint64_t round = 0;
  ASSERT_EQ(sequence.Fill(draws, &round), kDraws);
  std::vector<double> counts(kRange);
  for (const uint64_t index : draws) {
    ASSERT_LT(index, kRange);
    ++counts[unspread[index]];
  }
  double below = 0;
  for (uint64_t x = 1; x < kRange; ++x) {
    below += counts[x - 1] / kDraws;
    if (x < 20) continue;  // There the steps of whole keys are too coarse for the formula.
    const double expected = 1 + std::log(static_cast<double>(x) / kRange) / kSkew;
    ASSERT_NEAR(below, expected, 0.005) << x;
  }
}

TEST(ExponentialKeys, OfTheHottestAreSpreadOverTheRange) {
  KeySequence sequence(
      {.order = KeyOrder::kExponential, .range = 1'000'000, .draw_seed = 3, .skew = 20});
  std::vector<uint64_t> draws(10'000);
  uint64_t round = 0;
  sequence.Fill(draws, &round);
  size_t low = 0;
  for (const uint64_t index : draws) low += index < 500'000 ? 1 : 0;
  EXPECT_GT(low, 2000u);
  EXPECT_LT(low, 8000u);
}

Role ReaderOf(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  const auto phases = PlanPhases(*settings);
  EXPECT_TRUE(phases.ok()) << phases.status().message();
  return phases->back().workload.roles.front();
}

TEST(ExponentialKeys, AreThoseOfReadersWhereAsked) {
  const Role skewed = ReaderOf({"--benchmarks=readrandom", "--read_random_exp_range=4"});
  EXPECT_EQ(skewed.order, KeyOrder::kExponential);
  EXPECT_EQ(skewed.skew, 4);
  EXPECT_EQ(ReaderOf({"--benchmarks=readrandom"}).order, KeyOrder::kUniform);
  EXPECT_EQ(ReaderOf({"--benchmarks=overwrite", "--read_random_exp_range=4"}).order,
            KeyOrder::kShuffled);
}

}  // namespace
}  // namespace levelfield
