// `--compat=exact`: the benchmarks of one of the original programs, as they were, in place of ours
// of the same names. This decides what is planned differently; the worker's part is
// original_streams.h and workload/original_values.h. Pure.
#ifndef LEVELFIELD_PLAN_COMPAT_H_
#define LEVELFIELD_PLAN_COMPAT_H_

#include <string>

#include "base/status.h"
#include "settings/settings.h"
#include "workload/find_workload.h"
#include "workload/workload.h"

namespace levelfield {

inline bool IsExact(const Settings& settings) { return settings.compat == "exact"; }

// Whether the original that --dialect names has streams that can be repeated.
Status CheckCompat(const Settings& settings);

// With --compat=exact, whether a workload can be run in the original's way.
Status CheckExact(const Workload& workload, const Settings& settings);

// The benchmark of the original that --dialect names. A name that the original does not have is
// taken from our own workloads where it draws no keys and writes nothing (compact, open, ...), so
// that there is nothing to be exact about; so is the path of a file.
StatusOr<WorkloadText> FindExactWorkload(const std::string& name, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_COMPAT_H_
