// Runs a plan, reads its result and makes the answer.
#ifndef LEVELFIELD_VERBS_CARRY_OUT_H_
#define LEVELFIELD_VERBS_CARRY_OUT_H_

#include <functional>
#include <string>

#include "driver/driver.h"
#include "result/result.h"
#include "verbs/verbs.h"

namespace levelfield {

// Runs the plan and reads its result. `render` makes the final output from the result and its
// directory.
Answer CarryOut(
    const Plan& plan, RunListener* listener,
    const std::function<std::string(const Result& result, const std::string& directory)>& render);

// --settings=best: a pilot runs the plan's workloads once with each alternative of its engines, and
// the plan gets the fastest one of each. The pilot's result lies beside the plan's. Does nothing
// with other settings.
Status PickBestSettings(Plan& plan);

// 1 if an engine failed or was wrong, or if none could do what was asked. 3 if a measurement is
// void. Otherwise 0.
int ExitCodeOf(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_CARRY_OUT_H_
