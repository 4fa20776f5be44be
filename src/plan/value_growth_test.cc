#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/planned_content.h"
#include "plan/preflight.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

StatusOr<std::vector<PlannedPhase>> Planned(std::vector<std::string> words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return PlanPhases(*settings);
}

uint64_t Largest(const std::string& benchmarks) {
  return LargestValueOf(*Planned({"--benchmarks=" + benchmarks, "--num=1000", "--value_size=100"}));
}

TEST(ValueGrowth, AddsUpOverThePhases) {
  EXPECT_EQ(Largest("fillseq"), 100u);
  EXPECT_EQ(Largest("fillseq,appendrandom"), 201u);
  EXPECT_EQ(Largest("fillseq,appendrandom,appendrandom,readrandom"), 302u);
  EXPECT_EQ(Largest("fillseq,appendrandom[X3]"), 403u);
  EXPECT_EQ(Largest("fill100K,appendrandom"), 100'101u);
  EXPECT_EQ(Largest("fillseq,appendrandom,fillseq,appendrandom"), 201u) << "of an emptied store";
  EXPECT_EQ(Largest("fillseq,appendrandom,xorupdaterandom,deleterandom"), 201u);
}

TEST(ValueGrowth, GoesOnFromAStoreThatExisted) {
  const auto phases =
      *Planned({"--benchmarks=fillseq,appendrandom", "--num=1000", "--value_size=100"});
  EXPECT_EQ(LargestValueOf(phases, true, 5000), 5101u);
}

TEST(ValueGrowth, CountsTheRoundsOfTheThreadThatHasTheMost) {
  const auto phases = *Planned({"--benchmarks=appendrandom", "--num=10", "--threads=3"});
  const Role& role = phases.back().workload.roles.front();
  ASSERT_EQ(role.threads, 3u);
  // Shares of 3, 3 and 4 keys and as many operations; four operations on three keys might be.
  EXPECT_EQ(LargestValueOf(phases), 100u + 2 * 101);
}

TEST(ValueGrowth, BeyondAllBoundsIsRefused) {
  const auto refused = Planned({"--benchmarks=fillseq,appendrandom[X1000]", "--value_size=4M"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(refused.status().message(),
              AllOf(HasSubstr("appendrandom"), HasSubstr("1073741824"), HasSubstr("--value_size")));
}

TEST(ValueGrowth, ForATimeIsRefused) {
  const auto refused = Planned({"--benchmarks=fillseq,appendrandom", "--duration=2"});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.status().message(),
              AllOf(HasSubstr("appendrandom"), HasSubstr("--duration=2")));
  EXPECT_TRUE(Planned({"--benchmarks=fillseq,xorupdaterandom", "--duration=2"}).ok());
}

TEST(ValueGrowth, NeedsRoomInMemoryAndOnTheDisk) {
  const auto plain = *Planned({"--benchmarks=fillseq,overwrite[X9]", "--value_size=1M"});
  const auto grown = *Planned({"--benchmarks=fillseq,appendrandom[X9]", "--value_size=1M"});
  EXPECT_GT(NeededMemoryBytes(grown), NeededMemoryBytes(plain) + (40u << 20));
  const StatusOr<Settings> settings = ParseSettings({"--value_size=1M", "--num=1000000"});
  EXPECT_GT(NeededDiskBytes(*settings, grown), 9 * NeededDiskBytes(*settings, plain));
}

}  // namespace
}  // namespace levelfield
