#include "plan/phase_settings.h"

#include <set>

#include "base/matchers_for_test.h"
#include "plan/messages.h"
#include "plan/plan_for_test.h"

namespace levelfield::phase_settings_test {

PlannedPhase PhaseOf(StoreNeed need) {
  PlannedPhase phase;
  phase.workload.need = need;
  phase.workload.roles.emplace_back();
  return phase;
}

TEST(PhaseSettings, AreTheRunsWhereNothingElseIsAsked) {
  Settings settings;
  settings.seed = 5;
  settings.duration = 3;
  const Settings of_phase = PhaseSettings(settings, PhaseOf(StoreNeed::kLoaded), 0, 0);
  EXPECT_EQ(of_phase.seed, 5u);
  EXPECT_EQ(of_phase.duration, 3);
  EXPECT_EQ(PhaseSettings(settings, PhaseOf(StoreNeed::kLoaded), 0.5, 1).duration, 0.5)
      << "a step lasts as long as it is asked to";
}

TEST(PhaseSettings, HaveASeedForEachRepetitionItsWarmUpAndEachStep) {
  const Settings settings;
  std::set<uint64_t> seeds = {settings.seed};
  PlannedPhase phase = PhaseOf(StoreNeed::kLoaded);
  for (const bool warm_up : {false, true}) {
    for (const uint64_t number : {1, 2}) {
      phase.repetition.number = number;
      phase.repetition.warm_up = warm_up;
      for (const uint64_t step : {0, 1, 2}) {
        seeds.insert(PhaseSettings(settings, phase, 0, step).seed);
      }
    }
  }
  EXPECT_EQ(seeds.size(), 1u + 2 * 2 * 3);
}

TEST(PhaseSettings, LetALoaderOfRecordsLoadAllOfThemHoweverLongThatTakes) {
  Settings settings;
  settings.duration = 3;
  PlannedPhase loader = PhaseOf(StoreNeed::kEmpty);
  EXPECT_EQ(PhaseSettings(settings, loader, 0, 0).duration, 3);
  loader.workload.roles.front().records = 10;
  EXPECT_EQ(PhaseSettings(settings, loader, 0, 0).duration, 0);
  loader.workload.need = StoreNeed::kLoaded;  // One that works on them ends with its time.
  EXPECT_EQ(PhaseSettings(settings, loader, 0, 0).duration, 3);
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
  EXPECT_EQ(WarmUpSettings(settings).writes, 0u);
  settings.writes = 1'000'000;
  EXPECT_EQ(WarmUpSettings(settings).writes, 20'000u);
}

TEST(WarmUp, GoesToTheWorkerAsItIs) {
  const Settings settings = With({"--warmup=30", "--benchmarks=readrandom"});
  const auto spec = WorkerSpecFromText(ToText({.engine = "null",
                                               .engine_settings = {},
                                               .settings = settings,
                                               .phases = *PlanPhases(settings),
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

TEST(ColdCache, IsForWhatReadsALoadedStoreAndOnlyWhereItIsAskedFor) {
  Settings settings;
  const auto phase_of = [](StoreNeed need, std::string_view operation) {
    Workload workload = PhaseOf(need).workload;
    workload.roles.front().operation = FindOperation(operation);
    return workload;
  };
  const Workload reads = phase_of(StoreNeed::kLoaded, "get");
  EXPECT_FALSE(IsColdBefore(reads, settings));
  settings.cache = "cold";
  EXPECT_TRUE(IsColdBefore(reads, settings));
  EXPECT_FALSE(IsColdBefore(phase_of(StoreNeed::kLoaded, "put"), settings));
  EXPECT_FALSE(IsColdBefore(phase_of(StoreNeed::kEmpty, "put"), settings));
}

}  // namespace levelfield::phase_settings_test
