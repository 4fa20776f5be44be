// Comparisons for people: a table for each pair, with the verdicts. Pure.
#ifndef LEVELFIELD_REPORT_COMPARISON_REPORT_H_
#define LEVELFIELD_REPORT_COMPARISON_REPORT_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"

namespace levelfield {

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin,
                        bool has_latencies = false);

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

// The result of comparing a thing with itself: the smallest difference that may be claimed.
std::string RenderNoise(const std::string& engine,
                        const std::vector<std::pair<std::string, double>>& noise);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_REPORT_H_
