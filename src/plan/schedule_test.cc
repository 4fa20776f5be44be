#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "plan/turn.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace levelfield
