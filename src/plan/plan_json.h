// A plan for programs (`levelfield plan --format=json`). docs/reference/plan_format.md describes
// it. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_PLAN_JSON_H_
#define LEVELFIELD_PLAN_PLAN_JSON_H_

#include <nlohmann/json.hpp>

#include "plan/make_plan.h"

namespace levelfield {

nlohmann::ordered_json ToJson(const Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_JSON_H_
