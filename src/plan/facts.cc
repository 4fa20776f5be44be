#include "plan/facts.h"

#include <utility>

#include "result/fields_json.h"

namespace levelfield {

// An error as an object of its kind and message; without one, null.
template <>
struct Codec<Status> {
  static constexpr bool kIsScalar = false;
  static Json Write(const Status& status) {
    if (status.ok()) return {};
    return {{status.kind() == ErrorKind::kUsage ? "mistake" : "failure", status.message()}};
  }
  static void Read(const Json& json, const char* name, Status& status, Reader& reader) {
    status = Status::Ok();
    if (json.is_null()) return;
    const bool is_one = json.is_object() && json.size() == 1 && json.front().is_string();
    if (is_one && json.contains("mistake")) {
      status = Status::Usage(json.front());
    } else if (is_one && json.contains("failure")) {
      status = Status::Failed(json.front());
    } else {
      reader.Fail(fmt::format("has a \"{}\" that is no \"mistake\" and no \"failure\"", name));
    }
  }
};

template <>
struct Codec<EngineDescription> {
  static constexpr bool kIsScalar = false;
  static Json Write(const EngineDescription& description) { return ToJson(description); }
  static void Read(const Json& json, const char*, EngineDescription& description, Reader& reader) {
    StatusOr<EngineDescription> read = FromJson(json);
    reader.Fail(read.status());
    if (read.ok()) description = std::move(*read);
  }
};

template <>
struct Codec<StoreContent> {
  static constexpr bool kIsScalar = false;
  static Json Write(const StoreContent& content) {
    Json json = Json::object();
    AddContent(content, json);
    return json;
  }
  static void Read(const Json& json, const char* name, StoreContent& content, Reader& reader) {
    if (!json.is_object()) return reader.Fail(fmt::format("has no object \"{}\"", name));
    content = ContentIn(nlohmann::json(json));
  }
};

TraceFacts FactsOf(const TracePlan& trace, const Status& found) {
  return {.path = trace.path,
          .most_records = trace.most_records,
          .is_loaded = trace.is_loaded,
          .found = found,
          .operations = {trace.operations.begin(), trace.operations.end()},
          .keys = trace.keys,
          .loaded_keys = trace.loaded_keys,
          .duration_ns = trace.duration_ns,
          .longest_gap_ns = trace.longest_gap_ns,
          .largest_value = trace.largest_value,
          .smallest_value = trace.smallest_value,
          .live_bytes = trace.live_bytes,
          .key_bytes = trace.key_bytes,
          .expiring = trace.expiring,
          .records_of_file = trace.header.records,
          .keys_of_file = trace.header.keys,
          .left_out = trace.header.left_out,
          .is_spread = trace.header.is_spread,
          .has_no_times = trace.header.has_no_times,
          .checksum = trace.header.checksum,
          .source = trace.header.source};
}

void TakeFacts(const TraceFacts& facts, TracePlan& trace) {
  for (size_t i = 0; i < trace.operations.size() && i < facts.operations.size(); ++i) {
    trace.operations[i] = facts.operations[i];
  }
  trace.keys = facts.keys;
  trace.loaded_keys = facts.loaded_keys;
  trace.duration_ns = facts.duration_ns;
  trace.longest_gap_ns = facts.longest_gap_ns;
  trace.largest_value = facts.largest_value;
  trace.smallest_value = facts.smallest_value;
  trace.live_bytes = facts.live_bytes;
  trace.key_bytes = facts.key_bytes;
  trace.expiring = facts.expiring;
  trace.header = {.records = facts.records_of_file,
                  .keys = facts.keys_of_file,
                  .left_out = facts.left_out,
                  .is_spread = facts.is_spread,
                  .has_no_times = facts.has_no_times,
                  .checksum = facts.checksum,
                  .source = facts.source};
}

Json ToJson(const Facts& facts) { return Codec<Facts>::Write(facts); }

StatusOr<Facts> FactsFromJson(const Json& json) {
  Facts facts;
  RETURN_IF_ERROR(Codec<Facts>::Read(json, facts));
  return facts;
}

nlohmann::ordered_json ToJson(const std::vector<TraceFacts>& traces) {
  return Codec<std::vector<TraceFacts>>::Write(traces);
}

StatusOr<std::vector<TraceFacts>> TracesFromJson(const Json& json) {
  std::vector<TraceFacts> traces;
  Reader reader(json, "the traces");
  reader.Read("traces", traces);
  RETURN_IF_ERROR(reader.status());
  return traces;
}

}  // namespace levelfield
