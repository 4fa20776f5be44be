#include "result/time_series_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json_text.h"
#include "base/sealed_json.h"
#include "result/histogram_json.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

Status Broken(const std::string& what) { return Status::Failed("a time series " + what); }

bool IsCount(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_number_unsigned();
}
bool IsText(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_string();
}
bool IsList(const Json& json, const char* name) {
  return json.is_object() && json.contains(name) && json[name].is_array();
}

bool ReadCounts(const Json& json, std::vector<uint64_t>& counts) {
  if (!json.is_array()) return false;
  for (const Json& count : json) {
    if (!count.is_number_unsigned()) return false;
    counts.push_back(count.get<uint64_t>());
  }
  return true;
}

// Runs of ticks: ascending, apart, and none beyond the last tick.
bool ReadRuns(const Json& json, size_t ticks, std::vector<std::pair<uint64_t, uint64_t>>& runs) {
  if (!json.is_array()) return false;
  for (const Json& run : json) {
    std::vector<uint64_t> ends;
    if (!ReadCounts(run, ends) || ends.size() != 2) return false;
    if (ends[0] > ends[1] || ends[1] >= ticks) return false;
    if (!runs.empty() && ends[0] <= runs.back().second) return false;
    runs.emplace_back(ends[0], ends[1]);
  }
  return true;
}

}  // namespace

Json ToJson(const Ticks& ticks) {
  Json json = {{"end_ms", ticks.end_ms}, {"operations", ticks.operations}};
  if (!ticks.dirtied_bytes.empty()) json["dirtied_bytes"] = ticks.dirtied_bytes;
  if (!ticks.tells_activities) return json;
  json["activities"] = Json::object();
  for (const Activity& activity : ticks.activities) {
    json["activities"][activity.name] = activity.ticks;
  }
  return json;
}

StatusOr<Ticks> TicksFromJson(const Json& json) {
  Ticks ticks;
  if (!IsList(json, "end_ms") || !ReadCounts(json["end_ms"], ticks.end_ms)) {
    return Broken("has no list of counts \"end_ms\"");
  }
  if (!std::ranges::is_sorted(ticks.end_ms)) return Broken("goes back in time");
  if (!IsList(json, "operations")) return Broken("has no list \"operations\"");
  for (const Json& of_role : json["operations"]) {
    if (!ReadCounts(of_role, ticks.operations.emplace_back()) ||
        ticks.operations.back().size() != ticks.end_ms.size()) {
      return Broken("has operations that are not one count for each tick");
    }
  }
  if (json.contains("dirtied_bytes")) {
    if (!ReadCounts(json["dirtied_bytes"], ticks.dirtied_bytes) ||
        ticks.dirtied_bytes.size() != ticks.end_ms.size()) {
      return Broken("has dirtied bytes that are not one count for each tick");
    }
  }
  if (!json.contains("activities")) return ticks;
  ticks.tells_activities = true;
  if (!json["activities"].is_object()) return Broken("has activities that are no object");
  for (const auto& [name, runs] : json["activities"].items()) {
    Activity activity{.name = name, .ticks = {}};
    if (!ReadRuns(runs, ticks.end_ms.size(), activity.ticks)) {
      return Broken("has activities at ticks that it has not");
    }
    ticks.activities.push_back(std::move(activity));
  }
  return ticks;
}

Json ToJson(const SpaceSeries& space) {
  return {{"at_ms", space.at_ms}, {"allocated_bytes", space.allocated_bytes}};
}

StatusOr<SpaceSeries> SpaceFromJson(const Json& json) {
  SpaceSeries space;
  if (!IsList(json, "at_ms") || !ReadCounts(json["at_ms"], space.at_ms)) {
    return Broken("has no list of counts \"at_ms\"");
  }
  if (!std::ranges::is_sorted(space.at_ms)) return Broken("goes back in time");
  if (!IsList(json, "allocated_bytes") ||
      !ReadCounts(json["allocated_bytes"], space.allocated_bytes) ||
      space.allocated_bytes.size() != space.at_ms.size()) {
    return Broken("has allocated bytes that are not one count for each moment");
  }
  return space;
}

Json ToJson(const PhaseInterval& interval) {
  Json roles = Json::array();
  for (const RoleInterval& role : interval.roles) {
    Json lanes = Json::array();
    for (const LaneInterval& lane : role.lanes) {
      Json& json = lanes.emplace_back();
      json = {{"operation", lane.operation}, {"latency_ns", ToJson(lane.latency_ns)}};
      if (lane.response_ns) json["response_ns"] = ToJson(*lane.response_ns);
    }
    roles.push_back(
        {{"name", role.name}, {"operations", role.operations}, {"lanes", std::move(lanes)}});
  }
  return {
      {"begin_ms", interval.begin_ms}, {"end_ms", interval.end_ms}, {"roles", std::move(roles)}};
}

StatusOr<PhaseInterval> IntervalFromJson(const Json& json) {
  if (!IsCount(json, "begin_ms") || !IsCount(json, "end_ms") || !IsList(json, "roles")) {
    return Broken("has an interval without \"begin_ms\", \"end_ms\" or \"roles\"");
  }
  PhaseInterval interval{.begin_ms = json["begin_ms"].get<uint64_t>(),
                         .end_ms = json["end_ms"].get<uint64_t>(),
                         .roles = {}};
  if (interval.begin_ms > interval.end_ms)
    return Broken("has an interval that ends before it begins");
  for (const Json& role_json : json["roles"]) {
    if (!IsText(role_json, "name") || !IsCount(role_json, "operations") ||
        !IsList(role_json, "lanes")) {
      return Broken("has a role without \"name\", \"operations\" or \"lanes\"");
    }
    RoleInterval& role = interval.roles.emplace_back();
    role.name = role_json["name"].get<std::string>();
    role.operations = role_json["operations"].get<uint64_t>();
    for (const Json& lane_json : role_json["lanes"]) {
      if (!IsText(lane_json, "operation") || !lane_json.contains("latency_ns")) {
        return Broken("has a lane without \"operation\" or \"latency_ns\"");
      }
      StatusOr<SparseHistogram> latency_ns = HistogramFromJson(lane_json["latency_ns"]);
      if (!latency_ns.ok()) return latency_ns.status();
      LaneInterval& lane = role.lanes.emplace_back();
      lane.operation = lane_json["operation"].get<std::string>();
      lane.latency_ns = std::move(*latency_ns);
      if (!lane_json.contains("response_ns")) continue;
      StatusOr<SparseHistogram> response_ns = HistogramFromJson(lane_json["response_ns"]);
      if (!response_ns.ok()) return response_ns.status();
      lane.response_ns = std::move(*response_ns);
    }
  }
  return interval;
}

Status ForEachInterval(const std::string& directory, bool* torn,
                       const std::function<void(const StoredInterval&)>& take) {
  const std::string path = directory + "/intervals.jsonl";
  std::error_code error;
  *torn = false;
  if (!std::filesystem::exists(path, error)) return Status::Ok();
  return ForEachSealedLine(
      path, torn, kMaxFileBytes, [&](const std::string& line, uint64_t number) {
        const auto broken = [&](const std::string& why) {
          return Status::Failed(fmt::format("{}, line {}: {}", path, number, why));
        };
        const StatusOr<Json> parsed = ParseBoundedJson(line);
        if (!parsed.ok()) return broken(parsed.status().message());
        const Json& json = *parsed;
        if (!IsCount(json, "schema") || !IsText(json, "type")) {
          return broken("is no line of this format");
        }
        if (json["schema"].get<uint64_t>() != kSchemaMajor) {
          return broken("is of another version of the result format than this program reads");
        }
        if (json["type"].get<std::string>() != "interval")
          return Status::Ok();  // Of a newer version.
        if (!IsCount(json, "run") || !IsCount(json, "phase") || !IsText(json, "engine") ||
            !IsText(json, "workload")) {
          return broken("does not say of what it is");
        }
        StatusOr<PhaseInterval> interval = IntervalFromJson(json);
        if (!interval.ok()) return broken(interval.status().message());
        take({.run = json["run"].get<uint64_t>(),
              .phase = json["phase"].get<uint64_t>(),
              .engine = json["engine"].get<std::string>(),
              .workload = json["workload"].get<std::string>(),
              .interval = std::move(*interval)});
        return Status::Ok();
      });
}

}  // namespace levelfield
