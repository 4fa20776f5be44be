#include "plan/phase_settings.h"

#include <gtest/gtest.h>

#include <set>

namespace levelfield {
namespace {

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

TEST(PhaseSettings, LetAStepLastAsLongAsItIsAskedTo) {
  Settings settings;
  settings.duration = 3;
  EXPECT_EQ(PhaseSettings(settings, PhaseOf(StoreNeed::kLoaded), 0.5, 1).duration, 0.5);
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

}  // namespace
}  // namespace levelfield
