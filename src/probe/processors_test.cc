#include "probe/processors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  EXPECT_TRUE(CheckProcessors("").ok());
  EXPECT_TRUE(CheckProcessors(ProcessorsText(ProcessorsInForce())).ok());
  const Status status = CheckProcessors("0-1023");
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  EXPECT_THAT(status.message(), HasSubstr("may run on " + ProcessorsText(ProcessorsInForce())));
}

// In a thread of its own, since the other tests are to run where they did.
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

}  // namespace
}  // namespace levelfield
