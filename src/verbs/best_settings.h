// --settings=best: a pilot runs the plan's workloads once with each of its engines' alternatives.
// Each engine then goes on with its fastest.
#ifndef LEVELFIELD_VERBS_BEST_SETTINGS_H_
#define LEVELFIELD_VERBS_BEST_SETTINGS_H_

#include "base/status.h"
#include "driver/driver.h"

namespace levelfield {

// Does nothing if the plan asks for other settings. The pilot's own result lies beside the plan's.
Status PickBestSettings(Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_BEST_SETTINGS_H_
