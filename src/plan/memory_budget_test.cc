#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/preflight.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;

Settings Given(const std::vector<std::string>& words) { return *ParseSettings(words); }

TEST(MemoryBudget, GivesEveryEngineTheSameShares) {
  Settings settings = Given({"--memory=256M"});
  ASSERT_TRUE(ApplyMemoryBudget(settings).ok());
  EXPECT_EQ(settings.cache_size, std::to_string(64 << 20));
  EXPECT_EQ(settings.write_buffer_size, std::to_string(16 << 20));
}

TEST(MemoryBudget, GivesNoWriteBufferBeyond64MiB) {
  Settings settings = Given({"--memory=64G"});
  ASSERT_TRUE(ApplyMemoryBudget(settings).ok());
  EXPECT_EQ(settings.write_buffer_size, std::to_string(64 << 20));
}

TEST(MemoryBudget, LeavesAloneWhatIsGivenAndWhatIsNotCapped) {
  Settings settings = Given({"--memory=256M", "--cache_size=8M", "--write_buffer_size=4M"});
  ASSERT_TRUE(ApplyMemoryBudget(settings).ok());
  EXPECT_EQ(settings.cache_size, "8M");
  EXPECT_EQ(settings.write_buffer_size, "4M");
  Settings uncapped = Given({});
  ASSERT_TRUE(ApplyMemoryBudget(uncapped).ok());
  EXPECT_EQ(uncapped.cache_size, Settings().cache_size);
  EXPECT_EQ(uncapped.write_buffer_size, "");
}

TEST(MemoryBudget, LeavesEnginesTheirOwnCachesWhereTheyAreAskedFor) {
  Settings settings = Given({"--memory=256M", "--settings=default"});
  settings.cache_size = "";
  ASSERT_TRUE(ApplyMemoryBudget(settings).ok());
  EXPECT_EQ(settings.cache_size, "");
  EXPECT_EQ(settings.write_buffer_size, "");
}

TEST(MemoryBudget, RefusesCachesThatFillTheLimit) {
  Settings settings = Given({"--memory=64M", "--cache_size=64M"});
  const Status status = ApplyMemoryBudget(settings);
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  EXPECT_THAT(status.message(), HasSubstr("more than half"));
  Settings half = Given({"--memory=64M", "--cache_size=28M", "--write_buffer_size=4M"});
  EXPECT_TRUE(ApplyMemoryBudget(half).ok());
}

}  // namespace
}  // namespace levelfield
