// The warm-up of --warmup: the same workload for so many seconds or operations, on other draws of
// the same hot keys, as a phase of its own before the one that is measured. Pure; any thread.
#ifndef LEVELFIELD_PLAN_WARM_UP_H_
#define LEVELFIELD_PLAN_WARM_UP_H_

#include "base/status.h"
#include "settings/settings.h"
#include "workload/workload.h"

namespace levelfield {

// Whether the flag can be read; the next may be asked only where it can.
Status CheckWarmUp(const Settings& settings);

// The settings that the warm-up runs with, where one is asked for.
Settings WarmUpSettings(const Settings& settings);

// Whether a workload reads a store that is the same to it afterwards: what fills a store, erases
// from it, inserts into it or lets its values grow would find another one.
bool CanWarmUp(const Workload& workload);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_WARM_UP_H_
