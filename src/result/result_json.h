// Results as JSON, for results.jsonl: one line a phase as it ends, one line a run when it is over;
// and the parts of them that a worker tells the driver. Pure; the files as a whole are read by
// analysis/result_files.h.
#ifndef LEVELFIELD_RESULT_RESULT_JSON_H_
#define LEVELFIELD_RESULT_RESULT_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// The version of manifest.json and of each line of results.jsonl. A reader takes its own major
// version and newer minor ones, whose further members it skips.
inline constexpr int kSchemaMajor = 1;
inline constexpr int kSchemaMinor = 6;

// For LaneResult, RoleResult, PhaseResult, RunResult (without its phases, which have lines of their
// own), Variant, Overhead, Audit, PhaseInterval and their parts.
template <class T>
requires requires { T::kFields; }
nlohmann::ordered_json ToJson(const T& part);
template <class T>
StatusOr<T> FromJson(const nlohmann::ordered_json& json);

// A histogram's buckets that are not empty, and what it counts exactly. Reading checks that there
// are values that fill it so.
nlohmann::ordered_json ToJson(const SparseHistogram& histogram);
StatusOr<SparseHistogram> HistogramFromJson(const nlohmann::ordered_json& json);

// Most bytes of a phase are details: histograms, series, what its process used and what the machine
// did. They have a line of their own, packed, in a file beside results.jsonl.
inline constexpr const char* kDetailsFile = "details.jsonl.gz";
// Moves them out of a phase into an object of the same shape. Null: there are none.
nlohmann::ordered_json TakeDetails(nlohmann::ordered_json& phase);
// Puts them back. Members that the phase has stay as they are.
void AddDetails(nlohmann::ordered_json details, nlohmann::ordered_json& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_JSON_H_
