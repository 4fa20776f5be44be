// For tests of draws: Pearson's chi-square.
#ifndef LEVELFIELD_BASE_CHI_SQUARE_FOR_TEST_H_
#define LEVELFIELD_BASE_CHI_SQUARE_FOR_TEST_H_

#include <array>
#include <cstddef>
#include <numeric>

namespace levelfield {

// How far counts are from all being the same.
template <class Counts>
double ChiSquareOfShares(const Counts& counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double mean = all / static_cast<double>(counts.size());
  double sum = 0;
  for (const auto count : counts) {
    const double difference = static_cast<double>(count) - mean;
    sum += difference * difference / mean;
  }
  return sum;
}

template <size_t kRows, size_t kColumns>
using TableOfCounts = std::array<std::array<double, kColumns>, kRows>;

// How far the rows and the columns of a table are from being independent.
template <size_t kRows, size_t kColumns>
double ChiSquareOf(const TableOfCounts<kRows, kColumns>& table) {
  double all = 0;
  std::array<double, kRows> rows{};
  std::array<double, kColumns> columns{};
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t c = 0; c < kColumns; ++c) {
      all += table[r][c];
      rows[r] += table[r][c];
      columns[c] += table[r][c];
    }
  }
  double sum = 0;
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t c = 0; c < kColumns; ++c) {
      const double expected = rows[r] * columns[c] / all;
      sum += (table[r][c] - expected) * (table[r][c] - expected) / expected;
    }
  }
  return sum;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_CHI_SQUARE_FOR_TEST_H_
