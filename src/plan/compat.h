// `--compat=exact`: runs the benchmarks of one of the original programs unchanged, in place of ours
// with the same names. This file decides what is planned differently. The worker's part is
// loop/original_streams.h and workload/original_values.h. Pure.
#ifndef LEVELFIELD_PLAN_COMPAT_H_
#define LEVELFIELD_PLAN_COMPAT_H_

#include <string>

#include "base/status.h"
#include "settings/settings.h"
#include "workload/find_workload.h"
#include "workload/workload.h"

namespace levelfield {

inline bool IsExact(const Settings& settings) { return settings.compat == "exact"; }

// Whether the original that --dialect names has streams that can be reproduced.
Status CheckCompat(const Settings& settings);

// With --compat=exact, whether a workload can be run in the original's way.
Status CheckExact(const Workload& workload, const Settings& settings);

// The original's benchmark, for the original that --dialect names. If the original does not have
// the name, it may be one of our own workloads that draws no keys and writes nothing (compact,
// open, ...), which has nothing to reproduce.
StatusOr<WorkloadText> FindExactWorkload(const std::string& name, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_COMPAT_H_
