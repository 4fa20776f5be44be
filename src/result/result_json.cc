#include "result/result_json.h"

#include <string>
#include <utility>

#include "result/circumstances_json.h"
#include "result/json_reader.h"
#include "result/outcome_name.h"
#include "result/role_json.h"
#include "result/time_series_json.h"

namespace levelfield {

Json ToJson(const PhaseResult& phase) {
  Json resources = Json::object();
  if (phase.resources) resources["resources"] = ToJson(*phase.resources);
  if (phase.conditions) resources["conditions"] = ToJson(*phase.conditions);
  if (phase.ceilings) resources["ceilings"] = ToJson(*phase.ceilings);
  if (phase.page_cache) resources["page_cache"] = ToJson(*phase.page_cache);
  if (phase.audit) resources["audit"] = ToJson(*phase.audit);
  if (phase.medium) resources["medium"] = ToJson(*phase.medium);
  Json roles = Json::array();
  for (const RoleResult& role : phase.roles) roles.push_back(ToJson(role));
  Json json = {{"workload", phase.workload},
               {"family", phase.family},
               {"durability", phase.durability},
               {"level", phase.level},
               {"outcome", OutcomeName(phase.outcome)},
               {"message", phase.message},
               {"implicit", phase.implicit},
               {"timed", phase.timed},
               {"checked", phase.checked},
               {"check_detail", phase.check_detail},
               {"verified_entries", phase.verified_entries},
               {"run_seconds", phase.run_seconds},
               {"open_seconds", phase.open_seconds},
               {"close_seconds", phase.close_seconds},
               {"reopen_seconds", phase.reopen_seconds},
               {"disk_bytes", phase.disk_bytes},
               {"peak_disk_bytes", phase.peak_disk_bytes},
               {"live_bytes", phase.live_bytes},
               {"clock_drift_ppm", phase.clock_drift_ppm},
               {"text", phase.text},
               {"note", phase.note},
               {"counters", CountsJson(phase.counters)},
               {"sizes", CountsJson(phase.sizes)},
               {"repetition",
                {{"number", phase.repetition.number},
                 {"of", phase.repetition.of},
                 {"warm_up", phase.repetition.warm_up}}},
               {"roles", std::move(roles)}};
  json.update(resources);
  if (!phase.store_level.empty()) json["store_level"] = phase.store_level;
  if (phase.settle) json["settle"] = ToJson(*phase.settle);
  for (const LoadStep& step : phase.load_steps) json["load_steps"].push_back(ToJson(step));
  if (phase.slo) {
    json["slo"] = {{"objective", phase.slo->objective}, {"rate", phase.slo->rate}};
  }
  if (phase.ticks) json["ticks"] = ToJson(*phase.ticks);
  if (phase.space) json["space"] = ToJson(*phase.space);
  return json;
}

StatusOr<PhaseResult> PhaseFromJson(const Json& json) {
  Reader reader(json, "a phase's result");
  PhaseResult phase;
  phase.workload = reader.Get<std::string>("workload");
  phase.family = reader.Get<std::string>("family");
  phase.durability = reader.Get<std::string>("durability");
  phase.level = reader.Get<std::string>("level");
  phase.outcome = reader.GetOutcome();
  phase.message = reader.Get<std::string>("message");
  phase.implicit = reader.Get<bool>("implicit");
  phase.timed = reader.Get<bool>("timed");
  phase.checked = reader.Get<std::string>("checked");
  phase.check_detail = reader.Get<std::string>("check_detail");
  phase.verified_entries = reader.Get<uint64_t>("verified_entries");
  phase.open_seconds = reader.Get<double>("open_seconds");
  phase.close_seconds = reader.Get<double>("close_seconds");
  phase.reopen_seconds = reader.Get<double>("reopen_seconds");
  phase.disk_bytes = reader.Get<uint64_t>("disk_bytes");
  phase.clock_drift_ppm = reader.Get<double>("clock_drift_ppm");
  if (json.contains("peak_disk_bytes")) {
    phase.peak_disk_bytes = reader.Get<uint64_t>("peak_disk_bytes");
  }
  if (json.contains("live_bytes")) phase.live_bytes = reader.Get<uint64_t>("live_bytes");
  if (json.contains("run_seconds")) phase.run_seconds = reader.Get<double>("run_seconds");
  if (json.contains("store_level")) phase.store_level = reader.Get<std::string>("store_level");
  if (json.contains("text")) phase.text = reader.Get<std::string>("text");
  if (json.contains("note")) phase.note = reader.Get<std::string>("note");
  if (json.contains("counters")) phase.counters = reader.Counts("counters");
  if (json.contains("sizes")) phase.sizes = reader.Counts("sizes");
  if (json.contains("resources")) {
    const StatusOr<Resources> resources = ResourcesFromJson(json["resources"]);
    if (!resources.ok()) return resources.status();
    phase.resources = *resources;
  }
  if (json.contains("conditions")) {
    const StatusOr<Conditions> conditions = ConditionsFromJson(json["conditions"]);
    if (!conditions.ok()) return conditions.status();
    phase.conditions = *conditions;
  }
  if (json.contains("ceilings")) {
    const StatusOr<Ceilings> ceilings = CeilingsFromJson(json["ceilings"]);
    if (!ceilings.ok()) return ceilings.status();
    phase.ceilings = *ceilings;
  }
  if (json.contains("page_cache")) {
    const StatusOr<PageCacheShare> share = PageCacheFromJson(json["page_cache"]);
    if (!share.ok()) return share.status();
    phase.page_cache = *share;
  }
  if (json.contains("audit")) {
    StatusOr<Audit> audit = AuditFromJson(json["audit"]);
    if (!audit.ok()) return audit.status();
    phase.audit = std::move(*audit);
  }
  if (json.contains("medium")) {
    StatusOr<Medium> medium = MediumFromJson(json["medium"]);
    if (!medium.ok()) return medium.status();
    phase.medium = std::move(*medium);
  }
  if (json.contains("settle")) {
    StatusOr<Settle> settle = SettleFromJson(json["settle"]);
    if (!settle.ok()) return settle.status();
    phase.settle = std::move(*settle);
  }
  if (json.contains("load_steps")) {
    for (const Json& step_json : reader.Member("load_steps", true)) {
      StatusOr<LoadStep> step = LoadStepFromJson(step_json);
      if (!step.ok()) return step.status();
      phase.load_steps.push_back(std::move(*step));
    }
  }
  if (json.contains("slo")) {
    Reader slo(json["slo"], "what a search came to");
    phase.slo = {.objective = slo.Get<std::string>("objective"), .rate = slo.Get<uint64_t>("rate")};
    if (!slo.status().ok()) return slo.status();
  }
  if (json.contains("ticks")) {
    const StatusOr<Ticks> ticks = TicksFromJson(json["ticks"]);
    if (!ticks.ok()) return ticks.status();
    phase.ticks = *ticks;
  }
  if (json.contains("space")) {
    StatusOr<SpaceSeries> space = SpaceFromJson(json["space"]);
    if (!space.ok()) return space.status();
    phase.space = std::move(*space);
  }
  if (json.contains("repetition")) {
    Reader repetition(json["repetition"], "a repetition");
    phase.repetition = {.number = repetition.Get<uint64_t>("number"),
                        .of = repetition.Get<uint64_t>("of"),
                        .warm_up = repetition.Get<bool>("warm_up")};
    if (!repetition.status().ok()) return repetition.status();
  }
  for (const Json& role_json : reader.Member("roles", true)) {
    StatusOr<RoleResult> role = RoleFromJson(role_json);
    if (role.ok()) {
      phase.roles.push_back(std::move(*role));
    } else {
      reader.Fail(role.status());
    }
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return phase;
}

Json ToJson(const Variant& variant) {
  return {{"number", variant.number},
          {"name", variant.name},
          {"settings", PairsJson(variant.settings)}};
}

Json ToJson(const RunResult& run) {
  Json tail = Json::array();
  for (const std::string& line : run.stderr_tail) tail.push_back(line);
  Json notes = Json::array();
  for (const std::string& note : run.notes) notes.push_back(note);
  Json json = {{"engine", run.engine},
               {"label", run.label},
               {"version", run.version},
               {"warning", run.warning},
               {"library_path", run.library_path},
               {"library_sha256", run.library_sha256},
               {"floor", run.floor},
               {"outcome", OutcomeName(run.outcome)},
               {"message", run.message},
               {"stderr_tail", std::move(tail)},
               {"settings", PairsJson(run.settings)},
               {"notes", std::move(notes)},
               {"clock", run.clock},
               {"round", run.round},
               {"seed", run.seed},
               {"padding_bytes", run.padding_bytes}};
  if (run.memory) {
    json["memory"] = {{"limit_bytes", run.memory->limit_bytes},
                      {"peak_bytes", run.memory->peak_bytes}};
  }
  if (run.variant.number != 0) json["variant"] = ToJson(run.variant);
  if (!run.allocator.empty()) json["allocator"] = run.allocator;
  if (!run.cpus.empty()) json["cpus"] = run.cpus;
  if (!run.configuration.empty()) json["configuration"] = PairsJson(run.configuration);
  if (run.file_system) json["file_system"] = ToJson(*run.file_system);
  return json;
}

StatusOr<Variant> VariantFromJson(const Json& json) {
  if (!json.is_object() || !json.contains("variant")) return Variant{};
  Reader variant(json["variant"], "a run's variant");
  Variant read{.number = variant.Get<uint64_t>("number"),
               .name = variant.Get<std::string>("name"),
               .settings = variant.Pairs("settings")};
  if (!variant.status().ok()) return variant.status();
  return read;
}

StatusOr<RunResult> RunFromJson(const Json& json) {
  Reader reader(json, "a run's result");
  RunResult run;
  const StatusOr<Variant> variant = VariantFromJson(json);
  if (variant.ok()) run.variant = *variant;
  reader.Fail(variant.status());
  run.engine = reader.Get<std::string>("engine");
  run.label = reader.Get<std::string>("label");
  run.version = reader.Get<std::string>("version");
  run.warning = reader.Get<std::string>("warning");
  run.library_path = reader.Get<std::string>("library_path");
  run.library_sha256 = reader.Get<std::string>("library_sha256");
  run.floor = reader.Get<bool>("floor");
  run.outcome = reader.GetOutcome();
  run.message = reader.Get<std::string>("message");
  run.stderr_tail = reader.Texts("stderr_tail");
  run.settings = reader.Pairs("settings");
  run.notes = reader.Texts("notes");
  run.clock = reader.Get<std::string>("clock");
  if (json.is_object() && json.contains("memory")) {
    Reader memory(json["memory"], "a run's memory");
    run.memory = {.limit_bytes = memory.Get<uint64_t>("limit_bytes"),
                  .peak_bytes = memory.Get<uint64_t>("peak_bytes")};
    reader.Fail(memory.status());
  }
  // Since format 1.2.
  if (json.contains("round")) run.round = reader.Get<uint64_t>("round");
  if (json.contains("seed")) run.seed = reader.Get<uint64_t>("seed");
  if (json.contains("padding_bytes")) run.padding_bytes = reader.Get<uint64_t>("padding_bytes");
  // Since format 1.3.
  if (json.contains("allocator")) run.allocator = reader.Get<std::string>("allocator");
  if (json.contains("cpus")) run.cpus = reader.Get<std::string>("cpus");
  if (json.contains("configuration")) run.configuration = reader.Pairs("configuration");
  if (json.contains("file_system")) {
    StatusOr<FileSystem> file_system = FileSystemFromJson(json["file_system"]);
    if (!file_system.ok()) return file_system.status();
    run.file_system = std::move(*file_system);
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return run;
}

}  // namespace levelfield
