// Values over their order as a line chart of text, for a terminal: the newest ones, as many as fit.
#ifndef LEVELFIELD_REPORT_LINE_CHART_H_
#define LEVELFIELD_REPORT_LINE_CHART_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace levelfield {

struct LineChart {
  size_t columns = 64;
  size_t lines = 5;
  std::string (*label)(double value) = nullptr;  // Of the largest and the smallest value.
};

// A place is `*`, or empty where there is no value; `|` stands before each of `marked`, where a new
// level begins. None: there are fewer than two values, or all are the same.
std::vector<std::string> LinesOf(const LineChart& chart,
                                 std::span<const std::optional<double>> values,
                                 std::span<const size_t> marked);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_LINE_CHART_H_
