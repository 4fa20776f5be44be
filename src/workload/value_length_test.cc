#include <gtest/gtest.h>

#include "workload/value_sizes.h"

namespace levelfield {
namespace {

// What RocksDB's appendrandom does to a string.
uint64_t Appended(std::optional<uint64_t> old, uint64_t value_size, uint64_t writes) {
  uint64_t size = old.value_or(0);
  for (uint64_t i = 0; i < writes; ++i) size += size > 0 ? 1 + value_size : value_size;
  return size;
}

TEST(LengthAfter, GrowsAsStringsThatAreAppendedTo) {
  for (const std::optional<uint64_t> old : {std::optional<uint64_t>(), {0}, {1}, {100}, {4096}}) {
    for (const uint64_t value_size : {0, 1, 100}) {
      for (const uint64_t writes : {1, 2, 3, 50}) {
        EXPECT_EQ(LengthAfter(LengthRule::kGrown, old, value_size, writes),
                  Appended(old, value_size, writes))
            << old.value_or(9999) << " " << value_size << " " << writes;
      }
    }
  }
}

TEST(LengthAfter, IsTheOldOneOrTheOwnOne) {
  EXPECT_EQ(LengthAfter(LengthRule::kOwn, 70, 100, 3), 100u);
  EXPECT_EQ(LengthAfter(LengthRule::kOwn, kUnknownLength, 100, 3), 100u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, 70, 100, 3), 70u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, 0, 100, 3), 0u);
  EXPECT_EQ(LengthAfter(LengthRule::kKept, std::nullopt, 100, 3), 100u);
}

TEST(LengthAfter, OfAnUnknownOneIsUnknown) {
  EXPECT_EQ(LengthAfter(LengthRule::kKept, kUnknownLength, 100, 1), kUnknownLength);
  EXPECT_EQ(LengthAfter(LengthRule::kGrown, kUnknownLength, 100, 7), kUnknownLength);
}

}  // namespace
}  // namespace levelfield
