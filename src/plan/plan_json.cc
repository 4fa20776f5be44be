#include "plan/plan_json.h"

#include <string>

#include "workload/operation.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

Json SettingsIn(const Settings& settings) {
  Json json = Json::object();
  for (const Flag& flag : Flags()) json[std::string(flag.name)] = TextOf(flag, settings);
  for (const auto& [engine, options] : settings.engine_options) {
    for (const auto& [name, value] : options) json[engine + "." + name] = value;
  }
  return json;
}

Json EngineIn(const ProbeReply& engine) {
  Json json = {{"engine", engine.engine}, {"runs", engine.status.ok()}};
  if (!engine.status.ok()) json["why_not"] = engine.status.message();
  if (!engine.is_loaded) return json;
  json["version"] = engine.description.Fact("version");
  json["settings"] = Json::object();
  for (const auto& [name, value] : WithoutHints(engine.options.settings)) {
    json["settings"][name] = value;
  }
  json["not_applied"] = Json::object();
  for (const auto& [name, why] : engine.options.not_applied) json["not_applied"][name] = why;
  json["notes"] = engine.options.notes;
  return json;
}

Json StoreIn(const ExistingStore& store) {
  return {{"engine", store.engine},
          {"path", store.path},
          {"is_ours", store.is_ours},
          {"access", NameOf(store.decision.access)},
          {"kept", store.decision.kept}};
}

Json RoleIn(const Role& role) {
  Json json = {{"name", role.name},
               {"operation", role.operation->name},
               {"threads", role.threads},
               {"keys", role.key_count()}};
  if (role.until_role.empty()) {
    json["operations"] = role.operations;
    json["of_each_thread"] = role.repeat;
  } else {
    json["until"] = role.until_role;
  }
  return json;
}

Json PhaseIn(const PlannedPhase& phase) {
  Json json = {{"workload", phase.workload.name},
               {"durability", phase.durability},
               {"loads_the_store", phase.implicit},
               {"warms_up", phase.repetition.warm_up},
               {"repetition", phase.repetition.number},
               {"repetitions", phase.repetition.of},
               {"completed_for", phase.completed_for},
               {"text", phase.source.text},
               {"roles", Json::array()}};
  for (const Role& role : phase.workload.roles) json["roles"].push_back(RoleIn(role));
  return json;
}

Json VariantIn(const PlannedVariant& variant) {
  Json json = {{"number", variant.variant.number},         {"name", variant.variant.name},
               {"settings", SettingsIn(variant.settings)}, {"engines", Json::array()},
               {"existing_stores", Json::array()},         {"phases", Json::array()}};
  for (const ProbeReply& engine : variant.engines) json["engines"].push_back(EngineIn(engine));
  for (const ExistingStore& store : variant.stores) {
    json["existing_stores"].push_back(StoreIn(store));
  }
  for (const PlannedPhase& phase : variant.phases) json["phases"].push_back(PhaseIn(phase));
  return json;
}

}  // namespace

Json ToJson(const Plan& plan) {
  Json json = {{"command", plan.command}, {"variants", Json::array()}};
  for (const PlannedVariant& variant : plan.variants) {
    json["variants"].push_back(VariantIn(variant));
  }
  return json;
}

}  // namespace levelfield
