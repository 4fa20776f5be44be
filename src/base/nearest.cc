#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace levelfield {

size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: this one, the one before, and for swaps the one before that.
  std::vector<size_t> older(b.size() + 1);
  std::vector<size_t> previous(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(previous.begin(), previous.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
    older.swap(previous);
    previous.swap(row);
  }
  return previous[b.size()];
}

std::string NearestName(std::string_view text, std::span<const std::string> names) {
  // Nobody mistypes a name this long, and the table's size is the product of the two lengths.
  constexpr size_t kLongest = 128;
  if (text.size() > kLongest) return "";
  const std::string* nearest = nullptr;
  size_t fewest = 0;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const size_t allowed = (std::max(text.size(), name.size()) + 1) / 3;
    const size_t distance = EditDistance(text, name);
    if (distance > allowed || (nearest != nullptr && distance >= fewest)) continue;
    nearest = &name;
    fewest = distance;
  }
  return nearest != nullptr ? *nearest : "";
}

std::string DidYouMean(std::string_view text, std::span<const std::string> names,
                       std::string_view otherwise) {
  const std::string nearest = NearestName(text, names);
  return nearest.empty() ? std::string(otherwise) : "; did you mean '" + nearest + "'?";
}

}  // namespace levelfield
