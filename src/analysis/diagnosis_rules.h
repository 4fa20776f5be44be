// The rules of a diagnosis. Each looks at one workload of one engine and says whether something is
// wrong with it. A new rule is a function and a row of the table in diagnosis_rules.cc, with a
// fixture that triggers it and one that does not.
#ifndef LEVELFIELD_ANALYSIS_DIAGNOSIS_RULES_H_
#define LEVELFIELD_ANALYSIS_DIAGNOSIS_RULES_H_

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/diagnosis.h"
#include "analysis/series.h"

namespace levelfield {

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
};

std::span<const DiagnosisRule> AllDiagnosisRules();

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DIAGNOSIS_RULES_H_
