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
#include "workload/zipf.h"

namespace levelfield {

struct KeyDistributionPlan {
  enum class Kind {
    kUniform,
    kZipf,         // Zipf's law; the first position is the hottest one.
    kYcsbZipf,     // What YCSB calls zipfian; see workload/zipf.h.
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

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_DISTRIBUTION_H_
