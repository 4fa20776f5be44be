#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

namespace levelfield {
std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string EngineName(std::string_view spec) {
  return std::string(spec.substr(0, spec.find_first_of("@:")));
}

std::string WithLowerNames(std::string_view specs) {
  std::vector<std::string> lower = Parts(specs, ',');
  for (std::string& spec : lower) {
    const size_t end = std::min(spec.find_first_of("@:/"), spec.size());
    if (end < spec.size() ? spec[end] == '/' : spec.ends_with(".so")) continue;
    std::transform(spec.begin(), spec.begin() + static_cast<std::ptrdiff_t>(end), spec.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  return Joined(lower, ",");
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
  constexpr size_t kPrefix = 4;
  if (text.size() > kLongest) return "";
  // "LMDB" for "lmdb".
  const auto is_same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  for (const std::string& name : names) {
    if (std::ranges::equal(text, name, is_same)) return name;
  }
  const std::string* nearest = nullptr;
  size_t fewest = 0;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const size_t allowed = (std::max(text.size(), name.size()) + 1) / 3;
    const size_t distance = EditDistance(text, name);
    // "zipfian" for "zipf".
    const bool is_longer = name.size() >= kPrefix && text.starts_with(name);
    if ((distance > allowed && !is_longer) || (nearest != nullptr && distance >= fewest)) continue;
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

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (std::string part = Trimmed(text.substr(0, end)); !part.empty()) {
      parts.push_back(std::move(part));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string Listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string Plural(uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string Joined(const std::vector<std::string>& names, std::string_view between) {
  return fmt::format("{}", fmt::join(names, between));
}

std::vector<std::string> Parts(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines = Parts(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string Wrapped(const std::string& words, size_t indent, size_t columns) {
  std::string text;
  size_t column = 0;
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find(' ', begin + 1), words.size());  // Includes its space.
    if (column != 0 && column + (end - begin) > columns) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
      ++begin;
    }
    text += words.substr(begin, end - begin);
    column += end - begin;
    begin = end;
  }
  return text + "\n";
}

std::string Escaped(std::string_view text,
                    std::span<const std::pair<char, std::string_view>> rows) {
  std::string escaped;
  for (const char c : text) {
    const auto row = std::ranges::find(rows, c, [](const auto& pair) { return pair.first; });
    row == rows.end() ? escaped += c : escaped += row->second;
  }
  return escaped;
}

namespace {

// https://owasp.org/www-community/attacks/CSV_Injection. Numbers and a dash alone are none.
bool IsFormula(std::string_view text) {
  if (text.empty() || text == "-") return false;
  if (std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
  const char* const end = text.data() + text.size();
  double number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  return error != std::errc() || stop != end;
}

}  // namespace

std::string CellText(const std::string& text) { return IsFormula(text) ? "'" + text : text; }

std::string CsvField(const std::string& text) {
  const std::string safe = CellText(text);
  if (safe.find_first_of(",\"\n\r") == std::string::npos) return safe;
  std::string field = "\"";
  for (const char c : safe) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

}  // namespace levelfield
