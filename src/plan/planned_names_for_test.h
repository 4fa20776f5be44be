// For tests only: the phases that words on the command line come to.
#ifndef LEVELFIELD_PLAN_PLANNED_NAMES_FOR_TEST_H_
#define LEVELFIELD_PLAN_PLANNED_NAMES_FOR_TEST_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/plan.h"

namespace levelfield {

// The names of the phases, `(load)` and `(warm-up)` behind them.
inline std::vector<std::string> PlannedNames(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  const auto phases = PlanPhases(*settings);
  EXPECT_TRUE(phases.ok()) << phases.status().message();
  std::vector<std::string> names;
  for (const PlannedPhase& phase : *phases) {
    names.push_back(phase.source.name + (phase.implicit ? " (load)" : "") +
                    (phase.repetition.warm_up ? " (warm-up)" : ""));
  }
  return names;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLANNED_NAMES_FOR_TEST_H_
