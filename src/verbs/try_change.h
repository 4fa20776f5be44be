// `levelfield diagnose --try`: does what a finding advises, as a paired experiment, and says
// whether it helped.
#ifndef LEVELFIELD_VERBS_TRY_CHANGE_H_
#define LEVELFIELD_VERBS_TRY_CHANGE_H_

#include <vector>

#include "analysis/diagnosis.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

// Each change that `findings` of `result` propose runs against the settings as they were, on the
// engine concerned, the same workloads in the same order; `asked` has --repeat, --margin, --db and
// --results, where they were given. Only results of `levelfield run` can be run again.
Answer TryChanges(const Result& result, const std::vector<Finding>& findings,
                  const Settings& asked);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_TRY_CHANGE_H_
