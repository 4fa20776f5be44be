#include "analysis/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "analysis/diagnosis_rules.h"
#include "analysis/failures.h"
#include "result/load_verdict.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

namespace {

// Whether others took so much of the machine that operations had to wait for it: rates and times
// are then the machine's as much as the engine's. Where the kernel tells of waits for a processor
// that is seen; else half of the processors' time has to be gone.
bool WasTaken(const Conditions& conditions) {
  constexpr double kMuchOthers = 0.5;
  constexpr double kSomeOthers = 0.05;
  constexpr double kMuchCpuWait = 0.25;
  constexpr double kMuchStolen = 0.1;
  const double others = conditions.others_share.value_or(0);
  return conditions.stolen_share.value_or(0) > kMuchStolen || others > kMuchOthers ||
         (others > kSomeOthers && conditions.cpu_wait_share.value_or(0) > kMuchCpuWait);
}

// What the machine did in the rounds that a finding rests on.
struct Machine {
  size_t rounds = 0;
  size_t taken = 0;      // By others.
  std::string by;        // In the first of those rounds.
  size_t late = 0;       // The load generator itself could not keep its times.
  size_t too_short = 0;  // To tell.

  void Add(const PhaseResult& phase) {
    ++rounds;
    if (!phase.roles.empty() && phase.roles.front().load) {
      late += phase.roles.front().load->verdict == kLoadLateGenerator ? 1 : 0;
    }
    if (!phase.conditions) return;
    if (WasTaken(*phase.conditions)) {
      if (taken++ == 0) by = CoarseDisturbancesOf(*phase.conditions).front();
    } else if (IsTooShortToTell(*phase.conditions)) {
      ++too_short;
    }
  }
};

// The middle round has the figures that rules look at; where no round has any, all count.
Machine MachineOf(const Series& series, size_t index, const PhaseResult* middle) {
  Machine machine;
  if (middle != nullptr) {
    machine.Add(*middle);
    return machine;
  }
  for (const RunResult* run : series.rounds) {
    if (index < run->phases.size()) machine.Add(run->phases[index]);
  }
  return machine;
}

// What a machine that was taken does by itself is not held against the engine.
void WeighAgainstTheMachine(const Machine& machine, Finding& finding) {
  const auto in_rounds = [&](size_t count, const std::string& what) {
    if (count == 0) return;
    finding.evidence.push_back(
        machine.rounds == 1 ? what
                            : fmt::format("in {} of {} rounds: {}", count, machine.rounds, what));
  };
  in_rounds(machine.taken, machine.by);
  in_rounds(machine.late, "the load generator itself was late");
  if (machine.taken + machine.late > 0) {
    finding.cause =
        (machine.taken > 0 ? "others had taken the machine, which does the same; or else: "
                           : "the machine was too slow for the load generator too; or else: ") +
        finding.cause;
    finding.confidence = Confidence::kLow;
    finding.advice = "end what else runs, and measure again before anything is changed";
    finding.change.reset();
    return;
  }
  in_rounds(machine.too_short, "it was too short to tell whether others used the machine");
  if (machine.too_short > 0 && finding.confidence == Confidence::kHigh) {
    finding.confidence = Confidence::kMedium;
  }
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
      const DiagnosisCase of{result, series, i, phase,
                             known != options.end() ? known->second : kNone};
      for (const DiagnosisRule& rule : AllDiagnosisRules()) {
        if (rule.needs_figure && middle == nullptr) continue;
        std::optional<Finding> finding = rule.find(of);
        if (!finding) continue;
        if (rule.may_be_the_machine) WeighAgainstTheMachine(MachineOf(series, i, middle), *finding);
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
  for (const DiagnosisRule& rule : AllDiagnosisRules()) names.push_back(rule.name);
  return names;
}

}  // namespace levelfield
