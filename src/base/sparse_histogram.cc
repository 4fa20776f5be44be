#include "base/sparse_histogram.h"

#include <algorithm>

namespace levelfield {

void SparseHistogram::Merge(const SparseHistogram& other) {
  std::vector<Histogram::Bucket> merged;
  merged.reserve(buckets_.size() + other.buckets_.size());
  auto mine = buckets_.begin();
  auto theirs = other.buckets_.begin();
  while (mine != buckets_.end() || theirs != other.buckets_.end()) {
    if (theirs == other.buckets_.end() ||
        (mine != buckets_.end() && mine->bucket < theirs->bucket)) {
      merged.push_back(*mine++);
    } else if (mine == buckets_.end() || theirs->bucket < mine->bucket) {
      merged.push_back(*theirs++);
    } else {
      merged.push_back({mine->bucket, mine->count + theirs->count});
      ++mine;
      ++theirs;
    }
  }
  buckets_ = std::move(merged);
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Histogram SparseHistogram::Whole() const {
  return Histogram::Restore(buckets_, sum_, min_, max_).value();
}

uint64_t SparseHistogram::Count() const {
  uint64_t count = 0;
  for (const Histogram::Bucket& bucket : buckets_) count += bucket.count;
  return count;
}

}  // namespace levelfield
