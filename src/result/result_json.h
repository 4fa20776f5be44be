// Results as JSON for results.jsonl: one line a phase when it ends, one line a run when it is over.
// Also the parts that a worker sends to the driver. Pure. result/result_files.h reads whole
// files.
#ifndef LEVELFIELD_RESULT_RESULT_JSON_H_
#define LEVELFIELD_RESULT_RESULT_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// The format of manifest.json and of each line of the other files. A reader accepts no other, and
// skips members that it does not know.
inline constexpr uint64_t kResultFormat = 1;

// The name of a result's directory begins with the second in which it began (base/utc.h). Of those
// of one second, `started_ns` of the manifest has the order.
inline constexpr const char* kResultTime = "%Y%m%d-%H%M%S";
inline constexpr size_t kResultTimeChars = 15;

// For OperationStatistics, RoleResult, PhaseResult, RunResult (without its phases, which have lines
// of their own), Variant, Overhead, Audit, PhaseInterval and their parts.
template <class T>
requires requires { T::kFields; }
nlohmann::ordered_json ToJson(const T& part);
template <class T>
StatusOr<T> FromJson(const nlohmann::ordered_json& json);

// A histogram's nonempty buckets, and its exact counts. Reading checks that some set of values
// could have filled it so.
nlohmann::ordered_json ToJson(const SparseHistogram& histogram);
StatusOr<SparseHistogram> HistogramFromJson(const nlohmann::ordered_json& json);

// Most bytes of a phase are details: histograms, series, resources and conditions. They have a line
// of their own, packed, in a file beside results.jsonl.
inline constexpr const char* kDetailsFile = "details.jsonl.gz";
// Why a figure is not known that lies in the details.
inline constexpr const char* kNoDetails = "details.jsonl.gz is missing";
// Moves the details out of a phase into an object of the same shape. Null: there are none.
nlohmann::ordered_json TakeDetails(nlohmann::ordered_json& phase);
// Puts them back. Members that the phase already has stay as they are.
void AddDetails(nlohmann::ordered_json details, nlohmann::ordered_json& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_JSON_H_
