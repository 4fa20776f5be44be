// Ranks with Zipf's law: the k-th of n, from 0 on, has a probability in proportion to
// (k + 1)^-exponent. Exact over n, for any exponent from 0 (uniform) on, 1 included, and ready in
// constant time for any n: rejection-inversion (W. Hoermann, G. Derflinger: Rejection-inversion to
// generate variates from monotone discrete distributions, ACM TOMACS 6(3), 1996). Immutable but for
// Resize; a draw is a function of the stream that it is given.
#ifndef LEVELFIELD_WORKLOAD_ZIPF_H_
#define LEVELFIELD_WORKLOAD_ZIPF_H_

#include <cstdint>

#include "base/random.h"

namespace levelfield {

// Uniform in [0, 1), of 53 bits.
inline double UnitOf(uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-53; }

class Zipf {
 public:
  Zipf(uint64_t n, double exponent);

  // Another number of ranks, of the same exponent.
  void Resize(uint64_t n);

  uint64_t Draw(Random& random) const;

 private:
  // The hat k^-exponent, its integral from 1 on, and the inverse of that.
  double Hat(double x) const;
  double Integral(double x) const;
  double Inverse(double area) const;

  uint64_t n_ = 1;
  double exponent_;
  double least_area_;  // The integral up to 1.5, less the hat of 1: the first rank has all of it.
  double most_area_ = 0;  // The integral up to n + 0.5.
  double squeeze_;        // As near to its rank from below, a number need not be looked at further.
};

// The "zipfian" of YCSB, number for number: the generator of Gray et al. (Quickly generating
// billion-record synthetic databases, SIGMOD 1994) over 10,000,000,001 items with a zeta that is
// stated for 10,000,000,000 of them, whose rank is hashed, modulo the items that there are. The
// hottest item gets 3.78 % of the draws however many there are, where Zipf's law has 6.5 % for a
// million; and two ranks may fall on one item.
class YcsbZipf {
 public:
  explicit YcsbZipf(uint64_t items) : items_(items) {}

  // Of a uniform draw u in [0, 1), which YCSB takes from Java's generator.
  uint64_t ItemOf(double u) const;
  uint64_t Draw(Random& random) const { return ItemOf(UnitOf(random.Next())); }

  static uint64_t RankOf(double u);
  // FNV-1a of the eight bytes of a number, the lowest first, made positive as Java's Math.abs does.
  static uint64_t HashOf(uint64_t number);

 private:
  uint64_t items_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_ZIPF_H_
