#include "run/space_guard.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

constexpr uint64_t kMiB = 1 << 20;

TEST(SpaceGuard, KeepsThreePerCentButNeverLessThan128MiB) {
  EXPECT_EQ(LeastFreeBytes(100'000 * kMiB), 100'000 * kMiB / 100 * 3);
  EXPECT_EQ(LeastFreeBytes(2000 * kMiB), 128 * kMiB);
}

TEST(SpaceGuard, KeepsAnEighthOfASmallDisk) {
  EXPECT_EQ(LeastFreeBytes(64 * kMiB), 8 * kMiB);
  EXPECT_EQ(LeastFreeBytes(0), 0u);
}

TEST(SpaceGuard, LooksSeldomWhereThereIsRoom) {
  SpaceGuard guard("/");
  if (guard.IsLow(1'000'000'000)) GTEST_SKIP() << "this machine's disk is nearly full";
  EXPECT_GE(guard.UntilNextNs(1'000'000'000), 2'000'000u);
  EXPECT_LE(guard.UntilNextNs(1'000'000'000), 100'000'000u);
  EXPECT_GT(guard.space().total_bytes, 0u);
}

TEST(SpaceGuard, SaysWhatIsFreeInAUnitThatFits) {
  EXPECT_EQ(SpaceText({.free_bytes = 12 * kMiB, .total_bytes = 58 * kMiB}),
            "12.0 of 58.0 MiB are free on the disk");
  EXPECT_EQ(SpaceText({.free_bytes = 1024 * 76 * kMiB, .total_bytes = 1024 * 252 * kMiB}),
            "76.0 of 252.0 GiB are free on the disk");
}

TEST(SpaceGuard, KnowsAFullDisk) {
  EXPECT_TRUE(IsFull({.free_bytes = 0, .total_bytes = 58 * kMiB}));
  EXPECT_FALSE(IsFull({.free_bytes = kMiB, .total_bytes = 58 * kMiB}));
}

}  // namespace
}  // namespace levelfield
