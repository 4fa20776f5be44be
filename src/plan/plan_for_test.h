// For tests only: what words on the command line come to.
#ifndef LEVELFIELD_PLAN_PLAN_FOR_TEST_H_
#define LEVELFIELD_PLAN_PLAN_FOR_TEST_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status_for_test.h"
#include "plan/facts.h"
#include "plan/known.h"
#include "plan/plan.h"

namespace levelfield {

// Of built-in workloads alone.
inline StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings) {
  return PlanPhases(settings, Facts());
}
inline StatusOr<PlannedPhase> PlanPhase(WorkloadText source, const Settings& settings,
                                        bool implicit) {
  const Facts facts;
  std::vector<OpenQuestion> open;
  Known known(facts, open);
  return PlanPhase(std::move(source), settings, implicit, known);
}

inline Settings With(const std::vector<std::string>& words) { return Must(ParseSettings(words)); }

inline std::vector<PlannedPhase> Phases(const std::vector<std::string>& words,
                                        const Facts& facts = {}) {
  return Must(PlanPhases(With(words), facts));
}

// The first role of the last phase.
inline Role LastRole(const std::vector<std::string>& words) {
  const std::vector<PlannedPhase> phases = Phases(words);
  return phases.empty() ? Role() : phases.back().workload.roles.front();
}

// Why words are refused as a mistake, by themselves or in the plan; empty: they are not.
inline std::string Refusal(const std::vector<std::string>& words, const Facts& facts = {}) {
  const StatusOr<Settings> settings = ParseSettings(words);
  const Status status = settings.ok() ? PlanPhases(*settings, facts).status() : settings.status();
  if (status.ok()) return "";
  EXPECT_EQ(status.kind(), ErrorKind::kUsage);
  return status.message();
}

// The names of the phases, `(load)` and `(warm-up)` behind them.
inline std::vector<std::string> PlannedNames(const std::vector<std::string>& words,
                                             const Facts& facts = {}) {
  std::vector<std::string> names;
  for (const PlannedPhase& phase : Phases(words, facts)) {
    names.push_back(phase.source.name + (phase.implicit ? " (load)" : "") +
                    (phase.repetition.warm_up ? " (warm-up)" : ""));
  }
  return names;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_FOR_TEST_H_
