// Which of n things are asked for how often: draws of positions in [0, n), where some may be hotter
// than others. What lies at a position is the caller's: a key, or the key of a record. Belongs to
// one thread.
#ifndef LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_
#define LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace levelfield {

// Uniform in [0, 1), of 53 bits.
inline double UnitOf(uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-53; }

// Ranks with Zipf's law: the k-th of n, from 0 on, has a probability in proportion to
// (k + 1)^-exponent. Exact over n, for any exponent from 0 (uniform) on, 1 included, and ready in
// constant time for any n: rejection-inversion (W. Hoermann, G. Derflinger: Rejection-inversion to
// generate variates from monotone discrete distributions, ACM TOMACS 6(3), 1996). Immutable but for
// Resize; a draw is a function of the stream that it is given.
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

  // The item for a uniform draw u in [0, 1), which YCSB takes from Java's generator.
  uint64_t ItemOf(double u) const;
  uint64_t Draw(Random& random) const { return ItemOf(UnitOf(random.Next())); }

  static uint64_t RankOf(double u);
  // FNV-1a of the eight bytes of a number, the lowest first, made positive as Java's Math.abs does.
  static uint64_t HashOf(uint64_t number);

 private:
  uint64_t items_;
};

struct KeyDistributionPlan {
  enum class Kind {
    kUniform,
    kZipf,         // Zipf's law; the first position is the hottest one.
    kYcsbZipf,     // What YCSB calls zipfian; see YcsbZipf.
    kLatest,       // Zipf's law counted back from the last position.
    kHotspot,      // `hot_requests` of the draws from the first `hot_keys` of the positions.
    kExponential,  // Counted back from the last position: 95 % in the last 0.8571428571 of them.
  };
  Kind kind = Kind::kUniform;
  double exponent = 0.99;  // Of Zipf's law.
  double hot_keys = 0.2;
  double hot_requests = 0.8;

  bool operator==(const KeyDistributionPlan&) const = default;
};

// By the names that flags and files have for them; empty: there is none of that name.
std::optional<KeyDistributionPlan::Kind> DistributionKindOf(std::string_view name);

class KeyDistribution {
 public:
  KeyDistribution(const KeyDistributionPlan& plan, uint64_t n);

  // There are more of them now, the new ones at the end. Nothing is computed over all of them.
  void Grow(uint64_t n);

  uint64_t Draw(Random& random) const;

 private:
  KeyDistributionPlan plan_;
  uint64_t n_ = 1;
  uint64_t hot_ = 1;  // Positions of a hotspot.
  double mean_ = 0;   // Of exponential distances from the end.
  Zipf zipf_;
  YcsbZipf ycsb_zipf_;
};

// Which keys a social graph's store is asked for, after Cao, Dong, Vemuri and Du: Characterizing,
// Modeling, and Benchmarking RocksDB Key-Value Workloads at Facebook (FAST 2020). The keys lie in
// ranges; how hot the i-th hottest range is follows a two-term exponential, a e^(b i) + c e^(d i),
// and which range that is a fixed shuffle says. Within a range, ranks follow the inverse of a power
// law, u = A x^B, and each rank has a key of its own. What is not set is uniform. Immutable.
struct HotRangesPlan {
  double range_a = 0;  // All four 0: every range alike.
  double range_b = 0;
  double range_c = 0;
  double range_d = 0;
  uint64_t ranges = 1;
  double key_a = 0;  // Either of them 0: every key of a range alike.
  double key_b = 0;

  bool has_hot_ranges() const {
    return range_a != 0 || range_b != 0 || range_c != 0 || range_d != 0;
  }
  bool has_hot_keys() const { return key_a != 0 && key_b != 0; }
  // How hot the i-th range is, from 1 on, to no particular sum; what is below 1e-16 is 0.
  double WeightOf(uint64_t i) const;
  // Whether the weights can be shared out: they have a finite sum above 0.
  bool IsPossible() const;
  bool operator==(const HotRangesPlan&) const = default;
};

class HotRanges {
 public:
  // For keys [0, keys), at least as many as ranges.
  HotRanges(const HotRangesPlan& plan, uint64_t keys);

  // A key from two independent uniform draws, of all 64 bits.
  uint64_t KeyOf(uint64_t range_draw, uint64_t key_draw) const;

  // The share of draws that the range at a place gets, and where its keys begin.
  double ShareAt(uint64_t place) const;
  uint64_t FirstKeyAt(uint64_t place) const;

 private:
  HotRangesPlan plan_;
  uint64_t keys_;
  std::vector<double> ends_;  // Of each place: the share of draws up to it and with it.
};

// The rank whose cumulative share is u, in (0, 1]: the least x with a x^b >= u.
uint64_t RankOf(double u, double a, double b);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_
