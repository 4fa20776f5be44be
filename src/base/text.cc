#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>
#include <vector>

namespace levelfield {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::optional<uint64_t> Digits(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string EngineName(std::string_view spec) {
  return std::string(spec.substr(0, spec.find_first_of("@:")));
}

std::string TextHash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j) {
      three = three << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += i + j > bytes.size() ? '=' : kDigits[three >> (18 - 6 * j) & 63];
    }
  }
  return text;
}

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
