#include "workload/zipf.h"

#include <algorithm>
#include <cmath>

namespace levelfield {
namespace {

// (e^x - 1) / x and log(1 + x) / x: where x nears 0, which is where the exponent nears 1, the
// quotients of small numbers would lose their digits.
double ExpRatio(double x) { return x == 0 ? 1 : std::expm1(x) / x; }
double LogRatio(double x) { return x == 0 ? 1 : std::log1p(x) / x; }

}  // namespace

Zipf::Zipf(uint64_t n, double exponent) : exponent_(exponent) {
  least_area_ = Integral(1.5) - 1;
  squeeze_ = 2 - Inverse(Integral(2.5) - Hat(2));
  Resize(n);
}

void Zipf::Resize(uint64_t n) {
  n_ = std::max<uint64_t>(n, 1);
  most_area_ = Integral(static_cast<double>(n_) + 0.5);
}

double Zipf::Hat(double x) const { return std::exp(-exponent_ * std::log(x)); }

// (x^(1 - s) - 1) / (1 - s), which is log(x) for s = 1.
double Zipf::Integral(double x) const {
  const double log_x = std::log(x);
  return ExpRatio((1 - exponent_) * log_x) * log_x;
}

double Zipf::Inverse(double area) const {
  // Not below -1, whatever was rounded.
  const double x = std::max((1 - exponent_) * area, -1.0);
  return std::exp(LogRatio(x) * area);
}

uint64_t Zipf::Draw(Random& random) const {
  for (;;) {
    const double area = most_area_ + UnitOf(random.Next()) * (least_area_ - most_area_);
    const double x = Inverse(area);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(n_));
    if (k - x <= squeeze_ || area >= Integral(k + 0.5) - Hat(k)) {
      return static_cast<uint64_t>(k) - 1;
    }
  }
}

// The constants and the order of the operations are those of ZipfianGenerator.java and
// ScrambledZipfianGenerator.java of YCSB 0.18.
uint64_t YcsbZipf::RankOf(double u) {
  constexpr double kTheta = 0.99;
  constexpr double kZetaN = 26.46902820178302;
  constexpr double kItems = 10'000'000'001.0;
  static const double second = std::pow(0.5, kTheta);
  static const double alpha = 1.0 / (1.0 - kTheta);
  static const double eta =
      (1 - std::pow(2.0 / kItems, 1 - kTheta)) / (1 - (1.0 + 1 / std::pow(2.0, kTheta)) / kZetaN);
  const double uz = u * kZetaN;
  if (uz < 1.0) return 0;
  if (uz < 1.0 + second) return 1;
  return static_cast<uint64_t>(kItems * std::pow(eta * u - eta + 1, alpha));
}

uint64_t YcsbZipf::HashOf(uint64_t number) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < 8; ++i) {
    hash ^= number & 0xff;
    hash *= 1099511628211;
    number >>= 8;
  }
  return hash >> 63 == 0 ? hash : 0 - hash;
}

uint64_t YcsbZipf::ItemOf(double u) const { return HashOf(RankOf(u)) % items_; }

}  // namespace levelfield
