// What is wrong with a workload's figures: symptoms in its own numbers, their causes, how certain
// these are, and which setting to change. Pure: the same result gives the same findings.
//
// Each rule is a row of one table (diagnosis_rules.cc). It has a fixture that triggers it and one
// that does not. A rule looks at the round whose rate is nearest to the median. Failures come
// first. If other processes had taken the machine, symptoms that this explains are not held against
// the engine.
#ifndef LEVELFIELD_ANALYSIS_DIAGNOSIS_H_
#define LEVELFIELD_ANALYSIS_DIAGNOSIS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/series.h"
#include "base/enum_names.h"
#include "result/result.h"

namespace levelfield {

enum class Confidence {
  kHigh,    // The engine or the kernel says so itself.
  kMedium,  // These numbers usually mean it.
  kLow      // It is one of several explanations.
};
inline constexpr EnumName<Confidence> kConfidenceNames[] = {
    {Confidence::kHigh, "high"}, {Confidence::kMedium, "medium"}, {Confidence::kLow, "low"}};
constexpr std::span<const EnumName<Confidence>> NamesOf(Confidence) { return kConfidenceNames; }

// A setting with its value as typed: the present one and the one to try.
struct Change {
  std::string setting;
  std::string before;
  std::string after;

  bool operator==(const Change&) const = default;
};

// The figure that a finding complains of, and that a change should better.
enum class FindingFigure { kRate, kMemory, kCpu };

struct Finding {
  std::string rule = {};  // "level-0 backlog".
  std::string engine = {};
  std::string workload = {};
  std::string symptom = {};
  std::string cause = {};
  Confidence confidence = Confidence::kMedium;
  FindingFigure figure = FindingFigure::kRate;
  std::vector<std::string> evidence = {};  // With the numbers.
  std::string advice = {};
  std::optional<Change> change = {};  // The setting to change, if a setting is the cure.
};

// By the engine's spec: the options that its plug-in lists, with their default values as text.
using EngineOptions = std::map<std::string, std::map<std::string, std::string>>;

// The options in a manifest. Somebody else may have written it: malformed parts are left out.
EngineOptions EngineOptionsIn(const nlohmann::ordered_json& manifest);

// Failures first. Then in the order of engines, workloads, and rules.
std::vector<Finding> Diagnose(const Result& result, const EngineOptions& options);

// The names of all rules, for listing.
std::vector<std::string_view> DiagnosisRules();

// The input of a rule.
struct DiagnosisCase {
  const Result& result;
  const Series& series;
  size_t index;              // The phase's index in the plan.
  const PhaseResult& phase;  // The phase of the median round.
  const std::map<std::string, std::string>& options;

  const RoleResult& role() const { return phase.roles.front(); }
  const OperationStatistics& stats() const { return role().statistics.front(); }
};

struct DiagnosisRule {
  std::string_view name;
  bool needs_figure;        // Applies only to a workload that has a figure.
  bool may_be_the_machine;  // A machine taken by others can show the same symptom.
  std::optional<Finding> (*find)(const DiagnosisCase& of);
  FindingFigure figure = FindingFigure::kRate;
};

std::span<const DiagnosisRule> AllDiagnosisRules();

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DIAGNOSIS_H_
