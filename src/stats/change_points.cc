#include "stats/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "stats/statistics.h"

namespace levelfield {
namespace {

// Below this difference two logarithms are the same number; the rest is rounding.
constexpr double kRounding = 1e-9;

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double SquaresAround(double mean, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

// Uses the variance of both parts together: three new values hardly have one of their own.
double StudentsP(std::span<const double> left, std::span<const double> right) {
  const double left_mean = Mean(left);
  const double right_mean = Mean(right);
  const double difference = std::abs(right_mean - left_mean);
  if (difference < kRounding) return 1;
  const auto n = static_cast<double>(left.size());
  const auto m = static_cast<double>(right.size());
  const double freedom = n + m - 2;
  const double variance =
      (SquaresAround(left_mean, left) + SquaresAround(right_mean, right)) / freedom;
  const double error = std::sqrt(variance * (1 / n + 1 / m));
  if (error < kRounding * difference) return 0;
  return StudentChance(freedom, difference / error);
}

// The first value of the right part in the split whose two parts differ most: the split with the
// greatest energy statistic nm/(n+m) (2 E|X-Y| - E|X-X'| - E|Y-Y'|). None if there is no room for
// two parts.
std::optional<size_t> BestSplit(std::span<const double> values) {
  const size_t count = values.size();
  if (count < 2 * kLeastOfTheNewestLevel) return std::nullopt;
  // Sums of the distances within the left part, within the right one, and between them, while
  // values move from the right part to the left one.
  double left = 0;
  double right = 0;
  double between = 0;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) right += std::abs(values[i] - values[j]);
  }
  size_t best = 0;
  double greatest = -1;
  for (size_t split = 1; split + kLeastOfTheNewestLevel <= count; ++split) {
    const double moved = values[split - 1];
    double to_left = 0;
    double to_right = 0;
    for (size_t i = 0; i + 1 < split; ++i) to_left += std::abs(values[i] - moved);
    for (size_t i = split; i < count; ++i) to_right += std::abs(values[i] - moved);
    left += to_left;
    right -= to_right;
    between += to_right - to_left;
    if (split < kLeastOfTheNewestLevel) continue;
    const auto n = static_cast<double>(split);
    const auto m = static_cast<double>(count - split);
    const double energy =
        n * m / (n + m) * (2 * between / (n * m) - 2 * left / (n * n) - 2 * right / (m * m));
    if (energy > greatest) {
      greatest = energy;
      best = split;
    }
  }
  return best;
}

// Finds the splits of a stretch that starts at `offset`, and of its parts, as long as they are
// likely.
void Split(std::span<const double> values, size_t offset, double most_p,
           std::vector<size_t>& found) {
  const std::optional<size_t> split = BestSplit(values);
  if (!split || StudentsP(values.first(*split), values.subspan(*split)) > most_p) return;
  Split(values.first(*split), offset, most_p, found);
  found.push_back(offset + *split);
  Split(values.subspan(*split), offset + *split, most_p, found);
}

// Finds the splits in each window, and in one that ends with the newest value, so that its level
// has as many values before it as possible.
std::vector<size_t> SplitInWindows(std::span<const double> values, size_t window, double most_p) {
  std::vector<size_t> found;
  window = std::min(window, values.size());
  const auto look_at = [&](size_t start) {
    Split(values.subspan(start, window), start, most_p, found);
  };
  for (size_t start = 0; start + window < values.size();) {
    const size_t found_before = found.size();
    look_at(start);
    start = std::max(start + window / 2, found.size() == found_before ? 0 : found.back());
  }
  look_at(values.size() - window);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

// Describes a split, compared between its neighbours.
ChangePoint PointAt(std::span<const double> values, const std::vector<size_t>& splits, size_t i) {
  const size_t begin = i == 0 ? 0 : splits[i - 1];
  const size_t end = i + 1 == splits.size() ? values.size() : splits[i + 1];
  const std::span<const double> left = values.subspan(begin, splits[i] - begin);
  const std::span<const double> right = values.subspan(splits[i], end - splits[i]);
  return {.index = splits[i],
          .size = std::expm1(Mean(right) - Mean(left)),
          .p = StudentsP(left, right)};
}

double Magnitude(const ChangePoint& point) { return std::abs(std::log1p(point.size)); }

// The split to remove first: the one most likely to be chance, or the likelier of the two beside a
// level that is too short, or the smallest. None if all of them stay.
std::optional<size_t> WeakestOf(const std::vector<ChangePoint>& points, size_t count,
                                const ChangePointRules& rules) {
  const auto excess = [&](const ChangePoint& point) {
    const bool is_new = count - point.index < kLeastOfALevel;
    return point.p / (is_new ? rules.most_p : rules.most_lasting_p);
  };
  const auto likeliest = std::ranges::max_element(points, {}, excess);
  if (excess(*likeliest) > 1) return likeliest - points.begin();
  for (size_t i = 0; i < points.size(); ++i) {
    const size_t begin = i == 0 ? 0 : points[i - 1].index;
    if (points[i].index - begin >= kLeastOfALevel) continue;
    return i > 0 && excess(points[i - 1]) > excess(points[i]) ? i - 1 : i;
  }
  const auto smallest = std::ranges::min_element(points, {}, Magnitude);
  if (Magnitude(*smallest) < std::log1p(rules.least_size)) return smallest - points.begin();
  return std::nullopt;
}

}  // namespace

std::vector<ChangePoint> FindChangePoints(std::span<const double> values,
                                          const ChangePointRules& rules) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  std::vector<size_t> splits = SplitInWindows(logarithms, rules.window, rules.most_p);
  // Removes the weakest split and looks at its neighbours again, until all are strong.
  while (!splits.empty()) {
    std::vector<ChangePoint> points;
    for (size_t i = 0; i < splits.size(); ++i) points.push_back(PointAt(logarithms, splits, i));
    const std::optional<size_t> weakest = WeakestOf(points, values.size(), rules);
    if (!weakest) return points;
    splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(*weakest));
  }
  return {};
}

}  // namespace levelfield
