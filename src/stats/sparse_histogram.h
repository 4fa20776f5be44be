// A histogram of which only the buckets that are not empty are kept, packed: two or three bytes for
// each instead of 58 KiB for all, for the many that a result and a time series have. It is read as
// a Histogram is, and made of one and given back as one, exactly. Adding to it takes as long as it
// has buckets, so whatever records many values records them into a Histogram.
#ifndef LEVELFIELD_STATS_SPARSE_HISTOGRAM_H_
#define LEVELFIELD_STATS_SPARSE_HISTOGRAM_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stats/histogram.h"

namespace levelfield {

class SparseHistogram {
 public:
  SparseHistogram() = default;
  // Implicit: what takes one to read takes the other.
  SparseHistogram(const Histogram& histogram);  // NOLINT(google-explicit-constructor)

  void Add(uint64_t value);
  void Merge(const SparseHistogram& other);
  Histogram Whole() const;

  // As Histogram's.
  uint64_t Count() const { return count_; }
  uint64_t Sum() const { return sum_; }
  uint64_t Min() const { return min_; }
  uint64_t Max() const { return max_; }
  std::optional<uint64_t> Percentile(double p) const;
  std::vector<Histogram::Bucket> NonEmpty() const;
  // In any order.
  static std::optional<SparseHistogram> Restore(std::vector<Histogram::Bucket> buckets,
                                                uint64_t sum, uint64_t min, uint64_t max);

 private:
  class Reader;
  class Writer;

  // Of each bucket, ascending: how far it is from the one before, and its count, both in groups of
  // seven bits, the lowest first, of which all but the last have the eighth bit set.
  std::string packed_;
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_SPARSE_HISTOGRAM_H_
