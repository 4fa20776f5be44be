// Comparisons as a person reads them: a table for each pair, with the verdicts. Pure.
#ifndef LEVELFIELD_REPORT_COMPARISON_REPORT_H_
#define LEVELFIELD_REPORT_COMPARISON_REPORT_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"

namespace levelfield {

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin,
                        bool has_latencies = false);

// The verdicts in a sentence for each pair.
Report VerdictsReport(const std::vector<Comparison>& comparisons);

// One screen: the verdicts, then a line for each workload, every sign explained. `directories` are
// what was compared, for the command that tells the rest.
Report ComparisonScreen(const std::vector<Comparison>& comparisons, double margin,
                        const std::vector<std::string>& directories);

// For a pull request: the verdicts in at most 25 lines, and `details` folded below them.
std::string ComparisonMarkdown(const std::vector<Comparison>& comparisons,
                               const std::string& details);

// What a comparison of a thing with itself says: how small a difference may be claimed.
std::string RenderNoise(const std::string& engine,
                        const std::vector<std::pair<std::string, double>>& noise);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_REPORT_H_
