// A log-linear histogram of nanoseconds: 128 buckets to every power of two, so a bucket is at most
// 0.78 % wide; values below 256 are exact. It covers all of 64 bits, so nothing is dropped or
// clamped, a stall of 20 s included. Count, sum, minimum and maximum beside it are exact.
//
// Private to one thread while it records (58 KiB); merged by addition. Percentiles of several
// threads or runs come from the merged histogram and are never averaged.
#ifndef LEVELFIELD_STATS_HISTOGRAM_H_
#define LEVELFIELD_STATS_HISTOGRAM_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace levelfield {

class Histogram {
 public:
  static constexpr int kSubBucketBits = 7;
  static constexpr size_t kBuckets =
      ((64 - kSubBucketBits) << kSubBucketBits) + (1 << kSubBucketBits);

  static constexpr size_t BucketOf(uint64_t value) {
    const int shift =
        static_cast<int>(std::bit_width(value | (1 << kSubBucketBits))) - (kSubBucketBits + 1);
    return (static_cast<size_t>(shift) << kSubBucketBits) + (value >> shift);
  }
  static constexpr uint64_t LowestOf(size_t bucket) {
    if (bucket < (2 << kSubBucketBits)) return bucket;
    const size_t shift = (bucket >> kSubBucketBits) - 1;
    return ((bucket & ((1 << kSubBucketBits) - 1)) | (1 << kSubBucketBits)) << shift;
  }
  static constexpr uint64_t HighestOf(size_t bucket) {
    return bucket + 1 < kBuckets ? LowestOf(bucket + 1) - 1 : std::numeric_limits<uint64_t>::max();
  }
  static constexpr uint64_t MiddleOf(size_t bucket) {
    return LowestOf(bucket) + (HighestOf(bucket) - LowestOf(bucket)) / 2;
  }

  Histogram() : counts_(kBuckets) {}

  void Add(uint64_t value) {
    ++counts_[BucketOf(value)];
    sum_ += value;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  void Merge(const Histogram& other);
  void Clear();

  uint64_t Count() const;
  uint64_t Sum() const { return sum_; }
  uint64_t Min() const { return min_; }  // UINT64_MAX if nothing was added.
  uint64_t Max() const { return max_; }

  // The value below which a share p (0 < p < 1) of the values lies: the middle of its bucket,
  // within [Min, Max]. Empty if fewer than ten values lie beyond it, n(1-p) < 10: such a percentile
  // would be an anecdote.
  std::optional<uint64_t> Percentile(double p) const;
  // The rank of that value among `count`, from 1 on; empty as above.
  static std::optional<uint64_t> RankOf(double p, uint64_t count);

  // The non-empty buckets, for storage: (bucket, count), ascending.
  struct Bucket {
    uint64_t bucket;
    uint64_t count;
  };
  std::vector<Bucket> NonEmpty() const;
  // The inverse of NonEmpty. Returns nothing for buckets beyond kBuckets, more than 2^64 values, or
  // a minimum above the maximum.
  static std::optional<Histogram> Restore(const std::vector<Bucket>& buckets, uint64_t sum,
                                          uint64_t min, uint64_t max);

 private:
  std::vector<uint64_t> counts_;
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

// A histogram that keeps only its non-empty buckets, packed: two or three bytes for each instead of
// 58 KiB for all. A result and a time series have many of these. It reads like a Histogram and
// converts from and to one exactly. Adding to it takes time in proportion to its buckets, so code
// that records many values uses a Histogram.
class SparseHistogram {
 public:
  SparseHistogram() = default;
  // Implicit: whoever reads one reads the other.
  SparseHistogram(const Histogram& histogram);  // NOLINT(google-explicit-constructor)

  void Add(uint64_t value);
  void Merge(const SparseHistogram& other);
  Histogram Whole() const;

  // As in Histogram.
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

  // For each bucket, ascending: its distance from the one before, and its count. Both are in groups
  // of seven bits, the lowest first; all groups but the last have the eighth bit set.
  std::string packed_;
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_HISTOGRAM_H_
