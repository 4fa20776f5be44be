// Which keys a social graph's store is asked for, after Cao, Dong, Vemuri and Du: Characterizing,
// Modeling, and Benchmarking RocksDB Key-Value Workloads at Facebook (FAST 2020). The keys lie in
// ranges; how hot the i-th hottest range is follows a two-term exponential, a e^(b i) + c e^(d i),
// and which range that is a fixed shuffle says. Within a range, ranks follow the inverse of a power
// law, u = A x^B, and each rank has a key of its own. What is not set is uniform. Immutable.
#ifndef LEVELFIELD_WORKLOAD_HOT_RANGES_H_
#define LEVELFIELD_WORKLOAD_HOT_RANGES_H_

#include <cstdint>
#include <vector>

namespace levelfield {

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
  // Of keys [0, keys), of which there are at least as many as ranges.
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

#endif  // LEVELFIELD_WORKLOAD_HOT_RANGES_H_
