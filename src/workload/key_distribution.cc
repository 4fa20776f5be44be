#include "workload/key_distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace levelfield {
namespace {

using Kind = KeyDistributionPlan::Kind;

constexpr std::pair<std::string_view, Kind> kNames[] = {
    {"uniform", Kind::kUniform}, {"zipf", Kind::kZipf},       {"ycsb-zipf", Kind::kYcsbZipf},
    {"latest", Kind::kLatest},   {"hotspot", Kind::kHotspot}, {"exponential", Kind::kExponential}};

// YCSB's exponential.percentile and exponential.frac, whose comment there says 1/7 and whose value
// is 6/7.
constexpr double kPercentile = 95;
constexpr double kFraction = 0.8571428571;

}  // namespace

std::optional<Kind> DistributionKindOf(std::string_view name) {
  const auto* const it = std::ranges::find(kNames, name, &std::pair<std::string_view, Kind>::first);
  if (it == std::end(kNames)) return std::nullopt;
  return it->second;
}

KeyDistribution::KeyDistribution(const KeyDistributionPlan& plan, uint64_t n)
    : plan_(plan), zipf_(n, plan.exponent), ycsb_zipf_(std::max<uint64_t>(n, 1)) {
  Grow(n);
}

void KeyDistribution::Grow(uint64_t n) {
  n_ = std::max<uint64_t>(n, 1);
  switch (plan_.kind) {
    case Kind::kUniform:
      break;
    case Kind::kZipf:
    case Kind::kLatest:
      zipf_.Resize(n_);
      break;
    case Kind::kYcsbZipf:
      ycsb_zipf_ = YcsbZipf(n_);
      break;
    case Kind::kHotspot: {
      const double hot = std::floor(static_cast<double>(n_) * plan_.hot_keys);
      hot_ = std::clamp<uint64_t>(static_cast<uint64_t>(hot), 1, n_);
      break;
    }
    case Kind::kExponential:
      mean_ = static_cast<double>(n_) * kFraction / -std::log(1 - kPercentile / 100);
      break;
  }
}

uint64_t KeyDistribution::Draw(Random& random) const {
  switch (plan_.kind) {
    case Kind::kUniform:
      break;
    case Kind::kZipf:
      return zipf_.Draw(random);
    case Kind::kYcsbZipf:
      return ycsb_zipf_.Draw(random);
    case Kind::kLatest:
      return n_ - 1 - zipf_.Draw(random);
    case Kind::kHotspot: {
      const bool is_hot = UnitOf(random.Next()) < plan_.hot_requests;
      if (is_hot || hot_ == n_) return random.Below(hot_);
      return hot_ + random.Below(n_ - hot_);
    }
    case Kind::kExponential:
      for (;;) {  // What would lie before the first one is drawn again, as in YCSB.
        const double distance = -std::log1p(-UnitOf(random.Next())) * mean_;
        if (distance < static_cast<double>(n_)) return n_ - 1 - static_cast<uint64_t>(distance);
      }
  }
  return random.Below(n_);
}

}  // namespace levelfield
