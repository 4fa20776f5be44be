#include "run/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/quote.h"
#include "engine/engine_spec.h"
#include "run/compat.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLoader = "fillrandom";

std::vector<std::string> Split(const std::string& list) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

StatusOr<PlannedPhase> PlanPhase(WorkloadText source, const Settings& settings) {
  StatusOr<Workload> workload = ParseWorkload(source.name, source.text, VariablesOf(settings));
  if (!workload.ok()) return workload.status();
  if (const Status status = CheckExact(*workload, settings); !status.ok()) return status;
  PlannedPhase phase{.source = std::move(source), .workload = std::move(*workload)};
  phase.durability =
      phase.workload.durability.empty() ? settings.durability : phase.workload.durability;
  return phase;
}

}  // namespace

WorkloadVariables VariablesOf(const Settings& settings) {
  return {.num = settings.num,
          .reads = settings.reads != 0 ? settings.reads : settings.num,
          .threads = settings.threads,
          .value_size = settings.value_size,
          .batch = settings.batch};
}

StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings) {
  const std::vector<std::string> names = Split(settings.benchmarks);
  if (names.empty()) {
    return Status::Usage("--benchmarks=: names no workload; `levelfield workloads` lists them");
  }
  if (const Status status = CheckCompat(settings); !status.ok()) return status;
  std::vector<PlannedPhase> phases;
  bool loaded = IsExact(settings);  // The originals read an empty store as what it is.
  const auto add = [&](const std::string& name, bool implicit) -> Status {
    StatusOr<WorkloadText> source =
        IsExact(settings) ? FindExactWorkload(name, settings) : FindWorkload(name);
    if (!source.ok()) return source.status();
    StatusOr<PlannedPhase> phase = PlanPhase(std::move(*source), settings);
    if (!phase.ok()) return phase.status();
    phase->implicit = implicit;
    loaded = loaded || phase->workload.need == StoreNeed::kEmpty;
    phases.push_back(std::move(*phase));
    return Status::Ok();
  };
  for (const std::string& name : names) {
    if (const Status status = add(name, false); !status.ok()) return status;
    if (loaded || phases.back().workload.need != StoreNeed::kLoaded) continue;
    if (const Status status = add(std::string(kLoader), true); !status.ok()) return status;
    std::swap(phases.back(), phases[phases.size() - 2]);
  }
  return phases;
}

StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found) {
  std::vector<std::string> all;
  std::ranges::copy_if(found, std::back_inserter(all),
                       [](const std::string& name) { return name.find('@') == std::string::npos; });
  std::vector<std::string> engines;
  for (const std::string& text : Split(settings.engine)) {
    if (text == "all") {
      engines.insert(engines.end(), all.begin(), all.end());
      continue;
    }
    const StatusOr<EngineSpec> spec = ParseEngineSpec(text);
    if (!spec.ok()) return Status::Usage("--engine: " + spec.status().message());
    if (std::ranges::find(all, spec->name) == all.end()) {
      const std::string nearest = NearestName(spec->name, all);
      return Status::Usage(fmt::format(
          "--engine: no engine is called {}{} `levelfield engines` lists those that are here.",
          Quote(spec->name), nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest)));
    }
    engines.push_back(text);
  }
  if (engines.empty()) return Status::Usage("--engine=: names no engine");
  for (auto it = engines.begin(); it != engines.end(); ++it) {
    if (std::find(engines.begin(), it, *it) != it) {
      return Status::Usage(fmt::format("--engine: {} is named twice", Quote(*it)));
    }
  }
  return engines;
}

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
                      {"implicit", phase.implicit}});
  }
  return Json{{"engine", spec.engine},       {"engine_settings", spec.engine_settings},
              {"flags", std::move(flags)},   {"phases", std::move(phases)},
              {"directory", spec.directory}, {"salt", spec.salt}}
      .dump();
}

StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    StatusOr<Settings> settings = ParseSettings(json.at("flags").get<std::vector<std::string>>());
    if (!settings.ok()) return settings.status();
    WorkerSpec spec{.engine = json.at("engine"),
                    .engine_settings = json.at("engine_settings"),
                    .settings = std::move(*settings),
                    .directory = json.at("directory"),
                    .salt = json.at("salt")};
    for (const Json& row : json.at("phases")) {
      StatusOr<PlannedPhase> phase =
          PlanPhase({.name = row.at("name"), .text = row.at("text")}, spec.settings);
      if (!phase.ok()) return phase.status();
      phase->durability = row.at("durability");
      phase->implicit = row.at("implicit");
      spec.phases.push_back(std::move(*phase));
    }
    return spec;
  } catch (const Json::exception& error) {
    return Status::Failed(fmt::format("a worker's specification: {}", error.what()));
  }
}

}  // namespace levelfield
