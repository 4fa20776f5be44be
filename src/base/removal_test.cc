#include "base/removal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/clock.h"
#include "base/files_for_test.h"

namespace levelfield::removal_test {

TEST(RemoveAll, RemovesADirectoryWithAllThatIsInIt) {
  const TemporaryDirectory directory;
  Write(directory / "scratch/deep/file", "x");
  EXPECT_FALSE(RemoveAll(directory / "scratch"));
  EXPECT_FALSE(std::filesystem::exists(directory / "scratch"));
  EXPECT_FALSE(RemoveAll(directory / "scratch")) << "nothing is there";
}

TEST(RemovePatiently, TriesUntilItSucceedsButNotForEver) {
  int left = 3;
  EXPECT_TRUE(RemovePatiently([&] { return --left == 0; }));
  const uint64_t begun_ns = MonotonicNs();
  EXPECT_FALSE(RemovePatiently([] { return false; }));
  EXPECT_LT(MonotonicNs() - begun_ns, 10'000'000'000u);
}

TEST(IsDeletedWhileOpen, IsToldByTheName) {
  EXPECT_TRUE(IsDeletedWhileOpen(".fuse_hidden0000000200000001"));
  EXPECT_TRUE(IsDeletedWhileOpen(".nfs000000000004f2e300000001"));
  EXPECT_FALSE(IsDeletedWhileOpen("nfs"));
  EXPECT_FALSE(IsDeletedWhileOpen("LEVELFIELD"));
}

}  // namespace levelfield::removal_test
