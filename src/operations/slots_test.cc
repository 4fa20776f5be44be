#include "operations/slots.h"

#include <gtest/gtest.h>

#include <map>

namespace levelfield {
namespace {

TEST(SlotChoices, AreNormallyDistributedAroundTheMiddle) {
  SlotChoices choices({.seed = 3, .keys = 100'000, .stddev = 1000});
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double off = static_cast<double>(choices.Next()) - 50'000;
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / kDraws, 0, 15);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 1000, 15);
}

TEST(SlotChoices, BeyondTheEndsAreTheEnds) {
  SlotChoices choices({.seed = 3, .keys = 10, .stddev = 1000});
  std::map<uint64_t, int> drawn;
  for (int i = 0; i < 1000; ++i) ++drawn[choices.Next()];
  EXPECT_LT(drawn.rbegin()->first, 10u);
  EXPECT_GT(drawn[0], 400);
  EXPECT_GT(drawn[9], 400);
}

TEST(SlotHistory, AgreesWithAMapThatSawEveryReplacement) {
  const SlotPlan plan{.seed = 9, .keys = 7, .stddev = 2};
  SlotChoices choices(plan);
  std::map<uint64_t, uint64_t> slots;
  std::map<uint64_t, uint64_t> present;  // Sizes.
  for (uint64_t key = 0; key < 7; ++key) present[key * kSlots] = 100;
  // Long enough for some keys to come round again.
  for (uint64_t i = 0; i <= 400; ++i) {
    const SlotHistory history(plan, i, 5, 100);
    EXPECT_EQ(history.range(), 7 * kSlots);
    for (uint64_t index = 0; index < history.range(); ++index) {
      const auto found = history.LastOf(index);
      const bool is_there = found && !found->erases;
      ASSERT_EQ(is_there, present.contains(index)) << i << " " << index;
      if (is_there) {
        ASSERT_EQ(found->value_size, present[index]);
      }
    }
    const uint64_t key = choices.Next();
    present.erase(key * kSlots + slots[key]);
    slots[key] = (slots[key] + 1) % kSlots;
    present[key * kSlots + slots[key]] = 0;
  }
}

}  // namespace
}  // namespace levelfield
