#include "workload/key_sequence.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace levelfield::key_sequence_test {

KeyPlan Share(KeyOrder order, uint64_t range, uint64_t thread, uint64_t threads) {
  return {.order = order,
          .range = range,
          .order_seed = 11,
          .draw_seed = 100 + thread,
          .first_position = range * thread / threads,
          .end_position = range * (thread + 1) / threads};
}

struct Drawn {
  uint64_t index;
  uint64_t round;
  bool operator==(const Drawn&) const = default;
};

// Draws `count` indexes of the plan in blocks of the given sizes, over and over.
std::vector<Drawn> Draw(const KeyPlan& plan, size_t count, const std::vector<size_t>& blocks) {
  KeySequence sequence(plan);
  std::vector<Drawn> drawn;
  for (size_t i = 0; drawn.size() < count; ++i) {
    std::vector<uint64_t> block(std::min(blocks[i % blocks.size()], count - drawn.size()));
    uint64_t round = 0;
    const size_t made = sequence.Fill(block, &round);
    EXPECT_GE(made, 1u);
    EXPECT_LE(made, block.size());
    for (size_t k = 0; k < made; ++k) drawn.push_back({block[k], round});
  }
  return drawn;
}

TEST(KeySequence, ForwardGoesOnBySmallStepsRoundAndRound) {
  for (const uint64_t range : {1, 7, 99, 1000, 10007}) {
    const KeyPlan plan = Share(KeyOrder::kForward, range, 1, 2);
    const std::vector<Drawn> drawn = Draw(plan, 5000, {128, 1, 17});
    EXPECT_EQ(drawn, Draw(plan, 5000, {4096})) << "however it is asked for";
    uint64_t before = 0;  // The thread's share does not matter.
    uint64_t turns = 0;
    uint64_t largest = 0;
    for (const auto& [index, round] : drawn) {
      ASSERT_LT(index, range);
      const uint64_t step = (index + range - before) % range;
      if (range > 100) {
        ASSERT_LT(step, 100u);
      }
      largest = std::max(largest, step);
      turns += index < before ? 1 : 0;
      before = index;
    }
    if (range > 100) {
      EXPECT_EQ(largest, 99u);
      EXPECT_NEAR(static_cast<double>(turns), 5000 * 49.5 / static_cast<double>(range), 6);
    }
    EXPECT_TRUE(range == 1 ||
                Draw(Share(KeyOrder::kForward, range, 2, 3), 100, {100}) != Draw(plan, 100, {100}))
        << "each thread has steps of its own";
  }
}

// 100 prefixes of 1,000 keys: a get draws a prefix and any of its keys, a seek its first key.
TEST(KeySequence, DrawsAPrefixAndThenAKeyOfIt) {
  KeyPlan plan{.order = KeyOrder::kUniform,
               .range = 100'000,
               .prefixes = 100,
               .order_seed = 11,
               .draw_seed = 3};
  const auto hottest_share = [](const std::vector<Drawn>& drawn) {
    std::vector<size_t> of_prefix(100);
    for (const Drawn& one : drawn) ++of_prefix.at(one.index / 1'000);
    return static_cast<double>(std::ranges::max(of_prefix)) / static_cast<double>(drawn.size());
  };
  const std::vector<Drawn> gets = Draw(plan, 20'000, {128, 7});
  EXPECT_EQ(gets, Draw(plan, 20'000, {4096})) << "however it is asked for";
  EXPECT_LT(hottest_share(gets), 0.02) << "uniform: 1 % each";
  std::set<uint64_t> different;
  for (const Drawn& get : gets) different.insert(get.index);
  // 20,000 draws of 100,000 keys find 100,000 (1 - exp(-0.2)) different ones.
  EXPECT_NEAR(static_cast<double>(different.size()), 18'127, 5 * 60);

  plan.order = KeyOrder::kSkewed;
  plan.distribution = {.kind = KeyDistributionPlan::Kind::kZipf, .exponent = 0.99};
  plan.scattered = true;
  plan.draws_begins = true;
  const std::vector<Drawn> seeks = Draw(plan, 20'000, {128, 7});
  for (const Drawn& seek : seeks) ASSERT_EQ(seek.index % 1'000, 0u);
  // The first of 100 has 1 / (1 + 2^-0.99 + ... + 100^-0.99) = 18.9 % of the draws.
  EXPECT_NEAR(hottest_share(seeks), 0.189, 0.02);
  plan.draws_begins = false;
  EXPECT_NEAR(hottest_share(Draw(plan, 20'000, {128})), 0.189, 0.02);
}

// The check value of the C++ standard: the 10,000th of the default seed.
TEST(KeySequence, DrawsTheMersenneTwisterModuloTheRange) {
  KeyPlan plan{.order = KeyOrder::kUniform, .range = 10'000'000'000'000'000, .draw_seed = 5489};
  plan.source = DrawSource::kMersenne;
  EXPECT_EQ(Draw(plan, 10'000, {128, 3}).back().index, 9981545732273789042u % plan.range);
}

TEST(KeySequence, DrawsParkMillerModuloTheRange) {
  KeyPlan plan{.order = KeyOrder::kUniform, .range = 1000, .draw_seed = 1};
  plan.source = DrawSource::kParkMiller;
  EXPECT_EQ(Draw(plan, 10'000, {128, 3}).back().index, 1043618065u % 1000);
  EXPECT_EQ(Draw(plan, 3, {1})[0].index, 807u) << "16807";
}

TEST(KeySequence, ForwardTakesItsStepsFromItsStream) {
  for (const DrawSource source :
       {DrawSource::kOwn, DrawSource::kParkMiller, DrawSource::kMersenne}) {
    KeyPlan steps{.order = KeyOrder::kUniform, .range = 100, .draw_seed = 77, .source = source};
    KeyPlan forward{.order = KeyOrder::kForward, .range = 1009, .draw_seed = 77, .source = source};
    const std::vector<Drawn> drawn_steps = Draw(steps, 3000, {128});
    const std::vector<Drawn> indexes = Draw(forward, 3000, {128, 1, 5});
    uint64_t index = 0;
    for (size_t i = 0; i < indexes.size(); ++i) {
      index = (index + drawn_steps[i].index) % 1009;
      ASSERT_EQ(indexes[i].index, index) << i;
    }
  }
}

TEST(KeySequence, SharesOfAllThreadsAreEveryKeyOnce) {
  for (const KeyOrder order : {KeyOrder::kSequential, KeyOrder::kShuffled}) {
    for (const uint64_t range : {1, 2, 7, 1000, 1024, 10007}) {
      for (const uint64_t threads : {1, 2, 3, 7, 64}) {
        std::vector<int> seen(range);
        for (uint64_t thread = 0; thread < threads; ++thread) {
          const KeyPlan plan = Share(order, range, thread, threads);
          if (plan.share() == 0) continue;
          for (const Drawn& drawn : Draw(plan, plan.share(), {128})) {
            ASSERT_LT(drawn.index, range);
            ASSERT_EQ(drawn.round, 0u);
            ++seen[drawn.index];
          }
        }
        ASSERT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }))
            << range << " keys, " << threads << " threads";
      }
    }
  }
}

TEST(KeySequence, SequentialIsAscending) {
  const std::vector<Drawn> drawn = Draw(Share(KeyOrder::kSequential, 1000, 1, 4), 250, {64, 3});
  for (uint64_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i].index, 250 + i);
}

TEST(KeySequence, ShuffledIsThePermutation) {
  const KeyPlan plan = Share(KeyOrder::kShuffled, 1000, 2, 3);
  const Permutation permutation(plan.range, plan.order_seed);
  const std::vector<Drawn> drawn = Draw(plan, plan.share(), {128});
  for (uint64_t i = 0; i < drawn.size(); ++i) {
    EXPECT_EQ(drawn[i].index, permutation.At(plan.first_position + i));
  }
}

TEST(KeySequence, GoesRoundItsShareAndCountsTheRounds) {
  for (const KeyOrder order : {KeyOrder::kSequential, KeyOrder::kShuffled}) {
    const KeyPlan plan = Share(order, 1000, 1, 3);
    const size_t share = plan.share();
    const std::vector<Drawn> drawn = Draw(plan, share * 4 + 5, {128});
    for (size_t i = 0; i < drawn.size(); ++i) {
      ASSERT_EQ(drawn[i].round, i / share);
      ASSERT_EQ(drawn[i].index, drawn[i % share].index);
    }
  }
}

TEST(KeySequence, ABlockNeverHoldsKeysOfTwoRounds) {
  KeySequence sequence(Share(KeyOrder::kShuffled, 100, 0, 1));
  std::vector<uint64_t> block(64);
  uint64_t round = 9;
  EXPECT_EQ(sequence.Fill(block, &round), 64u);
  EXPECT_EQ(round, 0u);
  EXPECT_EQ(sequence.Fill(block, &round), 36u);
  EXPECT_EQ(round, 0u);
  EXPECT_EQ(sequence.Fill(block, &round), 64u);
  EXPECT_EQ(round, 1u);
}

TEST(KeySequence, UniformDrawsStayInTheirRange) {
  for (const uint64_t range :
       {uint64_t{1}, uint64_t{2}, uint64_t{10}, uint64_t{1000}, uint64_t{10'000'000'000'000'000}}) {
    for (const Drawn& drawn : Draw(Share(KeyOrder::kUniform, range, 0, 1), 10'000, {128})) {
      ASSERT_LT(drawn.index, range);
    }
  }
}

TEST(KeySequence, UniformDrawsOfTwoThreadsDiffer) {
  const auto first = Draw(Share(KeyOrder::kUniform, 1'000'000, 0, 2), 1000, {128});
  const auto second = Draw(Share(KeyOrder::kUniform, 1'000'000, 1, 2), 1000, {128});
  size_t same = 0;
  for (size_t i = 0; i < first.size(); ++i) same += first[i] == second[i] ? 1 : 0;
  EXPECT_LT(same, 5u);
}

RC_GTEST_PROP(KeySequence, TheStreamDoesNotDependOnTheBlocks, ()) {
  const auto order =
      *rc::gen::element(KeyOrder::kSequential, KeyOrder::kShuffled, KeyOrder::kUniform);
  const auto range = *rc::gen::inRange<uint64_t>(1, 3000);
  const auto threads = *rc::gen::inRange<uint64_t>(1, std::min<uint64_t>(range, 5) + 1);
  const auto thread = *rc::gen::inRange<uint64_t>(0, threads);
  const auto blocks =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 300)));
  const KeyPlan plan = Share(order, range, thread, threads);
  RC_ASSERT(Draw(plan, 5000, blocks) == Draw(plan, 5000, {1}));
}

TEST(KeySequence, WithoutKeysItGivesPlaces) { EXPECT_EQ(Draw({}, 1000, {128}).size(), 1000u); }

TEST(KeySequence, AThreadWithoutAShareGetsNothing) {
  KeySequence sequence(Share(KeyOrder::kShuffled, 2, 0, 3));
  std::vector<uint64_t> block(10);
  uint64_t round = 0;
  EXPECT_EQ(sequence.Fill(block, &round), 0u);
}

TEST(KeySequence, RunsAreArithmeticAndInTheRange) {
  const KeyPlan plan{
      .order = KeyOrder::kRuns, .range = 1000, .draw_seed = 3, .run_keys = 10, .run_stride = 7};
  KeySequence sequence(plan);
  KeySequence in_pieces(plan);
  std::vector<uint64_t> keys(50'000);
  std::vector<uint64_t> again(keys.size());
  uint64_t round = 0;
  ASSERT_EQ(sequence.Fill(keys, &round), keys.size());
  for (size_t done = 0; done < again.size(); done += 16) {
    (void)in_pieces.Fill(std::span(again).subspan(done).first(16), &round);
  }
  EXPECT_EQ(keys, again);
  std::set<uint64_t> starts;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i % 10 == 0) starts.insert(keys[i]);
    if (i % 10 != 0) {
      ASSERT_EQ(keys[i], keys[i - 1] + 7) << i;
    }
    ASSERT_LT(keys[i], 1000u);
  }
  EXPECT_GT(starts.size(), 900u);
  EXPECT_LE(*starts.rbegin(), 936u);  // The last key of that run is 999.
}

// Undoing the spread by a prime leaves range * exp(-u * skew): the share of draws below x of those
// is 1 + ln(x / range) / skew.
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
    if (x < 20) continue;  // Here steps of whole keys are too coarse for the formula.
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

TEST(KeySequence, GoesOnBehindWhatWasUsedBeforeInEveryOrder) {
  for (const KeyOrder order :
       {KeyOrder::kSequential, KeyOrder::kShuffled, KeyOrder::kUniform, KeyOrder::kForward}) {
    KeyPlan plan = Share(order, 1000, 1, 3);
    const std::vector<Drawn> whole = Draw(plan, 2000, {7, 64});
    for (const size_t used : {1, 100, 333, 334, 1500}) {
      plan.skipped = used;
      EXPECT_EQ(Draw(plan, 2000 - used, {5, 128}),
                std::vector<Drawn>(whole.begin() + static_cast<ptrdiff_t>(used), whole.end()))
          << static_cast<int>(order) << " behind " << used;
    }
  }
}

}  // namespace levelfield::key_sequence_test
