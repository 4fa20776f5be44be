#include "plan/trace_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files_for_test.h"
#include "driver/price_list.h"
#include "plan/plan.h"
#include "plan/preflight.h"
#include "workload/trace/trace_writer.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TraceSettings : public ::testing::Test {
 protected:
  TraceSettings() {
    StatusOr<TraceWriter> writer = TraceWriter::Create(path_, false);
    constexpr uint64_t kSecond = 1'000'000'000;
    EXPECT_TRUE(writer->Add("a", {.time_ns = 0, .value_size = 5'000}).ok());
    EXPECT_TRUE(writer
                    ->Add("b", {.time_ns = 20 * kSecond,
                                .value_size = 300'000'000,
                                .operation = TraceOperation::kPut})
                    .ok());
    EXPECT_TRUE(writer->Add("a", {.time_ns = 40 * kSecond}).ok());
    EXPECT_TRUE(writer->Finish("a test", 0).ok());
  }

  StatusOr<std::vector<PlannedPhase>> Phases(std::vector<std::string> words) const {
    words.push_back("--trace=" + path_);
    const StatusOr<Settings> settings = ParseSettings(words);
    EXPECT_TRUE(settings.ok()) << settings.status().message();
    return PlanPhases(*settings);
  }

  std::string Refusal(const std::vector<std::string>& words) const {
    const auto phases = Phases(words);
    if (phases.ok()) return "";
    EXPECT_EQ(phases.status().kind(), ErrorKind::kUsage);
    return phases.status().message();
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "a.trace";
};

TEST_F(TraceSettings, PutWhatLoadsTheStoreBeforeEachReplay) {
  const auto phases =
      Phases({"--benchmarks=fillseq,replay[X2],readrandom", "--trace_value_max=300M"});
  ASSERT_TRUE(phases.ok()) << phases.status().message();
  std::vector<std::string> names;
  for (const PlannedPhase& phase : *phases) names.push_back(phase.workload.name);
  EXPECT_THAT(names, ::testing::ElementsAre("fillseq", "replay-load", "replay", "replay-load",
                                            "replay", "readrandom"));
  const Role& load = (*phases)[1].workload.roles.front();
  EXPECT_EQ(load.operations, 1u);
  const Role& replay = (*phases)[2].workload.roles.front();
  EXPECT_EQ(replay.operations, 3u);
  EXPECT_EQ(replay.range, 2u);
  EXPECT_EQ(replay.value_size.most(), 300'000'000u);
}

TEST_F(TraceSettings, RefuseWhatCannotBeReplayed) {
  const std::string replay = "--benchmarks=replay";
  EXPECT_THAT(Refusal({replay}), AllOf(HasSubstr("has a value of 300000000 bytes"),
                                       HasSubstr("--trace_value_max is 1048576")));
  EXPECT_EQ(Refusal({replay, "--trace_records=1"}), "") << "that one is the second";
  const std::string large = "--trace_value_max=300M";
  EXPECT_EQ(Refusal({replay, large}), "");
  EXPECT_EQ(Refusal({replay, large, "--trace_speed=2", "--stall=30"}), "");
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=1", "--stall=30"}),
              HasSubstr("nothing is due for 20.0 s of it at --trace_speed=1"));
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=2", "--rate=5"}),
              HasSubstr("--rate or --slo say otherwise"));
  EXPECT_THAT(Refusal({replay, large, "--trace_speed=2", "--histogram=0"}),
              HasSubstr("--histogram=0"));
  EXPECT_THAT(Refusal({replay, large, "--use_existing_db"}), HasSubstr("--use_existing_db"));
  EXPECT_THAT(Refusal({replay, large, "--rate=sweep"}), HasSubstr("cannot be run again"));
  EXPECT_EQ(Refusal({"--benchmarks=fillseq", "--trace_speed=1"}), "") << "others read no trace";
  StatusOr<Settings> without = ParseSettings({replay});
  EXPECT_THAT(PlanPhases(*without).status().message(), HasSubstr("Say --trace=<file>"));
  without->trace = directory_ / "absent";
  EXPECT_THAT(PlanPhases(*without).status().message(), HasSubstr("cannot be opened"));
}

TEST_F(TraceSettings, NeedRoomForTheTraceAndForWhatItLeaves) {
  const std::vector<std::string> words = {"--benchmarks=replay", "--trace_value_max=300M",
                                          "--num=10"};
  const auto phases = Phases(words);
  ASSERT_TRUE(phases.ok());
  EXPECT_GT(NeededDiskBytes(*ParseSettings(words), *phases), 300'000'000u);
}

TEST_F(TraceSettings, MeasureThePriceInAClosedLoopOfTheFirstOperations) {
  const StatusOr<Settings> settings = ParseSettings({"--trace_speed=3"});
  EXPECT_EQ(PriceSettings(*settings).trace_speed, 0);
  EXPECT_EQ(PriceSettings(*settings).trace_records, 100'000u);
  const StatusOr<Settings> few = ParseSettings({"--trace_records=7"});
  EXPECT_EQ(PriceSettings(*few).trace_records, 7u);
}

TEST(PriceSettings, OfAnOpenLoopCanBePlanned) {
  for (const char* const load : {"--rate=1000", "--slo=p99<1ms"}) {
    const StatusOr<Settings> settings = ParseSettings({load, "--arrival=constant"});
    const auto phases = PlanPhases(PriceSettings(*settings));
    EXPECT_TRUE(phases.ok()) << phases.status().message();
  }
}

}  // namespace
}  // namespace levelfield
