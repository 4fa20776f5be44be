#include "stats/histogram.h"

#include <cmath>
#include <numeric>

namespace levelfield {

void Histogram::Merge(const Histogram& other) {
  std::transform(counts_.begin(), counts_.end(), other.counts_.begin(), counts_.begin(),
                 std::plus<>());
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::Clear() {
  std::ranges::fill(counts_, 0);
  sum_ = 0;
  min_ = std::numeric_limits<uint64_t>::max();
  max_ = 0;
}

uint64_t Histogram::Count() const {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

std::optional<uint64_t> Histogram::RankOf(double p, uint64_t count) {
  const double beyond = static_cast<double>(count) * (1 - p);
  // A share of a decimal p is not exact in binary; 1e-6 keeps n = 1,000, p = 0.99 at its ten.
  if (beyond < 10 - 1e-6) return std::nullopt;
  const auto rank = static_cast<uint64_t>(std::ceil(p * static_cast<double>(count) - 1e-6));
  return std::max<uint64_t>(rank, 1);
}

std::optional<uint64_t> Histogram::Percentile(double p) const {
  const std::optional<uint64_t> rank = RankOf(p, Count());
  if (!rank) return std::nullopt;
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[bucket];
    if (seen >= *rank) return std::clamp(MiddleOf(bucket), min_, max_);
  }
  return max_;
}

std::vector<Histogram::Bucket> Histogram::NonEmpty() const {
  std::vector<Bucket> buckets;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    if (counts_[bucket] != 0) buckets.push_back({bucket, counts_[bucket]});
  }
  return buckets;
}

std::optional<Histogram> Histogram::Restore(const std::vector<Bucket>& buckets, uint64_t sum,
                                            uint64_t min, uint64_t max) {
  Histogram histogram;
  uint64_t total = 0;
  for (const Bucket& entry : buckets) {
    if (entry.bucket >= kBuckets) return std::nullopt;
    if (__builtin_add_overflow(total, entry.count, &total)) return std::nullopt;
    histogram.counts_[entry.bucket] += entry.count;
  }
  if (total != 0 && min > max) return std::nullopt;
  histogram.sum_ = sum;
  histogram.min_ = min;
  histogram.max_ = max;
  return histogram;
}

}  // namespace levelfield
