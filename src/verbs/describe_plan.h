// What `levelfield plan` prints: which engines would run with which options, and which workloads.
// Pure.
#ifndef LEVELFIELD_VERBS_DESCRIBE_PLAN_H_
#define LEVELFIELD_VERBS_DESCRIBE_PLAN_H_

#include <string>

#include "driver/driver.h"

namespace levelfield {

std::string DescribePlan(const Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DESCRIBE_PLAN_H_
