#include "workload/value_sizes_text.h"

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

namespace levelfield {
namespace {

constexpr const char* kForms =
    "a number of bytes, `uniform LOW..HIGH`, `normal LOW..HIGH` (and `mean X deviation X`), or "
    "`pareto LOW..HIGH theta X k X sigma X`";

// `name X name X ...`; empty: it is not that.
std::map<std::string, double> ReadNumbers(std::istream& words) {
  std::map<std::string, double> numbers;
  std::string name;
  std::string text;
  while (words >> name) {
    double number = 0;
    if (!(words >> text)) return {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number) ||
        !numbers.emplace(name, number).second) {
      return {};
    }
  }
  return numbers;
}

}  // namespace

std::string ReadValueSizes(std::string_view text, const CountReader& read_count,
                           ValueSizes& sizes) {
  std::istringstream words{std::string(text)};
  std::string kind;
  words >> kind;
  if (kind != "uniform" && kind != "normal" && kind != "pareto") {
    uint64_t size = 0;
    std::string accepted = read_count(text, size);
    if (accepted.empty()) sizes = size;
    return accepted.empty() || accepted.starts_with("at ") ? accepted : kForms;
  }
  std::string bounds;
  words >> bounds;
  const size_t dots = bounds.find("..");
  if (dots == std::string::npos) return kForms;
  uint64_t least = 0;
  uint64_t most = 0;
  for (const auto& [bound, field] :
       {std::pair(bounds.substr(0, dots), &least), std::pair(bounds.substr(dots + 2), &most)}) {
    if (std::string accepted = read_count(bound, *field); !accepted.empty()) return accepted;
  }
  if (least > most) return "LOW..HIGH with LOW at most HIGH";
  const bool is_alone = words.peek() == std::istream::traits_type::eof();
  std::map<std::string, double> numbers = ReadNumbers(words);
  if (kind == "uniform") {
    if (!is_alone) return kForms;
    sizes = ValueSizes::Uniform(least, most);
  } else if (kind == "normal" && is_alone) {
    sizes = ValueSizes::Normal(least, most);
  } else if (kind == "normal") {
    if (numbers.size() != 2 || !numbers.contains("mean") || !numbers.contains("deviation")) {
      return kForms;
    }
    if (numbers["deviation"] < 0) return "of a deviation that is 0 or more";
    sizes = ValueSizes::Normal(least, most, numbers["mean"], numbers["deviation"]);
  } else {
    if (numbers.size() != 3 || !numbers.contains("theta") || !numbers.contains("k") ||
        !numbers.contains("sigma")) {
      return kForms;
    }
    if (numbers["sigma"] <= 0) return "of a sigma above 0";
    if (most == 0) return "of a HIGH above 0";
    sizes = ValueSizes::Pareto(least, most, numbers["theta"], numbers["k"], numbers["sigma"]);
  }
  return "";
}

}  // namespace levelfield
