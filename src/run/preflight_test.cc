#include "run/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

std::vector<PlannedPhase> Phases(const std::vector<std::string>& words) {
  StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(*settings);
  EXPECT_TRUE(phases.ok()) << phases.status().message();
  return phases.ok() ? *phases : std::vector<PlannedPhase>();
}

TEST(Preflight, MemoryIsCountedForEachWriterAndItsBatch) {
  const std::vector<PlannedPhase> one = Phases({"--benchmarks=fillseq", "--value_size=1G"});
  const uint64_t needed = NeededMemoryBytes(one);
  EXPECT_GT(needed, 4 * kGibibyte);
  EXPECT_LT(needed, 8 * kGibibyte);
  EXPECT_TRUE(CheckMemory(one, needed).ok());
  const Status refused = CheckMemory(one, needed - 1);
  EXPECT_EQ(refused.kind(), ErrorKind::kUsage);
  EXPECT_THAT(refused.message(), AllOf(HasSubstr("not enough memory"), HasSubstr("GiB")));
  EXPECT_EQ(NeededMemoryBytes(Phases({"--benchmarks=fillseq", "--value_size=1G", "--threads=4"})),
            needed + 3 * kGibibyte);
  EXPECT_GT(NeededMemoryBytes(Phases({"--benchmarks=fillbatch", "--value_size=1M"})),
            kGibibyte / 2);
}

TEST(Preflight, ReadersAndSmallValuesNeedNextToNothing) {
  EXPECT_LT(NeededMemoryBytes(Phases({"--benchmarks=fillseq", "--value_size=0"})), 2u << 20);
  EXPECT_TRUE(CheckMemory(Phases({}), AvailableMemoryBytes()).ok());
  EXPECT_GT(AvailableMemoryBytes(), 1u << 20);
}

TEST(Preflight, TheDiskIsCountedWithTheRecordsOfYcsb) {
  Settings settings;
  const uint64_t small = NeededDiskBytes(settings);
  settings.value_size = 1000;
  const uint64_t large = NeededDiskBytes(settings);
  settings.value_size = 100;
  EXPECT_EQ(NeededDiskBytes(settings, Phases({"--benchmarks=fillseq"})), small);
  EXPECT_EQ(NeededDiskBytes(settings, Phases({"--benchmarks=ycsb-c"})), large);
  EXPECT_GT(NeededDiskBytes(settings, Phases({"--benchmarks=ycsb-d"})), large);
}

TEST(Preflight, TheDiskIsCountedWithTheWholeKey) {
  Settings settings;
  settings.num = 1'000'000;
  const uint64_t plain = NeededDiskBytes(settings);
  settings.key_prefix = 1000;
  EXPECT_EQ(NeededDiskBytes(settings) - plain, 5'000'000'000u);
  settings.num = 10'000'000'000'000'000;
  settings.value_size = kGibibyte;
  EXPECT_GT(NeededDiskBytes(settings), uint64_t{1} << 60) << "no overflow";
}

}  // namespace
}  // namespace levelfield
