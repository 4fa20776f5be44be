// --settings=best: a pilot runs the plan's workloads once with each of its engines' alternatives,
// and each engine goes on with the fastest.
#ifndef LEVELFIELD_VERBS_BEST_SETTINGS_H_
#define LEVELFIELD_VERBS_BEST_SETTINGS_H_

#include "base/status.h"
#include "driver/driver.h"

namespace levelfield {

// Nothing where the plan asks for other settings. The pilot's own result lies beside the plan's.
Status PickBestSettings(Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_BEST_SETTINGS_H_
