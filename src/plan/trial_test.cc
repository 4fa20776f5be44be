#include "plan/trial.h"

#include <map>
#include <set>

#include "base/matchers_for_test.h"

namespace levelfield::trial_test {

PlannedVariant SomeVariant() {
  PlannedVariant variant;
  variant.settings.seed = 7;
  variant.settings.db = "/stores";
  variant.engines.resize(2);
  variant.engines[0].engine = "one";
  variant.engines[1].engine = "two";
  return variant;
}

Trial TrialOf(const PlannedVariant& variant, size_t engine, uint64_t round) {
  return {.what = {&variant, &variant.engines[engine]},
          .planned = engine,
          .round = round,
          .run = 2 * round + engine,
          .results = "/results"};
}

TEST(Trial, GivesAllEnginesOfARoundTheSameOperationsAndBytesAndEachRoundOthers) {
  const PlannedVariant variant = SomeVariant();
  std::set<uint64_t> seeds;
  std::set<uint64_t> salts;
  for (const uint64_t round : {0, 1, 2}) {
    const Trial first = TrialOf(variant, 0, round);
    const Trial second = TrialOf(variant, 1, round);
    EXPECT_EQ(first.Seed(), second.Seed());
    EXPECT_EQ(first.Salt(), second.Salt());
    seeds.insert(first.Seed());
    salts.insert(first.Salt());
  }
  EXPECT_EQ(seeds.size(), 3u);
  EXPECT_EQ(salts.size(), 3u);
  EXPECT_EQ(TrialOf(variant, 0, 0).Seed(), 7u);  // The first round is what was typed.
}

TEST(Trial, LetsEachRunsStackBeginElsewhere) {
  const PlannedVariant variant = SomeVariant();
  std::set<uint64_t> padding;
  for (const uint64_t round : {0, 1}) {
    for (const size_t engine : {0, 1}) {
      padding.insert(TrialOf(variant, engine, round).PaddingBytes());
    }
  }
  EXPECT_EQ(padding.size(), 4u);
}

TEST(Trial, KeepsTheStoresOfVariantsApart) {
  PlannedVariant variant = SomeVariant();
  std::set<std::string> paths;
  for (const uint64_t number : {1, 2, 3}) {
    variant.variant.number = number;
    paths.insert(TrialOf(variant, 0, 0).StorePath());
  }
  EXPECT_EQ(paths.size(), 3u);
}

TEST(Trial, LeavesTheSpaceOfAnEngineThatWritesNothingUnguarded) {
  PlannedVariant variant = SomeVariant();
  variant.settings.space_guard = "refuse";
  EXPECT_EQ(TrialOf(variant, 0, 0).Spec("/d", 1, {}).settings.space_guard, "refuse");
  variant.engines[0].description.capabilities |= LF_FLOOR;
  EXPECT_EQ(TrialOf(variant, 0, 0).Spec("/d", 1, {}).settings.space_guard, "off");
}

TEST(OrderOfRound, BeginsAsTheAlternativesWereNamed) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_THAT(OrderOfRound(4, 0, seed), ElementsAre(0, 1, 2, 3));
  }
}

TEST(OrderOfRound, RunsEachAlternativeOnceARoundAndInEachPlaceEquallyOften) {
  for (const size_t count : {1, 2, 3, 7}) {
    std::map<std::pair<size_t, size_t>, int> in_place;
    constexpr int kBlocks = 5;
    for (uint64_t round = 0; round < kBlocks * count; ++round) {
      const std::vector<size_t> order = OrderOfRound(count, round, 42);
      EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), count);
      for (size_t place = 0; place < count; ++place) ++in_place[{place, order[place]}];
    }
    EXPECT_EQ(in_place.size(), count * count);
    for (const auto& [where, times] : in_place) EXPECT_EQ(times, kBlocks);
  }
}

TEST(OrderOfRound, OfTwoIsABBAOrBAABAndNotAlwaysTheSame) {
  std::set<std::vector<size_t>> second_blocks;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<size_t> firsts;
    for (uint64_t round = 2; round < 4; ++round) {
      firsts.push_back(OrderOfRound(2, round, seed).front());
    }
    EXPECT_NE(firsts[0], firsts[1]);
    second_blocks.insert(firsts);
  }
  EXPECT_EQ(second_blocks.size(), 2);
}

}  // namespace levelfield::trial_test
