#include "result/diagnosis.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "result/diagnosis_case.h"
#include "result/failures.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

namespace {

struct Rule {
  std::string_view name;
  bool of_ok;    // Only what has a figure shows it.
  bool of_time;  // A machine that others have taken shows the same.
  FindCause* find;
};

constexpr std::array kRules = std::to_array<Rule>({
    {"other load", false, false, OthersUsedTheMachine},
    {"writes stand still", true, true, WritesStandStill},
    {"read jitter", true, true, ReadsJitter},
    {"memory", true, false, MemoryIsHigh},
    {"space", true, false, SpaceGrows},
    {"background processor time", true, false, ProcessorIsBusyInTheBackground},
    {"no filter", true, false, MissesWithoutFilter},
    {"working set", true, false, WorkingSetIsLargerThanMemory},
    {"small cache", true, false, CacheIsSmall},
    {"sync-bound", true, false, SyncsAreMostOfIt},
    {"background syncs", true, false, BackgroundSyncs},
    {"harness-bound", true, true, HarnessIsMostOfIt},
    {"noise", true, false, RoundsDiffer},
    {"rate not kept", false, true, RateIsNotKept},
    {"debt", true, true, DebtIsCarriedOver},
});

// Whether others took so much of the machine that operations had to wait for it: rates and times
// are then the machine's as much as the engine's. Where the kernel tells of waits for a processor
// that is seen; else half of the processors' time has to be gone.
bool WasTaken(const Conditions& conditions) {
  constexpr double kMuchOthers = 0.5;
  constexpr double kSomeOthers = 0.05;
  constexpr double kMuchCpuWait = 0.25;
  constexpr double kMuchStolen = 0.1;
  if (DisturbancesOf(conditions).empty()) return false;
  const double others = conditions.others_share.value_or(0);
  return conditions.stolen_share.value_or(0) > kMuchStolen || others > kMuchOthers ||
         (others > kSomeOthers && conditions.cpu_wait_share.value_or(0) > kMuchCpuWait);
}

// What a machine that was taken does by itself is not held against the engine.
void BlameTheMachine(const Conditions& conditions, Finding& finding) {
  finding.cause = "others had taken the machine, which does the same; or else: " + finding.cause;
  finding.confidence = Confidence::kLow;
  finding.evidence.push_back(DisturbancesOf(conditions).front());
  finding.advice = "end what else runs, and measure again before anything is changed";
  finding.change.reset();
}

}  // namespace

std::string_view ConfidenceName(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh:
      return "high";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kLow:
      break;
  }
  return "low";
}

EngineOptions EngineOptionsIn(const Json& manifest) {
  // Of anything but an object there is no member.
  const auto list = [](const Json& json, const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_array() ? *it : Json::array();
  };
  const auto text = [](const Json& json, const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  EngineOptions options;
  for (const Json& engine : list(manifest, "engines")) {
    for (const Json& option : list(engine, "options")) {
      options[text(engine, "spec")][text(option, "name")] = text(option, "default");
    }
  }
  return options;
}

std::vector<Finding> Diagnose(const Result& result, const EngineOptions& options) {
  static const std::map<std::string, std::string> kNone;
  std::vector<Finding> failures;
  std::vector<Finding> findings;
  for (const Series& series : SeriesOf(result)) {
    if (series.sum.floor) continue;
    std::ranges::move(FailuresOf(series), std::back_inserter(failures));
    const auto known = options.find(series.sum.engine);
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult* const middle = series.MiddleRound(i);
      const PhaseResult& phase = middle != nullptr ? *middle : series.sum.phases[i];
      if (phase.implicit || phase.roles.empty() || phase.roles.front().lanes.empty()) continue;
      const Case of{result, series, i, phase, known != options.end() ? known->second : kNone};
      for (const Rule& rule : kRules) {
        if (rule.of_ok && middle == nullptr) continue;
        std::optional<Finding> finding = rule.find(of);
        if (!finding) continue;
        if (rule.of_time && phase.conditions && WasTaken(*phase.conditions)) {
          BlameTheMachine(*phase.conditions, *finding);
        }
        finding->rule = rule.name;
        finding->engine = series.sum.engine;
        finding->workload = phase.workload;
        findings.push_back(std::move(*finding));
      }
    }
  }
  std::ranges::move(findings, std::back_inserter(failures));
  return failures;
}

std::vector<std::string_view> DiagnosisRules() {
  std::vector<std::string_view> names = {kFailureRule};
  for (const Rule& rule : kRules) names.push_back(rule.name);
  return names;
}

}  // namespace levelfield
