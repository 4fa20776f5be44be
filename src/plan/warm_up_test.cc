// --warmup in the plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/messages.h"
#include "plan/phase_settings.h"
#include "plan/planned_names_for_test.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Refusal(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status().message();
  const auto phases = PlanPhases(*settings);
  return phases.ok() ? "" : phases.status().message();
}

TEST(WarmUp, ComesBeforeEachWorkloadThatReads) {
  EXPECT_THAT(
      PlannedNames({"--warmup=5s", "--benchmarks=fillseq,readrandom,overwrite,readseq,compact"}),
      ElementsAre("fillseq", "readrandom (warm-up)", "readrandom", "overwrite", "readseq (warm-up)",
                  "readseq", "compact"));
  EXPECT_THAT(PlannedNames({"--warmup=5s", "--benchmarks=readrandom[X2]"}),
              ElementsAre("fillrandom (load)", "readrandom (warm-up)", "readrandom", "readrandom"));
  EXPECT_THAT(PlannedNames({"--warmup=5s", "--benchmarks=fillseekseq[X2]"}),
              ElementsAre("fillseq (load)", "fillseekseq (warm-up)", "fillseekseq",
                          "fillseq (load)", "fillseekseq (warm-up)", "fillseekseq"));
}

TEST(WarmUp, IsOfTheTimeOrTheOperationsThatWereAskedFor) {
  Settings settings;
  settings.reads = 7;
  settings.duration = 3;
  settings.warmup = "0.5s";
  EXPECT_EQ(WarmUpSettings(settings).duration, 0.5);
  EXPECT_EQ(WarmUpSettings(settings).reads, 7u);
  settings.warmup = "20k";
  EXPECT_EQ(WarmUpSettings(settings).duration, 0);
  EXPECT_EQ(WarmUpSettings(settings).reads, 20'000u);
}

TEST(WarmUp, GoesToTheWorkerAsItIs) {
  const auto settings = ParseSettings({"--warmup=30", "--benchmarks=readrandom"});
  const auto phases = PlanPhases(*settings);
  const auto spec = WorkerSpecFromText(ToText({.engine = "null",
                                               .engine_settings = {},
                                               .settings = *settings,
                                               .phases = *phases,
                                               .directory = "d",
                                               .salt = 1}));
  ASSERT_TRUE(spec.ok()) << spec.status().message();
  ASSERT_EQ(spec->phases.size(), 3u);
  EXPECT_TRUE(spec->phases[1].leads_in);
  EXPECT_EQ(spec->phases[1].workload.roles[0].operations, 30u);
  EXPECT_FALSE(spec->phases[2].leads_in);
  EXPECT_EQ(spec->phases[2].workload.roles[0].operations, 1'000'000u);
}

TEST(WarmUp, ThatCannotBeReadIsRefused) {
  for (const char* const text : {"0", "0s", "-1s", "s", "5m s", "nans", "five", "1e10s"}) {
    EXPECT_THAT(Refusal({std::string("--warmup=") + text}), HasSubstr("--warmup=")) << text;
  }
  EXPECT_THAT(Refusal({"--warmup=5s", "--compat=exact", "--benchmarks=readrandom"}),
              HasSubstr("no --warmup"));
}

}  // namespace
}  // namespace levelfield
