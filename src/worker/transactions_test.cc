#include "worker/transactions.h"

#include <gtest/gtest.h>

#include <numeric>

#include "operations/transaction_draws.h"

namespace levelfield {
namespace {

struct Ran {
  Role role;
  RoleRun run;
};

Ran TwoThreads(std::vector<uint64_t> conflicts_of_second) {
  Ran ran;
  ran.role.operation = FindOperation("transaction");
  ran.role.range = 10;
  ran.role.sets = 3;
  for (uint64_t t = 0; t < 2; ++t) {
    ThreadTask task;
    task.keys.draw_seed = 5 + t;
    ran.run.tasks.push_back(task);
    ThreadResult result;
    if (t == 1) result.conflicts = conflicts_of_second;
    result.lanes.resize(2);
    result.lanes[0].tally.operations = 20 - result.conflicts.size();
    ran.run.results.push_back(result);
  }
  return ran;
}

TEST(Transactions, GrowAllSetsAlikeByWhatWasCommitted) {
  const Ran ran = TwoThreads({});
  const CountersAfter after = Grow(ran.role, ran.run, Counters32(30, 0));
  EXPECT_EQ(after.committed, 40u);
  EXPECT_EQ(after.grown, std::vector<uint64_t>(3, after.grown[0]));
  for (uint64_t s = 0; s < 3; ++s) {
    const auto begin = after.counters.begin() + static_cast<ptrdiff_t>(10 * s);
    EXPECT_EQ(std::accumulate(begin, begin + 10, uint64_t{0}), after.grown[s]);
  }
}

TEST(Transactions, ThatGaveWayLeaveNothing) {
  const Ran all = TwoThreads({});
  const Ran some = TwoThreads({0, 7, 19});
  const CountersAfter with = Grow(all.role, all.run, Counters32(30, 0));
  CountersAfter without = Grow(some.role, some.run, Counters32(30, 0));
  EXPECT_EQ(without.committed, 37u);
  EXPECT_EQ(without.conflicts, 3u);
  TransactionDraws draws(6, 10, 3);
  for (int i = 0; i < 20; ++i) {
    draws.Next();
    if (i != 0 && i != 7 && i != 19) continue;
    for (const uint64_t index : draws.keys()) without.counters[index] += draws.increment();
  }
  EXPECT_EQ(without.counters, with.counters);
}

TEST(Transactions, GoOnFromWhatTheCountersWere) {
  const Ran ran = TwoThreads({});
  const CountersAfter from_0 = Grow(ran.role, ran.run, Counters32(30, 0));
  const CountersAfter from_9 = Grow(ran.role, ran.run, Counters32(30, 9));
  for (size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(from_9.counters[i], from_0.counters[i] == 0 ? 0 : from_0.counters[i] + 9) << i;
  }
}

}  // namespace
}  // namespace levelfield
