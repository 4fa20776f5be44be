// All figures of comparisons: a table for each pair, with the verdicts. Pure.
#ifndef LEVELFIELD_REPORT_COMPARISON_REPORT_H_
#define LEVELFIELD_REPORT_COMPARISON_REPORT_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"

namespace levelfield {

Report ComparisonReport(const std::vector<Comparison>& comparisons, double margin,
                        bool has_latencies = false);

// The result of comparing a thing with itself: the smallest difference that may be claimed.
std::string RenderNoise(const std::string& engine,
                        const std::vector<std::pair<std::string, double>>& noise);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_REPORT_H_
