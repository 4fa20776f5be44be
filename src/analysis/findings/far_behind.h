// Which of several that do the same are far behind the others.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_FAR_BEHIND_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_FAR_BEHIND_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/statistics.h"

namespace levelfield {

// Behind the median by more than a twentieth, and by more than three standard deviations, which
// are had from the median distance to the median: a slow one moves neither. Of two nobody knows.
inline std::vector<size_t> FarBehind(const std::vector<double>& rates) {
  constexpr size_t kLeast = 3;
  constexpr double kLeastBehind = 0.05;
  constexpr double kDeviations = 3;
  constexpr double kDeviationOfMedianDistance = 1.4826;  // Of a normal distribution.
  std::vector<size_t> behind;
  if (rates.size() < kLeast) return behind;
  const double median = Median(rates);
  std::vector<double> distances;
  for (const double rate : rates) distances.push_back(std::abs(rate - median));
  const double usual = kDeviations * kDeviationOfMedianDistance * Median(distances);
  for (size_t i = 0; i < rates.size(); ++i) {
    if (median - rates[i] > std::max(usual, kLeastBehind * median)) behind.push_back(i);
  }
  return behind;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_FAR_BEHIND_H_
