#include "store/store_space.h"

#include <gtest/gtest.h>

#include <limits>

namespace levelfield::store_space_test {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

TEST(FreeSpace, OfAPathThatDoesNotExistIsThatOfItsParent) {
  for (const char* path :
       {"/tmp/lf_none/x/y", "/tmp", "/lf_none", "lf_none", "./lf_none/x", "/tmp/lf_none//"}) {
    const auto space = FreeSpaceAt(path);
    ASSERT_TRUE(space.ok()) << space.status().message();
    EXPECT_GT(space->total_bytes, 0u) << path;
    EXPECT_LE(space->free_bytes, space->total_bytes) << path;
  }
}

TEST(FreeSpace, WhatDoesNotFitIsRefusedWithBothNumbers) {
  EXPECT_TRUE(CheckFreeSpace("/tmp", 0).ok());
  const Status refused = CheckFreeSpace("/tmp", uint64_t{1} << 60);
  EXPECT_EQ(refused.kind(), ErrorKind::kUsage);
  EXPECT_NE(refused.message().find("1073741824.00 GiB"), std::string::npos) << refused.message();
}

TEST(FreeSpace, ATwentiethOfTheFileSystemStaysFree) {
  const auto space = FreeSpaceAt("/tmp");
  ASSERT_TRUE(space.ok());
  // Needing all of the free space is too much, however little that is.
  EXPECT_FALSE(CheckFreeSpace("/tmp", space->free_bytes - space->total_bytes / 40).ok());
}

TEST(NeededBytes, IsTheSumOfRule20AndNeverOverflows) {
  EXPECT_EQ(NeededBytes(0, 2.5), uint64_t{256} << 20);
  EXPECT_EQ(NeededBytes(1000, 2.5), (uint64_t{256} << 20) + 2500);
  EXPECT_EQ(NeededBytes(kMax, 5), kMax);
}

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

// A writer on a disk of 56 MiB, with a guard and a worker that are both this late. Returns the free
// space when the worker has stopped, or 0.
uint64_t FreeAtTheEnd(double bytes_per_second, uint64_t late_ms) {
  constexpr uint64_t kTotal = 56 * kMiB;
  uint64_t now_ns = 1'000'000'000;
  const uint64_t begin_ns = now_ns;
  const auto free_bytes = [&] {
    const auto written =
        static_cast<uint64_t>(static_cast<double>(now_ns - begin_ns) * 1e-9 * bytes_per_second);
    return written < kTotal ? kTotal - written : 0;
  };
  SpaceGuard guard([&]() -> StatusOr<FreeSpace> {
    return FreeSpace{.free_bytes = free_bytes(), .total_bytes = kTotal, .free_files = 1000};
  });
  while (!guard.IsLow(now_ns)) {
    if (free_bytes() == 0) return 0;
    now_ns += guard.UntilNextNs(now_ns) + late_ms * 1'000'000;
  }
  now_ns += (100 + late_ms) * 1'000'000;  // The worker's own check.
  return free_bytes();
}

TEST(SpaceGuard, ComesInTimeAlsoWhereItsLooksComeLate) {
  for (const double megabytes_per_second : {1, 10, 40, 80}) {
    for (const uint64_t late_ms : {0, 20, 100, 200}) {
      EXPECT_GT(FreeAtTheEnd(megabytes_per_second * 1e6, late_ms), 2 * kMiB)
          << megabytes_per_second << " MB/s, late by " << late_ms << " ms";
    }
  }
}

TEST(SpaceGuard, LeavesAtMostWhatTheRateAsksForBesideTheLeast) {
  EXPECT_LT(FreeAtTheEnd(10e6, 0), 9 * kMiB) << "an eighth is 7 MiB";
  EXPECT_LT(FreeAtTheEnd(10e6, 200), 14 * kMiB);
}

TEST(SpaceGuard, DoesNotTakeARestForALateLook) {
  FreeSpace space{.free_bytes = 40 * kMiB, .total_bytes = 56 * kMiB, .free_files = 1000};
  SpaceGuard guard([&]() -> StatusOr<FreeSpace> { return space; });
  uint64_t now_ns = 1'000'000'000;
  const auto write_for_a_while = [&] {
    for (int i = 0; i < 30; ++i) {
      space.free_bytes -= kMiB / 10;
      now_ns += std::max<uint64_t>(guard.UntilNextNs(now_ns), 10'000'000);
      if (guard.IsLow(now_ns)) return false;
    }
    return true;
  };
  ASSERT_TRUE(write_for_a_while());
  guard.Rest();
  now_ns += 10'000'000'000;
  EXPECT_TRUE(write_for_a_while());
  // The control: without Rest the ten seconds count as late.
  now_ns += 10'000'000'000;
  EXPECT_FALSE(write_for_a_while());
}

TEST(SpaceGuard, LetsADiskThatNobodyWritesToBeAsFullAsTheLeastAllows) {
  FreeSpace space{.free_bytes = 7 * kMiB, .total_bytes = 56 * kMiB, .free_files = 1000};
  SpaceGuard guard([&]() -> StatusOr<FreeSpace> { return space; });
  for (uint64_t now_ns = 1'000'000'000; now_ns < 2'000'000'000; now_ns += 100'000'000) {
    EXPECT_FALSE(guard.IsLow(now_ns)) << now_ns;
  }
  --space.free_bytes;
  EXPECT_TRUE(guard.IsLow(2'000'000'000));
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

}  // namespace levelfield::store_space_test
