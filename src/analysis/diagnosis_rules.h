// The rules of a diagnosis: each looks at one workload of one engine and says what is wrong with
// it, if anything. A new rule is a function and a row of the table in diagnosis_rules.cc, with a
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

// What a rule looks at.
struct DiagnosisCase {
  const Result& result;
  const Series& series;
  size_t index;              // The phase's, in the plan.
  const PhaseResult& phase;  // From the median round.
  const std::map<std::string, std::string>& options;

  const RoleResult& role() const { return phase.roles.front(); }
  const OperationStatistics& stats() const { return role().statistics.front(); }
};

struct DiagnosisRule {
  std::string_view name;
  bool needs_figure;        // Only a workload that has a figure shows it.
  bool may_be_the_machine;  // A machine that others have taken shows the same.
  std::optional<Finding> (*find)(const DiagnosisCase& of);
};

std::span<const DiagnosisRule> AllDiagnosisRules();

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DIAGNOSIS_RULES_H_
