#include "plan/messages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "plan/facts.h"
#include "plan/known.h"
#include "plan/phase_settings.h"
#include "result/result_json.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json Written(const Value& value) {
  if constexpr (requires { Value::kFields; }) {
    return ToJson(value);
  } else {
    return Json(value);
  }
}

template <class Value>
Status Read(const Json& json, Value& value) {
  if constexpr (requires { Value::kFields; }) {
    ASSIGN_OR_RETURN(value, FromJson<Value>(json));
  } else if constexpr (std::is_same_v<Value, uint64_t>) {
    value = CountOf(json);
  } else {
    value = json.get<Value>();
  }
  return Status::Ok();
}

template <class Kind>
Json Rows(const Kind& it, Json json = Json::object()) {
  Kind::kFields.ForEach([&](const auto field) { json[field.name] = Written(it.*field.member); });
  return json;
}

template <class Kind>
Status ReadRows(const Json& json, Kind& it) {
  Status status = Status::Ok();
  Kind::kFields.ForEach([&](const auto field) {
    if (status.ok()) status = Read(json.at(field.name), it.*field.member);
  });
  return status;
}

Json JsonOf(const Message& message) {
  return std::visit(
      []<class Kind>(const Kind& it) {
        return Rows(it, Json{{"event", Kind::kName}});
      },
      message);
}

template <class Kind>
StatusOr<std::optional<Message>> ReadAs(const Json& json) {
  Kind it;
  const Status status = ReadRows(json, it);
  if (status.ok()) return std::optional<Message>(std::move(it));
  return Status::Failed(fmt::format("told of {} in words that cannot be read: {}",
                                    Kind::kFields.what, status.message()));
}

template <size_t kIndex = 0>
StatusOr<std::optional<Message>> ReadByName(const std::string& name, const Json& json) {
  if constexpr (kIndex == std::variant_size_v<Message>) {
    return std::optional<Message>();
  } else {
    using Kind = std::variant_alternative_t<kIndex, Message>;
    return name == Kind::kName ? ReadAs<Kind>(json) : ReadByName<kIndex + 1>(name, json);
  }
}

}  // namespace

StatusOr<std::optional<Message>> ParseMessage(const std::string& line) {
  try {
    const StatusOr<Json> json = ParseBoundedJson(line);
    if (!json.ok() || !json->is_object()) return std::optional<Message>();
    return ReadByName(json->value("event", ""), *json);
  } catch (const Json::exception&) {
    return std::optional<Message>();
  }
}

std::string ToText(const Message& message) { return JsonText(JsonOf(message)); }

namespace {

// What the plan knows of the traces that its phases replay.
Json TracesOf(const std::vector<PlannedPhase>& phases) {
  std::vector<TraceFacts> traces;
  for (const PlannedPhase& phase : phases) {
    for (const Role& role : phase.workload.roles) {
      if (role.operation->replays_trace) traces.push_back(FactsOf(role.trace));
    }
  }
  return ToJson(traces);
}

}  // namespace

std::string ToText(const WorkerSpec& spec) {
  Json flags = Json::array();
  for (const Flag& flag : Flags()) {
    const std::string text = TextOf(flag, spec.settings);
    if (!text.empty()) flags.push_back(fmt::format("--{}={}", flag.name, text));
  }
  for (const auto& [engine, options] : spec.settings.engine_options) {
    for (const auto& [name, value] : options) {
      flags.push_back(fmt::format("--{}.{}={}", engine, name, value));
    }
  }
  Json phases = Json::array();
  for (const PlannedPhase& phase : spec.phases) {
    phases.push_back({{"name", phase.source.name},
                      {"text", phase.source.text},
                      {"durability", phase.durability},
                      {"implicit", phase.implicit},
                      {"repetition", phase.repetition.number},
                      {"repetitions", phase.repetition.of},
                      {"warm_up", phase.repetition.warm_up},
                      {"leads_in", phase.leads_in},
                      {"mention", phase.mention},
                      {"completed_for", phase.completed_for}});
  }
  Json cache;
  if (spec.cache) {
    cache = {{"words", spec.cache->words},
             {"phase", spec.cache->phase},
             {"payload", spec.cache->payload},
             {"threads", spec.cache->threads}};
  }
  return JsonText(Json{{"engine", spec.engine},
                       {"engine_settings", spec.engine_settings},
                       {"flags", std::move(flags)},
                       {"phases", std::move(phases)},
                       {"traces", TracesOf(spec.phases)},
                       {"directory", spec.directory},
                       {"results_directory", spec.results_directory},
                       {"salt", spec.salt},
                       {"ticks_per_second", spec.clock.ticks_per_second},
                       {"why_no_ticks", spec.clock.reason},
                       {"takes_turns", spec.takes_turns},
                       {"fleet", Rows(spec.fleet)},
                       {"audits", spec.audits},
                       {"cache", std::move(cache)},
                       {"origin", Rows(spec.origin)}});
}

StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text) {
  try {
    const Json json = ParseJsonText(text);
    ASSIGN_OR_RETURN(Settings settings,
                     ParseSettings(json.at("flags").get<std::vector<std::string>>()));
    WorkerSpec spec{.engine = json.at("engine"),
                    .engine_settings = json.at("engine_settings"),
                    .settings = std::move(settings),
                    .directory = json.at("directory"),
                    .results_directory = json.at("results_directory"),
                    .salt = json.at("salt"),
                    .clock = {.ticks_per_second = json.at("ticks_per_second"),
                              .reason = json.at("why_no_ticks")},
                    .takes_turns = json.at("takes_turns"),
                    .audits = json.at("audits")};
    if (const Json& cache = json.at("cache"); !cache.is_null()) {
      spec.cache = {.words = cache.at("words"),
                    .phase = cache.at("phase"),
                    .payload = cache.at("payload"),
                    .threads = cache.at("threads")};
    }
    RETURN_IF_ERROR(ReadRows(json.at("origin"), spec.origin));
    RETURN_IF_ERROR(ReadRows(json.at("fleet"), spec.fleet));
    Facts facts;
    ASSIGN_OR_RETURN(facts.traces, TracesFromJson(json));
    std::vector<OpenQuestion> open;
    Known known(facts, open);
    for (const Json& row : json.at("phases")) {
      const bool leads_in = row.at("leads_in");
      ASSIGN_OR_RETURN(PlannedPhase phase,
                       PlanPhase({.name = row.at("name"), .text = row.at("text")},
                                 leads_in ? WarmUpSettings(spec.settings) : spec.settings,
                                 row.at("implicit"), known));
      phase.leads_in = leads_in;
      phase.mention = row.at("mention");
      phase.durability = row.at("durability");
      phase.completed_for = row.at("completed_for");
      phase.repetition = {.number = row.at("repetition"),
                          .of = row.at("repetitions"),
                          .warm_up = row.at("warm_up")};
      spec.phases.push_back(std::move(phase));
    }
    return spec;
  } catch (const Json::exception& error) {
    return Status::Failed(fmt::format("a worker's specification: {}", error.what()));
  }
}

}  // namespace levelfield
