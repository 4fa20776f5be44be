#include "probe/machine.h"

#include <sched.h>

#include <string>
#include <thread>

#include "base/matchers_for_test.h"

namespace levelfield::machine_test {

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

// The test program has its own allocator: one of its tests counts allocations, and so do the
// sanitizers.
TEST(Allocator, OfThisProcessHasAName) {
  const std::string found = AllocatorInForce();
  EXPECT_FALSE(found.empty());
  EXPECT_FALSE(found.starts_with("unknown")) << found;
}

TEST(Processors, AreReadAsTheKernelWritesThem) {
  EXPECT_THAT(*ParseProcessors("0"), ElementsAre(0));
  EXPECT_THAT(*ParseProcessors("2-3,0,3"), ElementsAre(0, 2, 3));
  for (const char* const text : {"0", "0,2-3", "5-7,9"}) {
    EXPECT_EQ(ProcessorsText(*ParseProcessors(text)), text);
  }
}

TEST(Processors, ThatAreNoNumbersAreRefused) {
  for (const char* const text : {"", ",", "0,", "-1", "3-2", "a", "0-", "0x1", " 0", "99999999"}) {
    EXPECT_FALSE(ParseProcessors(text).ok()) << text;
  }
}

TEST(Processors, ThatAreNotThereAreRefusedBeforeAnythingBegins) {
  EXPECT_TRUE(CheckProcessors("", "0-3").ok());
  EXPECT_TRUE(CheckProcessors("0,2-3", "0-3").ok());
  EXPECT_TRUE(CheckProcessors("0-7", "").ok()) << "which it may use is not known";
  const Status status = CheckProcessors("0-1023", "0-3");
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  EXPECT_THAT(status.message(), HasSubstr("may run on 0-3 and on no others"));
}

// In a separate thread, since the other tests should run where they did.
TEST(Processors, HoldAThreadAndThoseThatItMakes) {
  const std::vector<int> usable = ProcessorsInForce();
  ASSERT_FALSE(usable.empty());
  const std::vector<int> one = {usable.back()};
  std::thread([&] {
    EXPECT_TRUE(RunOnProcessors(one).ok());
    std::thread([&] {
      EXPECT_EQ(ProcessorsInForce(), one);
      EXPECT_EQ(sched_getcpu(), one[0]);
    }).join();
    EXPECT_FALSE(RunOnProcessors({one[0], 1023}).ok()) << "a part of them is not what was asked";
  }).join();
  EXPECT_EQ(ProcessorsInForce(), usable);
}

}  // namespace levelfield::machine_test
