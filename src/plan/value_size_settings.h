// What the flags about the sizes of values say together. Pure; any thread.
#ifndef LEVELFIELD_PLAN_VALUE_SIZE_SETTINGS_H_
#define LEVELFIELD_PLAN_VALUE_SIZE_SETTINGS_H_

#include "base/status.h"
#include "settings/settings.h"
#include "workload/value_sizes.h"

namespace levelfield {

// Whether they go together; the others may be asked only where they do.
Status CheckValueSizes(const Settings& settings);

// Of every value whose role names no size of its own.
ValueSizes ValueSizesOf(const Settings& settings);

// The seed of all sizes that vary: of the run, so that every engine and every role agree.
uint64_t ValueSizeSeed(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_VALUE_SIZE_SETTINGS_H_
