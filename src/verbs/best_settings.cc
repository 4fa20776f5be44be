#include "analysis/best_settings.h"

#include <algorithm>

#include "analysis/series.h"
#include "base/text.h"
#include "base/units.h"
#include "facts/ask_engines.h"
#include "facts/facts_here.h"
#include "plan/engine_requests.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"

namespace levelfield {
namespace {

// A figure of so many reads tells alternatives apart that are worth it.
constexpr uint64_t kMostReads = 200'000;
constexpr double kMostSeconds = 1;
constexpr double kLeastGain = 0.02;

// The same load on stores of the same size, once, and fewer reads.
Settings PilotSettings(Settings settings) {
  settings.repeat = 1;
  settings.precision = 0;
  settings.quick = settings.publish = false;
  settings.keep = settings.single_db = false;
  settings.audit = 0;
  settings.report_file.clear();
  settings.record.clear();
  settings.reads = std::min(settings.reads != 0 ? settings.reads : settings.num, kMostReads);
  settings.duration = std::min(settings.duration, kMostSeconds);
  settings.name = settings.name.substr(0, 58) + "-pilot";
  return settings;
}

bool HoldsForAll(const AlternativeDescription& row, const std::vector<PlannedPhase>& phases) {
  return std::ranges::all_of(
      phases, [&](const PlannedPhase& phase) { return row.HoldsFor(phase.durability); });
}

// The settings that an engine was given, without those that say what it does anyway, and without
// the list of those that nobody has typed.
SettingList WhatItChanges(const ProbeReply& engine) {
  SettingList settings = engine.options.settings;
  std::erase_if(settings, [&](const auto& setting) {
    if (setting.first == kDefaultsHint) return true;
    const OptionDescription* const option = engine.description.FindOption(setting.first);
    if (option == nullptr) return false;
    const StatusOr<uint64_t> bytes = ParseBytes(option->default_value);
    return option->default_value == setting.second ||
           (option->kind == LF_BYTES && bytes.ok() && Digits(setting.second) == *bytes);
  });
  return settings;
}

struct PilotRun {
  TriedSetting tried;
  ProbeReply engine;  // Set so.
};

// Each engine that has alternatives, as `equal` and with every alternative that keeps the classes
// of the run and changes anything in it.
std::vector<PilotRun> PilotRunsOf(const PlannedVariant& plan) {
  std::vector<ProbeRequest> requests;
  std::vector<PilotRun> runs;
  for (const ProbeReply& engine : plan.engines) {
    const auto is_its = [&](const PilotRun& one) { return one.tried.engine == engine.engine; };
    std::vector<AlternativeDescription> rows = engine.description.alternatives;
    if (!engine.status.ok() || rows.empty() || std::ranges::any_of(runs, is_its)) continue;
    std::erase_if(rows, [&](const AlternativeDescription& row) {
      return !row.IsToTry() || !HoldsForAll(row, plan.phases);
    });
    rows.insert(rows.begin(), {.name = std::string(kEqual)});
    for (const AlternativeDescription& row : rows) {
      requests.push_back(RequestOf(engine.engine, plan.settings));
      std::vector<std::string>& names = requests.back().alternatives;
      if (row.name != kEqual) names.insert(names.begin(), row.name);
      runs.push_back({{.engine = engine.engine,
                       .name = row.name,
                       .settings = row.settings,
                       .because = row.because,
                       .link = row.link,
                       .rates = {}},
                      engine});
    }
  }
  const std::vector<ProbeReply> replies = ProbeEngines(requests);
  for (size_t i = 0; i < replies.size(); ++i) {
    const bool is_as_equal = WhatItChanges(replies[i]) == WhatItChanges(runs[i].engine);
    runs[i].engine = replies[i];
    if (is_as_equal && runs[i].tried.name != kEqual) runs[i].tried.name.clear();  // No other way.
  }
  std::erase_if(
      runs, [](const PilotRun& one) { return one.tried.name.empty() || !one.engine.status.ok(); });
  return runs;
}

void TakeRates(const Result& pilot, std::vector<PilotRun>& runs) {
  for (const RunResult& run : pilot.runs) {
    if (run.variant.number == 0 || run.outcome != Outcome::kOk) continue;
    TriedSetting& tried = runs[run.variant.number - 1].tried;
    for (const PhaseResult& phase : run.phases) {
      const std::optional<double> rate = RateOf(phase);
      if (rate && !phase.implicit && !phase.repetition.warm_up && !phase.IsText()) {
        tried.rates.emplace_back(phase.workload, *rate);
      }
    }
  }
}

}  // namespace

Status PickBestSettings(Plan& plan) {
  if (plan.first().settings.settings != "best") return Status::Ok();
  if (plan.variants.size() > 1) {
    return Status::Usage(
        "--settings=best picks the settings of one plan, and here are several; give --settings "
        "another value");
  }
  std::vector<PilotRun> runs = PilotRunsOf(plan.first());
  if (runs.empty()) return Status::Ok();

  Plan pilot{.command = plan.command + " (pilot)", .variants = {}};
  const Settings settings = PilotSettings(plan.first().settings);
  FactsHere facts;
  ASSIGN_OR_RETURN(const std::vector<PlannedPhase> phases,
                   facts.For([&](Known& known) { return PlanPhases(settings, known); }));
  for (const PilotRun& one : runs) {
    pilot.variants.push_back(
        {.variant = {.number = pilot.variants.size() + 1, .name = one.tried.name, .settings = {}},
         .settings = settings,
         .phases = phases,
         .engines = {one.engine}});
  }
  for (PlannedVariant& variant : pilot.variants) variant.settings.slices = "off";
  const DriverReport report = RunPlan(pilot);
  RETURN_IF_ERROR(report.status);
  if (report.interrupted) return Status::Interrupted("interrupted in the pilot");
  ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(report.directory));
  TakeRates(result, runs);
  for (PilotRun& one : runs) plan.tried.push_back(std::move(one.tried));
  ChooseBest(plan.tried, kLeastGain);
  for (ProbeReply& engine : plan.first().engines) {
    for (size_t i = 0; i < runs.size(); ++i) {
      const TriedSetting& tried = plan.tried[i];
      if (tried.chosen && tried.engine == engine.engine) engine = runs[i].engine;
    }
  }
  return Status::Ok();
}

}  // namespace levelfield
