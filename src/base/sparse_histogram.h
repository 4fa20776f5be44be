// A histogram of which only the buckets that are not empty are kept: some kilobytes instead of 58,
// for the many of a time series. Made of a Histogram and given back as one, exactly.
#ifndef LEVELFIELD_BASE_SPARSE_HISTOGRAM_H_
#define LEVELFIELD_BASE_SPARSE_HISTOGRAM_H_

#include <limits>
#include <vector>

#include "base/histogram.h"

namespace levelfield {

class SparseHistogram {
 public:
  SparseHistogram() = default;
  explicit SparseHistogram(const Histogram& histogram)
      : buckets_(histogram.NonEmpty()),
        sum_(histogram.Sum()),
        min_(histogram.Min()),
        max_(histogram.Max()) {}

  void Merge(const SparseHistogram& other);

  Histogram Whole() const;
  uint64_t Count() const;
  uint64_t Max() const { return max_; }

 private:
  std::vector<Histogram::Bucket> buckets_;  // Ascending.
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_SPARSE_HISTOGRAM_H_
