#include "workload/hot_ranges.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"

namespace levelfield {

double HotRangesPlan::WeightOf(uint64_t i) const {
  const auto x = static_cast<double>(i);
  const double weight = range_a * std::exp(range_b * x) + range_c * std::exp(range_d * x);
  return weight < 1e-16 ? 0 : weight;
}

bool HotRangesPlan::IsPossible() const {
  if (!has_hot_ranges()) return true;
  double sum = 0;
  for (uint64_t i = 1; i <= ranges; ++i) sum += WeightOf(i);
  return std::isfinite(sum) && sum > 0;
}

HotRanges::HotRanges(const HotRangesPlan& plan, uint64_t keys)
    : plan_(plan), keys_(keys), ends_(plan.has_hot_ranges() ? plan.ranges : 1, 1.0) {
  if (!plan.has_hot_ranges()) {
    plan_.ranges = 1;
    return;
  }
  for (uint64_t i = 0; i < plan.ranges; ++i) ends_[i] = plan.WeightOf(i + 1);
  // Of the number of ranges alone, so that the same ranges are hot for every engine and thread.
  Random shuffle(plan.ranges);
  for (uint64_t i = plan.ranges; i > 1; --i) std::swap(ends_[i - 1], ends_[shuffle.Below(i)]);
  double sum = 0;
  for (double& end : ends_) end = sum += end;
  for (double& end : ends_) end /= sum;
}

double HotRanges::ShareAt(uint64_t place) const {
  return ends_[place] - (place == 0 ? 0 : ends_[place - 1]);
}

uint64_t HotRanges::FirstKeyAt(uint64_t place) const {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(keys_) * place / plan_.ranges);
}

uint64_t HotRanges::KeyOf(uint64_t range_draw, uint64_t key_draw) const {
  uint64_t place = 0;
  if (plan_.ranges > 1) {
    const double u = static_cast<double>(range_draw >> 11) * 0x1p-53;
    const auto it = std::ranges::upper_bound(ends_, u);
    // The last end may be a little below 1.
    place = std::min<uint64_t>(static_cast<uint64_t>(it - ends_.begin()), plan_.ranges - 1);
  }
  const uint64_t first = FirstKeyAt(place);
  const uint64_t size = FirstKeyAt(place + 1) - first;
  uint64_t draw = key_draw;
  if (plan_.has_hot_keys()) {
    const double u = (static_cast<double>(key_draw >> 11) + 1) * 0x1p-53;
    draw = Random(RankOf(u, plan_.key_a, plan_.key_b)).Next();
  }
  return first + static_cast<uint64_t>((static_cast<unsigned __int128>(draw) * size) >> 64);
}

uint64_t RankOf(double u, double a, double b) {
  // Beyond 2^63 a double fits no integer.
  return static_cast<uint64_t>(std::clamp(std::ceil(std::pow(u / a, 1 / b)), 0.0, 0x1p62));
}

}  // namespace levelfield
