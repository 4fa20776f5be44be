#include "operations/transaction_draws.h"

#include <gtest/gtest.h>

#include <set>

namespace levelfield {
namespace {

TEST(TransactionDraws, AreOneKeyOfEachSetAndTheSameFromTheSameSeed) {
  TransactionDraws draws(7, 100, 4);
  TransactionDraws again(7, 100, 4);
  std::set<uint64_t> first_sets;
  for (int i = 0; i < 1000; ++i) {
    draws.Next();
    again.Next();
    EXPECT_GE(draws.increment(), 1u);
    EXPECT_LE(draws.increment(), 100u);
    EXPECT_EQ(draws.increment(), again.increment());
    std::set<uint64_t> sets;
    for (size_t s = 0; s < 4; ++s) {
      EXPECT_EQ(draws.keys()[s], again.keys()[s]);
      sets.insert(draws.keys()[s] / 100);
    }
    EXPECT_EQ(sets, (std::set<uint64_t>{0, 1, 2, 3}));
    first_sets.insert(draws.keys()[0] / 100);
  }
  EXPECT_EQ(first_sets.size(), 4u) << "in an order that changes, so that transactions may deadlock";
}

}  // namespace
}  // namespace levelfield
