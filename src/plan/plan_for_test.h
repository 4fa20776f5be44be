// For tests only: what words on the command line come to.
#ifndef LEVELFIELD_PLAN_PLAN_FOR_TEST_H_
#define LEVELFIELD_PLAN_PLAN_FOR_TEST_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_for_test.h"
#include "plan/plan.h"

namespace levelfield {

inline Settings With(const std::vector<std::string>& words) { return Must(ParseSettings(words)); }

inline std::vector<PlannedPhase> Phases(const std::vector<std::string>& words) {
  return Must(PlanPhases(With(words)));
}

// The first role of the last phase.
inline Role LastRole(const std::vector<std::string>& words) {
  const std::vector<PlannedPhase> phases = Phases(words);
  return phases.empty() ? Role() : phases.back().workload.roles.front();
}

// Why words are refused as a mistake, by themselves or in the plan; empty: they are not.
inline std::string Refusal(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  const Status status = settings.ok() ? PlanPhases(*settings).status() : settings.status();
  if (status.ok()) return "";
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  return status.message();
}

// The names of the phases, `(load)` and `(warm-up)` behind them.
inline std::vector<std::string> PlannedNames(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const PlannedPhase& phase : Phases(words)) {
    names.push_back(phase.source.name + (phase.implicit ? " (load)" : "") +
                    (phase.repetition.warm_up ? " (warm-up)" : ""));
  }
  return names;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_FOR_TEST_H_
