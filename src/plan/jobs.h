// The commands of a plan's jobs: one for each value of what is varied. The engines of a job run on
// one machine, so that they are compared there. Pure.
#ifndef LEVELFIELD_PLAN_JOBS_H_
#define LEVELFIELD_PLAN_JOBS_H_

#include <string>

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

// A line each, for a shell: `program` with the settings that were given, one value of what is
// varied, and the machine's name in the result, by which `levelfield merge` tells them apart.
StatusOr<std::string> JobLines(const std::string& program, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_JOBS_H_
