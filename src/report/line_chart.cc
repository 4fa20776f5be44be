#include "report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace levelfield {

std::vector<std::string> LinesOf(const LineChart& chart,
                                 std::span<const std::optional<double>> values,
                                 std::span<const size_t> marked) {
  const size_t first = values.size() - std::min(values.size(), chart.columns);
  const auto shown = values.subspan(first);
  std::vector<double> present;
  for (const std::optional<double>& value : shown) {
    if (value) present.push_back(*value);
  }
  if (present.size() < 2) return {};
  const auto [least, most] = std::ranges::minmax(present);
  if (least == most) return {};
  // Few values stand apart, so that there is a line to see.
  const size_t step = std::clamp<size_t>(chart.columns / shown.size(), 1, 4);
  std::vector<std::string> lines(chart.lines, std::string(shown.size() * step, ' '));
  for (size_t i = 0; i < shown.size(); ++i) {
    const size_t column = i * step + step / 2;
    if (step > 1 && i > 0 && std::ranges::find(marked, first + i) != marked.end()) {
      for (std::string& line : lines) line[i * step] = '|';
    }
    if (!shown[i]) continue;
    const double height = (*shown[i] - least) / (most - least);
    const auto from_top =
        static_cast<size_t>(std::lround((1 - height) * static_cast<double>(chart.lines - 1)));
    lines[from_top][column] = '*';
  }
  if (step == 1) {  // No room between them: marks stand below.
    std::string below(shown.size(), ' ');
    for (const size_t place : marked) {
      if (place >= first) below[place - first] = '^';
    }
    if (below.find('^') != std::string::npos) lines.push_back(below);
  }
  const std::string top = chart.label(most);
  const std::string bottom = chart.label(least);
  const size_t width = std::max(top.size(), bottom.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string& label = i == 0 ? top : i + 1 == chart.lines ? bottom : std::string();
    lines[i] = fmt::format("{:>{}} {}", label, width, lines[i]);
    lines[i].erase(lines[i].find_last_not_of(' ') + 1);
  }
  return lines;
}

}  // namespace levelfield
