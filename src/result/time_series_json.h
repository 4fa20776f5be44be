// Ticks and intervals as JSON: the ticks are a member of their phase's line in results.jsonl, each
// interval is a line of intervals.jsonl. Reading checks everything.
#ifndef LEVELFIELD_RESULT_TIME_SERIES_JSON_H_
#define LEVELFIELD_RESULT_TIME_SERIES_JSON_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "result/time_series.h"

namespace levelfield {

nlohmann::ordered_json ToJson(const Ticks& ticks);
StatusOr<Ticks> TicksFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const SpaceSeries& space);
StatusOr<SpaceSeries> SpaceFromJson(const nlohmann::ordered_json& json);

nlohmann::ordered_json ToJson(const PhaseInterval& interval);
StatusOr<PhaseInterval> IntervalFromJson(const nlohmann::ordered_json& json);

// An interval, and of what it is.
struct StoredInterval {
  uint64_t run = 0;
  uint64_t phase = 0;  // Of the run, from 0.
  std::string engine;
  std::string workload;
  PhaseInterval interval;
};

// Reads intervals.jsonl of a result directory, line by line in its order. There may be none.
// `*torn`: the last line was cut off by a crash, and is left out.
Status ForEachInterval(const std::string& directory, bool* torn,
                       const std::function<void(const StoredInterval&)>& take);

// What intervals.jsonl may come to.
inline constexpr uint64_t kMostIntervalsBytes = uint64_t{1} << 30;

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_TIME_SERIES_JSON_H_
