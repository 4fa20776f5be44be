// `N% get, N% put`: the operations of a mix, in any order.
#ifndef LEVELFIELD_OPERATIONS_SHARES_H_
#define LEVELFIELD_OPERATIONS_SHARES_H_

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "workload/file/numbers.h"

namespace levelfield {

// In percent, together 100. Empty: the text has another form, or an unknown name.
inline std::optional<std::map<std::string_view, uint64_t>> ReadShares(
    std::string_view text, const FileNumbers& numbers,
    std::initializer_list<std::string_view> names) {
  std::map<std::string_view, uint64_t> shares;
  unsigned __int128 sum = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t sign = part.find('%');
    if (sign == std::string_view::npos) return std::nullopt;
    const std::optional<uint64_t> percent = numbers.Evaluate(Trim(part.substr(0, sign)));
    const std::string_view name = Trim(part.substr(sign + 1));
    if (!percent || std::ranges::find(names, name) == names.end()) return std::nullopt;
    if (!shares.emplace(name, *percent).second) return std::nullopt;
    sum += *percent;
  }
  if (sum != 100) return std::nullopt;
  return shares;
}

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SHARES_H_
