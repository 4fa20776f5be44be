#include "result/role_json.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "result/histogram_json.h"
#include "result/json_reader.h"

namespace levelfield {
namespace {

// Takes a histogram out of an object; an empty one where it cannot be read, and `reader` tells.
SparseHistogram TakeHistogram(const Json& json, const char* name, Reader& reader) {
  const auto it = json.find(name);
  StatusOr<SparseHistogram> histogram = HistogramFromJson(it != json.end() ? *it : Json());
  if (histogram.ok()) return std::move(*histogram);
  reader.Fail(histogram.status());
  return {};
}

Json ToJson(const LoadResult& load) {
  return {{"arrival", load.arrival},
          {"verdict", load.verdict},
          {"interval_seconds", load.interval_seconds},
          {"backlog_ns", load.backlog_ns},
          {"lateness_ns", ToJson(load.lateness_ns)}};
}

StatusOr<LoadResult> LoadFromJson(const Json& json) {
  Reader reader(json, "an open loop's load");
  LoadResult load;
  load.arrival = reader.Get<std::string>("arrival");
  load.verdict = reader.Get<std::string>("verdict");
  load.interval_seconds = reader.Get<double>("interval_seconds");
  load.backlog_ns = reader.Numbers("backlog_ns");
  if (reader.status().ok()) load.lateness_ns = TakeHistogram(json, "lateness_ns", reader);
  if (const Status status = reader.status(); !status.ok()) return status;
  return load;
}

Json ToJson(const LaneResult& lane) {
  Json json = {{"operation", lane.operation}, {"operations", lane.operations},
               {"hits", lane.hits},           {"misses", lane.misses},
               {"bytes", lane.bytes},         {"digest", fmt::format("{:016x}", lane.digest)},
               {"wrong", lane.wrong}};
  if (lane.entry_bytes != 0) json["entry_bytes"] = lane.entry_bytes;
  if (lane.latency_ns) json["latency_ns"] = ToJson(*lane.latency_ns);
  if (lane.response_ns) json["response_ns"] = ToJson(*lane.response_ns);
  return json;
}

StatusOr<LaneResult> LaneFromJson(const Json& json) {
  Reader reader(json, "an operation's result");
  LaneResult lane;
  lane.operation = reader.Get<std::string>("operation");
  lane.operations = reader.Get<uint64_t>("operations");
  lane.hits = reader.Get<uint64_t>("hits");
  lane.misses = reader.Get<uint64_t>("misses");
  lane.bytes = reader.Get<uint64_t>("bytes");
  lane.wrong = reader.Get<uint64_t>("wrong");
  const auto digest = reader.Get<std::string>("digest");
  if (digest.size() != 16 || digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
    reader.Fail("has a digest that is no 16 hexadecimal digits");
  } else {
    lane.digest = std::stoull(digest, nullptr, 16);
  }
  if (json.is_object() && json.contains("entry_bytes")) {
    lane.entry_bytes = reader.Get<uint64_t>("entry_bytes");
  }
  if (json.is_object() && json.contains("latency_ns")) {
    lane.latency_ns = TakeHistogram(json, "latency_ns", reader);
  }
  if (json.is_object() && json.contains("response_ns")) {
    lane.response_ns = TakeHistogram(json, "response_ns", reader);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return lane;
}

}  // namespace

Json ToJson(const LoadStep& step) {
  return {{"rate", step.rate},
          {"achieved", step.achieved},
          {"seconds", step.seconds},
          {"verdict", step.verdict},
          {"message", step.message},
          {"service_ns", ToJson(step.service_ns)},
          {"response_ns", ToJson(step.response_ns)},
          {"lateness_ns", ToJson(step.lateness_ns)}};
}

StatusOr<LoadStep> LoadStepFromJson(const Json& json) {
  Reader reader(json, "a step of the load");
  LoadStep step;
  step.rate = reader.Get<uint64_t>("rate");
  step.achieved = reader.Get<double>("achieved");
  step.seconds = reader.Get<double>("seconds");
  step.verdict = reader.Get<std::string>("verdict");
  step.message = reader.Get<std::string>("message");
  if (reader.status().ok()) {
    step.service_ns = TakeHistogram(json, "service_ns", reader);
    step.response_ns = TakeHistogram(json, "response_ns", reader);
    step.lateness_ns = TakeHistogram(json, "lateness_ns", reader);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return step;
}

Json ToJson(const RoleResult& role) {
  Json lanes = Json::array();
  for (const LaneResult& lane : role.lanes) lanes.push_back(ToJson(lane));
  Json json = {{"name", role.name},       {"threads", role.threads},
               {"batch", role.batch},     {"rate", role.rate},
               {"seconds", role.seconds}, {"thread_seconds", role.thread_seconds}};
  if (!role.thread_operations.empty()) {
    json["thread_operations"] = role.thread_operations;
    json["thread_calls"] = role.thread_calls;
  }
  if (role.operations_per_second) json["operations_per_second"] = *role.operations_per_second;
  if (role.load) json["load"] = ToJson(*role.load);
  json["lanes"] = std::move(lanes);
  return json;
}

StatusOr<RoleResult> RoleFromJson(const Json& json) {
  Reader reader(json, "a role's result");
  RoleResult role;
  role.name = reader.Get<std::string>("name");
  role.threads = reader.Get<uint64_t>("threads");
  role.batch = reader.Get<uint64_t>("batch");
  if (json.contains("rate")) role.rate = reader.Get<uint64_t>("rate");
  role.seconds = reader.Get<double>("seconds");
  role.thread_seconds =
      json.contains("thread_seconds") ? reader.Get<double>("thread_seconds") : role.seconds;
  if (json.contains("thread_operations")) {
    role.thread_operations = reader.Numbers("thread_operations");
    role.thread_calls = reader.Numbers("thread_calls");
  }
  if (json.contains("operations_per_second")) {
    role.operations_per_second = reader.Get<double>("operations_per_second");
  }
  if (json.contains("load")) {
    StatusOr<LoadResult> load = LoadFromJson(json["load"]);
    if (!load.ok()) return load.status();
    role.load = std::move(*load);
  }
  for (const Json& lane_json : reader.Member("lanes", true)) {
    StatusOr<LaneResult> lane = LaneFromJson(lane_json);
    if (lane.ok()) {
      role.lanes.push_back(std::move(*lane));
    } else {
      reader.Fail(lane.status());
    }
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return role;
}

}  // namespace levelfield
