// A histogram as JSON: its buckets that are not empty, and what it counts exactly. Reading checks
// that there are values that fill it so. Pure.
#ifndef LEVELFIELD_RESULT_HISTOGRAM_JSON_H_
#define LEVELFIELD_RESULT_HISTOGRAM_JSON_H_

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "stats/sparse_histogram.h"

namespace levelfield {

nlohmann::ordered_json ToJson(const SparseHistogram& histogram);
StatusOr<SparseHistogram> HistogramFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_HISTOGRAM_JSON_H_
