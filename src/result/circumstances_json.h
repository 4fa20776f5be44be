// What surrounds a phase as JSON: what it took, met and left behind, and what the harness costs.
// Parts of the lines that result_json.h reads and writes.
#ifndef LEVELFIELD_RESULT_CIRCUMSTANCES_JSON_H_
#define LEVELFIELD_RESULT_CIRCUMSTANCES_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

nlohmann::ordered_json ToJson(const Resources& used);
StatusOr<Resources> ResourcesFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const Conditions& conditions);
StatusOr<Conditions> ConditionsFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const Ceilings& ceilings);
StatusOr<Ceilings> CeilingsFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const PageCacheShare& share);
StatusOr<PageCacheShare> PageCacheFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const Audit& audit);
StatusOr<Audit> AuditFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const FileSystem& file_system);
StatusOr<FileSystem> FileSystemFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const Medium& medium);
StatusOr<Medium> MediumFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const Price& price);
StatusOr<Price> PriceFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const Settle& settle);
StatusOr<Settle> SettleFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CIRCUMSTANCES_JSON_H_
