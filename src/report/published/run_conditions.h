// Under which conditions results were measured, for a page: the machine, what else it did, each
// engine's settings, and how much of what each workload did. Markdown. Pure.
#ifndef LEVELFIELD_REPORT_PUBLISHED_RUN_CONDITIONS_H_
#define LEVELFIELD_REPORT_PUBLISHED_RUN_CONDITIONS_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// A paragraph on the machine and the versions; empty without results.
std::string MachineText(const std::vector<Result>& results);

// Tables of settings and of workloads.
std::string HowItWasRun(const std::vector<Result>& results);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_RUN_CONDITIONS_H_
