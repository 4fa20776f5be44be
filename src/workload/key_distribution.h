// How often each of n things is asked for: draws of positions in [0, n), where some may be hotter
// than others. The caller decides what lies at a position: a key, or the key of a record. Belongs
// to one thread.
#ifndef LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_
#define LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace levelfield {

// Uniform in [0, 1), with 53 bits.
inline double UnitOf(uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-53; }

// Ranks by Zipf's law: the k-th of n, from 0 on, has a probability in proportion to (k +
// 1)^-exponent. Exact for any n and any exponent from 0 (uniform) on, 1 included. Set up in
// constant time by rejection-inversion (W. Hoermann, G. Derflinger: Rejection-inversion to generate
// variates from monotone discrete distributions, ACM TOMACS 6(3), 1996). Immutable except for
// Resize; a draw depends only on the stream that it is given.
class Zipf {
 public:
  Zipf(uint64_t n, double exponent);

  // Changes the number of ranks and keeps the exponent.
  void Resize(uint64_t n);

  uint64_t Draw(Random& random) const;
  // The same draws, one for each place.
  void Fill(std::span<uint64_t> out, Random& random) const;

 private:
  uint64_t Next(Random& random) const;
  // The hat k^-exponent, its integral from 1 on, and the inverse of the integral.
  double Hat(double x) const;
  double Integral(double x) const;
  double Inverse(double area) const;

  int64_t n_ = 1;
  double exponent_;
  double reciprocal_;  // 1 / (1 - exponent). 0: the exponent is too near 1.
  int64_t whole_;      // The same if it is a whole number, as for 0.99. 0: it is none.
  double least_area_;  // The integral up to 1.5, less the hat of 1: the first rank gets all of it.
  double most_area_ = 0;  // The integral up to n + 0.5.
  double squeeze_;        // A number this close below its rank is accepted without a further look.
};

// The "zipfian" of YCSB, number for number: the generator of Gray et al. (Quickly generating
// billion-record synthetic databases, SIGMOD 1994) over 10,000,000,001 items, with a zeta that is
// stated for 10,000,000,000. The rank is hashed, modulo the number of items. The hottest item
// always gets 3.78 % of the draws, where Zipf's law gives it 6.5 % of a million items. Two ranks
// may fall on one item.
class YcsbZipf {
 public:
  explicit YcsbZipf(uint64_t items) : items_(items) {}

  // The item for a uniform draw u in [0, 1), which YCSB takes from Java's generator.
  uint64_t ItemOf(double u) const { return HashOf(RankOf(u)) % items_; }
  uint64_t Draw(Random& random) const { return ItemOf(UnitOf(random.Next())); }

  // The constants and the order of the operations are those of ZipfianGenerator.java and
  // ScrambledZipfianGenerator.java of YCSB 0.18. There the number is a power of 1 / (1 - kTheta),
  // which is 100 less 9e-14. Ten multiplications give it to 1e-14 of itself, or 1e-4 of a rank.
  // Only where that could be another rank it is computed as YCSB does.
  static uint64_t RankOf(double u) {
    const double uz = u * kZetaN;
    if (uz < 1.0) return 0;
    if (uz < 1.0 + kToTheta) return 1;
    const double base = kEta * u - kEta + 1;
    const double to_4 = base * base * base * base;
    const double to_8 = to_4 * to_4;
    const double to_16 = to_8 * to_8;
    const double to_32 = to_16 * to_16;
    const double number = kItems * (to_32 * to_32 * to_32 * to_4);
    const auto rank = static_cast<int64_t>(number);
    const double part = number - static_cast<double>(rank);
    if (part < kError || part > 1 - kError) [[unlikely]] {
      return PreciseRankOf(base);
    }
    return static_cast<uint64_t>(rank);
  }

  // FNV-1a of the eight bytes of a number, the lowest first, made positive as Java's Math.abs does.
  static uint64_t HashOf(uint64_t number) {
    constexpr uint64_t kPrime = 1099511628211;
    const auto add = [](uint64_t hash, uint64_t bytes) { return (hash ^ (bytes & 0xff)) * kPrime; };
    uint64_t hash = 0xcbf29ce484222325;
    hash = add(add(add(add(hash, number), number >> 8), number >> 16), number >> 24);
    hash = add(hash, number >> 32);
    if (number >> 40 == 0) [[likely]] {  // No rank has more than five bytes.
      hash *= kPrime * kPrime * kPrime;
    } else {
      hash = add(add(add(hash, number >> 40), number >> 48), number >> 56);
    }
    return hash >> 63 == 0 ? hash : 0 - hash;
  }

 private:
  static constexpr double kTheta = 0.99;
  static constexpr double kZetaN = 26.46902820178302;
  static constexpr double kItems = 10'000'000'001.0;
  static constexpr double kError = 1e-3;
  static const double kToTheta;  // 0.5 to the power of kTheta.
  static const double kEta;

  // For a base that is computed above.
  static uint64_t PreciseRankOf(double base);

  uint64_t items_;
};

struct KeyDistributionPlan {
  enum class Kind {
    kUniform,
    kZipf,      // Zipf's law; the first position is the hottest one.
    kYcsbZipf,  // YCSB's zipfian; see YcsbZipf.
    kLatest,    // Zipf's law counted back from the last position.
    kHotspot,   // `hot_requests` of the draws from the first `hot_keys` of the positions.
    // Counted back from the last position: 95 % of the draws in the last 0.8571428571 of them, and
    // 98 % once those before the first position are drawn again.
    kExponential,
    kSequential,  // One position after another, over and over. No draw is made.
  };
  Kind kind = Kind::kUniform;
  double exponent = 0.99;  // For Zipf's law.
  double hot_keys = 0.2;   // For kHotspot, as the next one.
  double hot_requests = 0.8;
  uint64_t first = 0;  // For kSequential: the position that comes first,
  uint64_t step = 1;   // and how far apart they are.

  // Whether they draw alike: without regard to what their kind does not use.
  bool operator==(const KeyDistributionPlan& other) const;
};

struct KeyDistributionRow {
  std::string_view name;  // In flags and files.
  bool grows = false;     // With each insert of YCSB: its hot records move with the newest one.
  // Its hot keys are spread over all, unless a file says `contiguous`. YCSB's zipfian spreads them
  // by itself, and the others depend on how new a key is.
  bool is_scattered = false;
  bool is_order = false;  // Not drawn, so no flag takes it: only YCSB's requests have it.
};
// One for each kind, in their order.
inline constexpr KeyDistributionRow kKeyDistributions[] = {
    {.name = "uniform"},
    {.name = "zipf", .grows = true, .is_scattered = true},
    {.name = "ycsb-zipf"},
    {.name = "latest", .grows = true},
    {.name = "hotspot", .is_scattered = true},
    {.name = "exponential", .grows = true},
    {.name = "sequential", .is_order = true}};
constexpr const KeyDistributionRow& RowOf(KeyDistributionPlan::Kind kind) {
  return kKeyDistributions[static_cast<size_t>(kind)];
}

// Empty: no such name.
std::optional<KeyDistributionPlan::Kind> DistributionKindOf(std::string_view name);
std::vector<std::string> DistributionNames();  // Those that flags take.

class KeyDistribution {
 public:
  KeyDistribution(const KeyDistributionPlan& plan, uint64_t n);

  // Adds new positions at the end. Nothing is computed over all of them.
  void Grow(uint64_t n);

  uint64_t Draw(Random& random) const {
    if (plan_.kind == KeyDistributionPlan::Kind::kYcsbZipf) return ycsb_zipf_.Draw(random);
    return DrawOther(random);
  }
  // The same draws, one for each place. Zipf's law is not looked up for each of them.
  void Fill(std::span<uint64_t> out, Random& random) const;

 private:
  uint64_t DrawOther(Random& random) const;

  KeyDistributionPlan plan_;
  uint64_t n_ = 1;
  uint64_t hot_ = 1;            // Positions in a hotspot.
  double mean_ = 0;             // For exponential distances from the end.
  mutable uint64_t drawn_ = 0;  // In sequence.
  Zipf zipf_;
  YcsbZipf ycsb_zipf_;
};

// The keys that a social graph's store is asked for, after Cao, Dong, Vemuri and Du:
// Characterizing, Modeling, and Benchmarking RocksDB Key-Value Workloads at Facebook (FAST 2020).
// The keys lie in ranges. The heat of the i-th hottest range follows a two-term exponential, a e^(b
// i) + c e^(d i), and a fixed shuffle decides which range that is. Within a range, ranks follow the
// inverse of a power law, u = A x^B, and each rank has a key of its own. Unset parameters mean
// uniform. Immutable.
struct HotRangesPlan {
  double range_a = 0;  // All four 0: every range alike.
  double range_b = 0;
  double range_c = 0;
  double range_d = 0;
  uint64_t ranges = 1;
  double key_a = 0;  // If either is 0: every key of a range alike.
  double key_b = 0;

  bool has_hot_ranges() const {
    return range_a != 0 || range_b != 0 || range_c != 0 || range_d != 0;
  }
  bool has_hot_keys() const { return key_a != 0 && key_b != 0; }
  // The heat of the i-th range, from 1 on. The sum is arbitrary; a heat below 1e-16 counts as 0.
  double WeightOf(uint64_t i) const;
  // Whether the weights can be shared out: their sum is finite and above 0.
  bool IsPossible() const;
  bool operator==(const HotRangesPlan&) const = default;
};

class HotRanges {
 public:
  // For keys [0, keys), at least as many as there are ranges.
  HotRanges(const HotRangesPlan& plan, uint64_t keys);

  // A key from two independent uniform draws, of all 64 bits.
  uint64_t KeyOf(uint64_t range_draw, uint64_t key_draw) const;

  // The share of draws that the range at a place gets, and where its keys begin.
  double ShareAt(uint64_t place) const;
  uint64_t FirstKeyAt(uint64_t place) const;

 private:
  HotRangesPlan plan_;
  uint64_t keys_;
  std::vector<double> ends_;  // By place: the cumulative share of draws, this place included.
};

// The rank whose cumulative share is u, in (0, 1]: the least x with a x^b >= u.
uint64_t RankOf(double u, double a, double b);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_
