#include "workload/disposal.h"

#include <gtest/gtest.h>

#include <map>

namespace levelfield::disposal_test {

TEST(DisposalPlan, GivesEveryEntryAPositionOfItsOwn) {
  for (const auto& [disposable, persistent] :
       std::vector<std::pair<uint64_t, uint64_t>>{{4, 3}, {1, 1}, {5, 0}, {2, 9}}) {
    const DisposalPlan plan{.disposable_batch = disposable, .persistent_batch = persistent};
    std::map<uint64_t, int> taken;
    for (uint64_t n = 0; n < disposable * 10; ++n) ++taken[plan.PositionOfDisposable(n)];
    for (uint64_t n = 0; n < persistent * 10; ++n) ++taken[plan.PositionOfPersistent(n)];
    EXPECT_EQ(taken.size(), 10 * plan.cycle());
    EXPECT_EQ(taken.rbegin()->first, 10 * plan.cycle() - 1);
  }
}

TEST(DisposalPlan, HasPositionsForWhateverIsDue) {
  const DisposalPlan plan{.disposable_batch = 4, .persistent_batch = 3};
  for (uint64_t operations = 0; operations < 50; ++operations) {
    if (operations > 0) {
      EXPECT_LT(plan.PositionOfDisposable(operations - 1), plan.PositionsFor(operations));
    }
    EXPECT_EQ(plan.PositionsFor(operations) % plan.cycle(), 0u);
  }
}

TEST(DisposalHistory, AgreesWithAMapThatSawEveryEntry) {
  const DisposalPlan plan{.disposable_batch = 4,
                          .persistent_batch = 3,
                          .disposable_value_size = 20,
                          .persistent_value_size = 30};
  constexpr uint64_t kRange = 70;
  const Permutation permutation(kRange, 11);
  for (uint64_t disposable = 0; disposable <= 40; disposable += 3) {
    for (uint64_t erased = 0; erased <= disposable; erased += 2) {
      for (uint64_t persistent = 0; persistent <= disposable / 4 * 3; ++persistent) {
        std::map<uint64_t, uint64_t> present;
        for (uint64_t n = erased; n < disposable; ++n) {
          present[permutation.At(plan.PositionOfDisposable(n))] = 20;
        }
        for (uint64_t n = 0; n < persistent; ++n) {
          present[permutation.At(plan.PositionOfPersistent(n))] = 30;
        }
        const DisposalHistory history(plan, {disposable, persistent, erased}, kRange, 11, 8);
        for (uint64_t index = 0; index < kRange; ++index) {
          const auto found = history.LastOf(index);
          const bool is_there = found && !found->erases;
          ASSERT_EQ(is_there, present.contains(index));
          if (!is_there) continue;
          ASSERT_EQ(found->value_size, present[index]);
          ASSERT_EQ(found->version, 8u);
        }
      }
    }
  }
}

TEST(DisposalHistory, WithoutDisposableEntriesIsWhatWasPut) {
  const DisposalPlan plan{.persistent_batch = 3, .persistent_value_size = 30};
  EXPECT_EQ(plan.PositionsFor(10), 10u);
  const Permutation permutation(10, 11);
  const DisposalHistory history(plan, {0, 6, 0}, 10, 11, 1);
  for (uint64_t n = 0; n < 10; ++n) {
    EXPECT_EQ(history.LastOf(permutation.At(n)).has_value(), n < 6);
  }
}

}  // namespace levelfield::disposal_test
