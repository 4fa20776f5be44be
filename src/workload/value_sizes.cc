#include "workload/value_sizes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace levelfield {
namespace {

// 53 bits as a number in (0, 1]: never 0, whose logarithm there is none of.
double UnitOf(uint64_t bits) { return (static_cast<double>(bits >> 11) + 1) * 0x1p-53; }

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
  // A version is 32 bits; keys are told apart by the multiplication, which moves all of theirs.
  Random draws(seed_ ^ Mix64(key_index * 0x9e3779b97f4a7c15 + version));
  if (kind_ == Kind::kUniform) return least_ + draws.Below(most_ - least_ + 1);
  const double u = UnitOf(draws.Next());
  if (kind_ == Kind::kNormal) {
    // Box and Muller (1958): of the two that a pair of draws gives, one.
    const double angle = 2 * std::numbers::pi * UnitOf(draws.Next());
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
  // From a shape of 1 on the mean is infinite, but for the cut.
  const double mean = b_ < 1 ? a_ + c_ / (1 - b_) : static_cast<double>(most_);
  return std::clamp(mean, static_cast<double>(least_), static_cast<double>(most_));
}

double ParetoOf(double u, double theta, double k, double sigma) {
  return k == 0 ? theta - sigma * std::log(u) : theta + sigma * (std::pow(u, -k) - 1) / k;
}

}  // namespace levelfield
