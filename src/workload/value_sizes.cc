#include "workload/value_sizes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <sstream>
#include <vector>

#include "base/text.h"

namespace levelfield {
namespace {

// 53 bits as a number in (0, 1]: never 0, which has no logarithm.
double PositiveUnitOf(uint64_t bits) { return (static_cast<double>(bits >> 11) + 1) * 0x1p-53; }

}  // namespace

ValueSizes ValueSizes::Uniform(uint64_t least, uint64_t most) {
  ValueSizes sizes(most);
  sizes.kind_ = Kind::kUniform;
  sizes.least_ = least;
  return sizes;
}

ValueSizes ValueSizes::Normal(uint64_t least, uint64_t most, double mean, double deviation) {
  ValueSizes sizes = Uniform(least, most);
  sizes.kind_ = Kind::kNormal;
  sizes.a_ = mean;
  sizes.b_ = deviation;
  return sizes;
}

ValueSizes ValueSizes::Normal(uint64_t least, uint64_t most) {
  const auto low = static_cast<double>(least);
  const auto high = static_cast<double>(most);
  return Normal(least, most, (low + high) / 2, (high - low) / 6);
}

ValueSizes ValueSizes::Pareto(uint64_t least, uint64_t most, double theta, double k, double sigma) {
  ValueSizes sizes = Uniform(least, most);
  sizes.kind_ = Kind::kPareto;
  sizes.a_ = theta;
  sizes.b_ = k;
  sizes.c_ = sigma;
  return sizes;
}

ValueSizes ValueSizes::WithSeed(uint64_t seed) const {
  ValueSizes sizes = *this;
  if (vary()) sizes.seed_ = seed;
  return sizes;
}

uint64_t ValueSizes::Drawn(uint64_t key_index, uint32_t version) const {
  // A version has 32 bits; the multiplication tells keys apart, because it moves all of their bits.
  Random draws(seed_ ^ Mix64(key_index * 0x9e3779b97f4a7c15 + version));
  if (kind_ == Kind::kUniform) return least_ + draws.Below(most_ - least_ + 1);
  const double u = PositiveUnitOf(draws.Next());
  if (kind_ == Kind::kNormal) {
    // Box and Muller (1958); uses one of the two numbers that a pair of draws gives.
    const double angle = 2 * std::numbers::pi * PositiveUnitOf(draws.Next());
    const double size = a_ + b_ * std::sqrt(-2 * std::log(u)) * std::cos(angle);
    return static_cast<uint64_t>(
        std::clamp(size, static_cast<double>(least_), static_cast<double>(most_)));
  }
  // Beyond 2^63 a double fits no integer; such a size is as good as any other beyond `most`.
  const double size = std::min(std::ceil(ParetoOf(u, a_, b_, c_)), 0x1p62);
  const auto bytes = static_cast<uint64_t>(std::max(size, 0.0));
  return std::max(bytes > most_ ? bytes % most_ : bytes, least_);
}

double ValueSizes::Mean() const {
  if (kind_ == Kind::kFixed) return static_cast<double>(most_);
  if (kind_ == Kind::kUniform) {
    return (static_cast<double>(least_) + static_cast<double>(most_)) / 2;
  }
  if (kind_ == Kind::kNormal) {
    return std::clamp(a_, static_cast<double>(least_), static_cast<double>(most_));
  }
  // From a shape of 1 on the mean would be infinite if sizes were not cut.
  const double mean = b_ < 1 ? a_ + c_ / (1 - b_) : static_cast<double>(most_);
  return std::clamp(mean, static_cast<double>(least_), static_cast<double>(most_));
}

double ParetoOf(double u, double theta, double k, double sigma) {
  return k == 0 ? theta - sigma * std::log(u) : theta + sigma * (std::pow(u, -k) - 1) / k;
}

namespace {

constexpr const char* kForms =
    "a number of bytes, `uniform LOW..HIGH`, `normal LOW..HIGH` (and `mean X deviation X`), or "
    "`pareto LOW..HIGH theta X k X sigma X`";

// `name X name X ...`: each of these names once, in any order. Returns numbers in the order of
// `names`.
std::optional<std::vector<double>> ReadNumbers(const std::vector<std::string>& words,
                                               const std::vector<std::string_view>& names) {
  if (words.size() != 2 * names.size()) return std::nullopt;
  std::vector<double> numbers;
  for (const std::string_view name : names) {
    size_t at = 0;
    while (at < words.size() && words[at] != name) at += 2;
    const auto number = at < words.size() ? WholeNumber<double>(words[at + 1]) : std::nullopt;
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

// Makes sizes of that kind from the numbers in `words`. Returns nothing, or what would be accepted.
std::string MakeSizes(std::string_view kind, uint64_t least, uint64_t most,
                      const std::vector<std::string>& words, ValueSizes& sizes) {
  if (kind == "uniform" && words.empty()) {
    sizes = ValueSizes::Uniform(least, most);
  } else if (kind == "normal" && words.empty()) {
    sizes = ValueSizes::Normal(least, most);
  } else if (const auto n = ReadNumbers(words, {"mean", "deviation"}); kind == "normal" && n) {
    if ((*n)[1] < 0) return "of a deviation that is 0 or more";
    sizes = ValueSizes::Normal(least, most, (*n)[0], (*n)[1]);
  } else if (const auto m = ReadNumbers(words, {"theta", "k", "sigma"}); kind == "pareto" && m) {
    if ((*m)[2] <= 0) return "of a sigma above 0";
    if (most == 0) return "of a HIGH above 0";
    sizes = ValueSizes::Pareto(least, most, (*m)[0], (*m)[1], (*m)[2]);
  } else {
    return kForms;
  }
  return "";
}

}  // namespace

std::string ReadValueSizes(std::string_view text, const CountReader& read_count,
                           ValueSizes& sizes) {
  std::istringstream stream{std::string(text)};
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  const std::string kind = words.empty() ? "" : words.front();
  std::string accepted;
  if (kind != "uniform" && kind != "normal" && kind != "pareto") {
    uint64_t size = 0;
    accepted = read_count(text, size);
    if (accepted.empty()) sizes = size;
    return accepted.empty() || accepted.starts_with("at ") ? accepted : kForms;
  }
  const std::string bounds = words.size() > 1 ? words[1] : "";
  const size_t dots = bounds.find("..");
  if (dots == std::string::npos) return kForms;
  uint64_t least = 0;
  uint64_t most = 0;
  accepted = read_count(bounds.substr(0, dots), least);
  if (accepted.empty()) accepted = read_count(bounds.substr(dots + 2), most);
  if (!accepted.empty()) return accepted;
  if (least > most) return "LOW..HIGH with LOW at most HIGH";
  return MakeSizes(kind, least, most, {words.begin() + 2, words.end()}, sizes);
}

}  // namespace levelfield
