// The rates of a sweep, and of a search for the highest one that keeps an objective, behind a
// closed loop that told the capacity. Which rates, and what they came to; how one is run is the
// caller's, so it can be a simulation.
#ifndef LEVELFIELD_PLAN_LOAD_STEPS_H_
#define LEVELFIELD_PLAN_LOAD_STEPS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plan/load_settings.h"
#include "result/result.h"

namespace levelfield {

// An open loop that is to be run on the store that is there.
struct StepAsked {
  uint64_t number = 0;  // From 1.
  uint64_t rate = 0;
  double seconds = 0;
};

// What came of it; nothing where the phase cannot go on (the engine failed, or was told to stop).
using RunStep = std::function<std::optional<LoadStep>(const StepAsked&)>;

// How long a step is, which --duration says; else 2 s, or so long that the percentile of an
// objective has twenty operations beyond it, but 60 s at the most.
double StepSeconds(const LoadAsked& asked, double duration, uint64_t rate);

// Runs the steps and adds them to `closed`, whose first role tells the capacity. Where a search
// finds no answer because nothing can be said at the rates in question, the phase is invalid.
void RunLoadSteps(const LoadAsked& asked, double duration, const RunStep& run_step,
                  PhaseResult& closed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_LOAD_STEPS_H_
