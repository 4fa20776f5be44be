#include "plan/turn.h"

#include <gtest/gtest.h>

#include <set>

namespace levelfield {
namespace {

Alternative SomeAlternative() {
  Alternative alternative;
  alternative.settings.seed = 7;
  alternative.settings.db = "/stores";
  alternative.engines.resize(2);
  alternative.engines[0].engine = "one";
  alternative.engines[1].engine = "two";
  return alternative;
}

Turn TurnOf(const Alternative& alternative, size_t engine, uint64_t round) {
  return {.what = {&alternative, &alternative.engines[engine]},
          .planned = engine,
          .round = round,
          .run = 2 * round + engine,
          .results = "/results"};
}

TEST(Turn, GivesAllEnginesOfARoundTheSameOperationsAndBytesAndEachRoundOthers) {
  const Alternative alternative = SomeAlternative();
  std::set<uint64_t> seeds;
  std::set<uint64_t> salts;
  for (const uint64_t round : {0, 1, 2}) {
    const Turn first = TurnOf(alternative, 0, round);
    const Turn second = TurnOf(alternative, 1, round);
    EXPECT_EQ(first.Seed(), second.Seed());
    EXPECT_EQ(first.Salt(), second.Salt());
    seeds.insert(first.Seed());
    salts.insert(first.Salt());
  }
  EXPECT_EQ(seeds.size(), 3u);
  EXPECT_EQ(salts.size(), 3u);
  EXPECT_EQ(TurnOf(alternative, 0, 0).Seed(), 7u);  // The first round is what was typed.
}

TEST(Turn, LetsEachRunsStackBeginElsewhere) {
  const Alternative alternative = SomeAlternative();
  std::set<uint64_t> padding;
  for (const uint64_t round : {0, 1}) {
    for (const size_t engine : {0, 1}) {
      padding.insert(TurnOf(alternative, engine, round).PaddingBytes());
    }
  }
  EXPECT_EQ(padding.size(), 4u);
}

TEST(Turn, KeepsTheStoresOfVariantsApart) {
  Alternative alternative = SomeAlternative();
  std::set<std::string> paths;
  for (const uint64_t number : {1, 2, 3}) {
    alternative.variant.number = number;
    paths.insert(TurnOf(alternative, 0, 0).StorePath());
  }
  EXPECT_EQ(paths.size(), 3u);
}

TEST(Turn, LeavesTheSpaceOfAnEngineThatWritesNothingUnguarded) {
  Alternative alternative = SomeAlternative();
  alternative.settings.space_guard = "refuse";
  EXPECT_EQ(TurnOf(alternative, 0, 0).Spec("/d", 1, {}).settings.space_guard, "refuse");
  alternative.engines[0].description.capabilities |= LF_FLOOR;
  EXPECT_EQ(TurnOf(alternative, 0, 0).Spec("/d", 1, {}).settings.space_guard, "off");
}

}  // namespace
}  // namespace levelfield
