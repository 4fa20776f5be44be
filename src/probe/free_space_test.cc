#include "probe/free_space.h"

#include <gtest/gtest.h>

#include <limits>

namespace levelfield {
namespace {

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
  // All that is free is too much, however little that is.
  EXPECT_FALSE(CheckFreeSpace("/tmp", space->free_bytes - space->total_bytes / 40).ok());
}

TEST(NeededBytes, IsTheSumOfRule20AndNeverOverflows) {
  EXPECT_EQ(NeededBytes(0, 2.5, 0), uint64_t{256} << 20);
  EXPECT_EQ(NeededBytes(1000, 2.5, 10), (uint64_t{256} << 20) + 2520);
  EXPECT_EQ(NeededBytes(kMax, 5, kMax), kMax);
}

}  // namespace
}  // namespace levelfield
