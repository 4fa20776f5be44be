#include "workload/key_distribution.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace levelfield {
namespace {

// (e^x - 1) / x and log(1 + x) / x. As x nears 0, so as the exponent nears 1, quotients of small
// numbers would lose their digits.
double ExpRatio(double x) { return x == 0 ? 1 : std::expm1(x) / x; }
double LogRatio(double x) { return x == 0 ? 1 : std::log1p(x) / x; }

// Whether x is a whole number up to rounding, and small enough for WholePower.
bool IsWhole(double x) { return std::abs(x) <= 1024 && std::abs(x - std::round(x)) < 1e-9; }

double WholePower(double base, uint64_t exponent) {
  double power = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) power *= base;
  }
  return power;
}

}  // namespace

Zipf::Zipf(uint64_t n, double exponent)
    : exponent_(exponent),
      reciprocal_(std::abs(1 - exponent) < 1e-3 ? 0 : 1 / (1 - exponent)),
      whole_(IsWhole(reciprocal_) ? static_cast<int64_t>(std::round(reciprocal_)) : 0) {
  least_area_ = Integral(1.5) - 1;
  squeeze_ = 2 - Inverse(Integral(2.5) - Hat(2));
  Resize(n);
}

void Zipf::Resize(uint64_t n) {
  n_ = static_cast<int64_t>(std::max<uint64_t>(n, 1));
  most_area_ = Integral(static_cast<double>(n_) + 0.5);
}

double Zipf::Hat(double x) const { return std::exp(-exponent_ * std::log(x)); }

// (x^(1 - s) - 1) / (1 - s), which is log(x) for s = 1.
double Zipf::Integral(double x) const {
  const double log_x = std::log(x);
  return ExpRatio((1 - exponent_) * log_x) * log_x;
}

[[gnu::always_inline]] inline double Zipf::Inverse(double area) const {
  const double x = (1 - exponent_) * area;
  if (reciprocal_ == 0) return std::exp(LogRatio(x) * area);
  const double base = std::max(1 + x, 0x1p-1022);  // Rounding must not bring it to 0.
  if (whole_ > 0) return WholePower(base, static_cast<uint64_t>(whole_));
  if (whole_ < 0) return 1 / WholePower(base, static_cast<uint64_t>(-whole_));
  return std::exp(std::log(base) * reciprocal_);
}

[[gnu::always_inline]] inline uint64_t Zipf::Next(Random& random) const {
  for (;;) {
    const double area = most_area_ + UnitOf(random.Next()) * (least_area_ - most_area_);
    const double x = Inverse(area);
    const auto rank = std::clamp<int64_t>(static_cast<int64_t>(x + 0.5), 1, n_);
    const auto k = static_cast<double>(rank);
    if (k - x <= squeeze_ || area >= Integral(k + 0.5) - Hat(k)) [[likely]] {
      return static_cast<uint64_t>(rank) - 1;
    }
  }
}

uint64_t Zipf::Draw(Random& random) const { return Next(random); }

void Zipf::Fill(std::span<uint64_t> out, Random& random) const {
  for (uint64_t& rank : out) rank = Next(random);
}

const double YcsbZipf::kToTheta = std::pow(0.5, kTheta);
const double YcsbZipf::kEta =
    (1 - std::pow(2.0 / kItems, 1 - kTheta)) / (1 - (1.0 + 1 / std::pow(2.0, kTheta)) / kZetaN);

uint64_t YcsbZipf::PreciseRankOf(double base) {
  static const double alpha = 1.0 / (1.0 - kTheta);
  return static_cast<uint64_t>(kItems * std::pow(base, alpha));
}

namespace {

using Kind = KeyDistributionPlan::Kind;
static_assert(RowOf(Kind::kExponential).name == "exponential");  // The rows have the kinds' order.

// YCSB's exponential.percentile and exponential.frac. Its comment says 1/7, but its value is 6/7.
constexpr double kPercentile = 95;
constexpr double kFraction = 0.8571428571;

}  // namespace

bool KeyDistributionPlan::operator==(const KeyDistributionPlan& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kZipf || kind == Kind::kLatest) return exponent == other.exponent;
  return kind != Kind::kHotspot ||
         (hot_keys == other.hot_keys && hot_requests == other.hot_requests);
}

std::optional<Kind> DistributionKindOf(std::string_view name) {
  const auto* const it = std::ranges::find(kKeyDistributions, name, &KeyDistributionRow::name);
  if (it == std::end(kKeyDistributions)) return std::nullopt;
  return static_cast<Kind>(it - std::begin(kKeyDistributions));
}

std::vector<std::string> DistributionNames() {
  std::vector<std::string> names;
  for (const KeyDistributionRow& row : kKeyDistributions) {
    if (!row.is_order) names.emplace_back(row.name);
  }
  return names;
}

KeyDistribution::KeyDistribution(const KeyDistributionPlan& plan, uint64_t n)
    : plan_(plan), zipf_(n, plan.exponent), ycsb_zipf_(std::max<uint64_t>(n, 1)) {
  Grow(n);
}

void KeyDistribution::Grow(uint64_t n) {
  n_ = std::max<uint64_t>(n, 1);
  switch (plan_.kind) {
    case Kind::kUniform:
    case Kind::kSequential:
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

uint64_t KeyDistribution::DrawOther(Random& random) const {
  switch (plan_.kind) {
    case Kind::kUniform:
    case Kind::kYcsbZipf:  // Drawn by the caller.
      break;
    case Kind::kZipf:
      return zipf_.Draw(random);
    case Kind::kLatest:
      return n_ - 1 - zipf_.Draw(random);
    case Kind::kHotspot: {
      const bool is_hot = UnitOf(random.Next()) < plan_.hot_requests;
      if (is_hot || hot_ == n_) return random.Below(hot_);
      return hot_ + random.Below(n_ - hot_);
    }
    case Kind::kExponential:
      for (;;) {  // As in YCSB, positions before the first are drawn again.
        const double distance = -std::log1p(-UnitOf(random.Next())) * mean_;
        if (distance < static_cast<double>(n_)) return n_ - 1 - static_cast<uint64_t>(distance);
      }
    case Kind::kSequential:
      return (plan_.first + drawn_++ * plan_.step) % n_;
  }
  return random.Below(n_);
}

void KeyDistribution::Fill(std::span<uint64_t> out, Random& random) const {
  if (plan_.kind == Kind::kZipf) {
    zipf_.Fill(out, random);
  } else {
    for (uint64_t& position : out) position = Draw(random);
  }
}

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
  // The seed is the number of ranges alone, so the same ranges are hot for all engines and threads.
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
    // Rounding may leave the last end a little below 1.
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
