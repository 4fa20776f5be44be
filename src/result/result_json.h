// Results as JSON, for results.jsonl: one line a phase as it ends, one line a run when it is over.
// Reading checks everything: a result file is input that somebody else wrote. Pure; the file as a
// whole is read by result_files.h.
#ifndef LEVELFIELD_RESULT_RESULT_JSON_H_
#define LEVELFIELD_RESULT_RESULT_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// Of manifest.json and of each line of results.jsonl. A reader takes its own major version and
// newer minor ones, whose further members it skips.
inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 4;

nlohmann::ordered_json ToJson(const PhaseResult& phase);
StatusOr<PhaseResult> PhaseFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const Variant& variant);
// Out of the line of a run, or of a phase; number 0 where the line has none.
StatusOr<Variant> VariantFromJson(const nlohmann::ordered_json& line);

// All of a run but its phases, which have lines of their own.
nlohmann::ordered_json ToJson(const RunResult& run);
StatusOr<RunResult> RunFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_JSON_H_
