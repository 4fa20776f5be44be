#include "operations/triples.h"

#include <gtest/gtest.h>

#include <map>

namespace levelfield {
namespace {

TEST(TripleChoices, AreRoundsOfAHundredInTheOrderOfTheOriginal) {
  TripleChoices choices(
      {.seed = 5, .groups = 10, .end_group = 10, .get_percent = 90, .erase_percent = 2});
  for (int i = 0; i < 1000; ++i) {
    const TripleChoice choice = choices.Next();
    const TripleChoice::Kind expected = i % 100 < 90   ? TripleChoice::Kind::kGet
                                        : i % 100 < 98 ? TripleChoice::Kind::kPut
                                                       : TripleChoice::Kind::kErase;
    EXPECT_EQ(choice.kind, expected) << i;
    EXPECT_LT(choice.group, 10u);
  }
}

TEST(TripleChoices, WriteTheThreadsOwnGroupsAndReadAll) {
  TripleChoices choices({.seed = 5,
                         .groups = 10,
                         .first_group = 4,
                         .end_group = 6,
                         .get_percent = 50,
                         .erase_percent = 20});
  std::map<uint64_t, int> read;
  for (int i = 0; i < 1000; ++i) {
    const TripleChoice choice = choices.Next();
    if (choice.kind == TripleChoice::Kind::kGet) {
      ++read[choice.group];
    } else {
      EXPECT_TRUE(choice.group == 4 || choice.group == 5);
    }
  }
  EXPECT_EQ(read.size(), 10u);
}

TEST(TripleChoices, OfAThreadWithoutGroupsAreGets) {
  TripleChoices choices({.groups = 3, .first_group = 2, .end_group = 2, .get_percent = 0});
  for (int i = 0; i < 200; ++i) EXPECT_EQ(choices.Next().kind, TripleChoice::Kind::kGet);
}

TEST(TripleHistory, IsTheLastWriteOfEachGroup) {
  std::vector<TripleHistory::Share> shares;
  std::map<uint64_t, uint32_t> last;
  for (uint64_t t = 0; t < 2; ++t) {
    shares.push_back({{.seed = t,
                       .groups = 8,
                       .first_group = 4 * t,
                       .end_group = 4 * t + 3,
                       .get_percent = 30,
                       .erase_percent = 30,
                       .first_version = 7},
                      500 + t});
    TripleChoices choices(shares.back().plan);
    for (uint64_t i = 0; i < shares.back().operations; ++i) {
      const TripleChoice choice = choices.Next();
      if (choice.kind == TripleChoice::Kind::kPut) last[choice.group] = choice.version;
      if (choice.kind == TripleChoice::Kind::kErase) last[choice.group] = kGroupErased;
    }
  }
  const TripleHistory history(shares, 100);
  EXPECT_EQ(history.range(), 24u);
  EXPECT_EQ(history.versions(), 40u * 5) << "of the thread that put the most";
  for (uint64_t index = 0; index < 24; ++index) {
    const auto found = history.LastOf(index);
    const auto it = last.find(index / 3);
    ASSERT_EQ(found.has_value(), it != last.end()) << index;
    if (!found) continue;
    EXPECT_EQ(found->erases, it->second == kGroupErased);
    if (found->erases) continue;
    EXPECT_EQ(found->version, it->second);
    EXPECT_EQ(found->value_size, 100u);
  }
}

}  // namespace
}  // namespace levelfield
