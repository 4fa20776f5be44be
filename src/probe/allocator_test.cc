#include "probe/allocator.h"

#include <gtest/gtest.h>

#include <string>

namespace levelfield {
namespace {

constexpr const char* kMaps =
    "7f00-7f01 r-xp 00000000 fe:01 1 /usr/lib/x86_64-linux-gnu/libc.so.6\n"
    "7f02-7f03 r-xp 00000000 fe:01 2 /usr/lib/x86_64-linux-gnu/libjemalloc.so.2\n"
    "7f04-7f05 rw-p 00000000 00:00 0 \n"
    "7f06-7f07 rw-p 00000000 00:00 0 [heap]\n";

TEST(Allocator, IsTheOneBehindMallocAndNotAnyThatIsLoaded) {
  EXPECT_EQ(DescribeAllocator("/usr/lib/x86_64-linux-gnu/libc.so.6", "2.36", kMaps),
            "glibc 2.36 (loaded, not in force: libjemalloc.so.2)");
  EXPECT_EQ(DescribeAllocator("/usr/lib/libjemalloc.so.2", "5.3.0", kMaps), "jemalloc 5.3.0");
  EXPECT_EQ(DescribeAllocator("/usr/lib/libtcmalloc_minimal.so.4", "2.10", ""), "tcmalloc 2.10");
  EXPECT_EQ(DescribeAllocator("/opt/libmimalloc.so.2", "", ""), "mimalloc");
}

TEST(Allocator, ThatNobodyKnowsIsNamedByItsFileOrUnknown) {
  EXPECT_EQ(DescribeAllocator("/opt/libours.so", "", ""), "libours.so");
  EXPECT_EQ(DescribeAllocator("", "", kMaps), "unknown: the file of malloc is not told");
}

// Which one is in force here is the test program's own: one of its tests counts allocations, and so
// do the sanitizers.
TEST(Allocator, OfThisProcessHasAName) {
  const std::string found = AllocatorInForce();
  EXPECT_FALSE(found.empty());
  EXPECT_FALSE(found.starts_with("unknown")) << found;
}

}  // namespace
}  // namespace levelfield
