// What the roles of a phase came to as JSON, and the steps of a search for the load that they bear:
// parts of the lines that result_json.h reads and writes. Pure.
#ifndef LEVELFIELD_RESULT_ROLE_JSON_H_
#define LEVELFIELD_RESULT_ROLE_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

nlohmann::ordered_json ToJson(const RoleResult& role);
StatusOr<RoleResult> RoleFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const LoadStep& step);
StatusOr<LoadStep> LoadStepFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ROLE_JSON_H_
