// Comparisons on one screen, and in a pull request: the verdicts first. Pure.
#ifndef LEVELFIELD_REPORT_COMPARISON_SCREEN_H_
#define LEVELFIELD_REPORT_COMPARISON_SCREEN_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"

namespace levelfield {

// A sentence with the verdicts for each pair.
Report VerdictsReport(const std::vector<Comparison>& comparisons);

// One screen: the verdicts, then a line for each workload, with the `conditions` (ConditionsLine)
// and every sign explained. `command` shows the rest.
Report ComparisonScreen(const std::vector<Comparison>& comparisons, double margin,
                        const std::string& conditions, const std::string& command);

// For a pull request: the same in at most 25 lines, the worst verdicts first, with `details` folded
// below them.
std::string ComparisonMarkdown(const std::vector<Comparison>& comparisons, double margin,
                               const std::string& conditions, const std::string& details);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_SCREEN_H_
