// Results as JSON, for results.jsonl: one line a phase as it ends, one line a run when it is over.
// Reading checks everything: a result file is input that somebody else wrote.
#ifndef LEVELFIELD_RESULT_RESULT_JSON_H_
#define LEVELFIELD_RESULT_RESULT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// Of manifest.json and of each line of results.jsonl. A reader takes its own major version and
// newer minor ones, whose further members it skips.
inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 3;

std::string_view OutcomeName(Outcome outcome);
std::optional<Outcome> OutcomeOf(std::string_view name);

nlohmann::ordered_json ToJson(const Histogram& histogram);
StatusOr<Histogram> HistogramFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const PhaseResult& phase);
StatusOr<PhaseResult> PhaseFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const Variant& variant);

// All of a run but its phases, which have lines of their own.
nlohmann::ordered_json ToJson(const RunResult& run);
StatusOr<RunResult> RunFromJson(const nlohmann::ordered_json& json);

// Reads manifest.json and results.jsonl of a result directory. A run that has phases but no line of
// its own was cut off by a crash; it comes back as failed.
StatusOr<Result> ReadResultDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_JSON_H_
