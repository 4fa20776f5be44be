// What `levelfield plan` prints: which engines would run with which options, and which workloads.
// Pure.
#ifndef LEVELFIELD_DESCRIBE_PLAN_H_
#define LEVELFIELD_DESCRIBE_PLAN_H_

#include <string>

#include "run/driver.h"

namespace levelfield {

std::string DescribePlan(const Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_DESCRIBE_PLAN_H_
