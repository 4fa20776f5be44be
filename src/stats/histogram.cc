#include "stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

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
  // A decimal p has no exact binary share; 1e-6 keeps n = 1,000, p = 0.99 at its ten.
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

// Reads the buckets one after another.
class SparseHistogram::Reader {
 public:
  explicit Reader(const SparseHistogram& histogram) : rest_(histogram.packed_) { Next(); }

  bool AtEnd() const { return is_at_end_; }
  const Histogram::Bucket& operator*() const { return now_; }
  void Next() {
    is_at_end_ = rest_.empty();
    if (is_at_end_) return;
    now_.bucket += Number();
    now_.count = Number();
  }

 private:
  uint64_t Number() {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto group = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      number |= uint64_t{group & 0x7fu} << shift;
      if (group < 0x80) return number;
    }
  }

  std::string_view rest_;
  Histogram::Bucket now_ = {0, 0};
  bool is_at_end_ = false;
};

class SparseHistogram::Writer {
 public:
  // Adds a bucket beyond the last one.
  void Add(const Histogram::Bucket& bucket) {
    Number(bucket.bucket - last_);
    Number(bucket.count);
    last_ = bucket.bucket;
  }
  // Without spare capacity.
  std::string Packed() && {
    packed_.shrink_to_fit();
    return std::move(packed_);
  }

 private:
  void Number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) packed_ += static_cast<char>(number | 0x80);
    packed_ += static_cast<char>(number);
  }

  std::string packed_;
  uint64_t last_ = 0;
};

SparseHistogram::SparseHistogram(const Histogram& histogram)
    : count_(histogram.Count()),
      sum_(histogram.Sum()),
      min_(histogram.Min()),
      max_(histogram.Max()) {
  Writer writer;
  for (const Histogram::Bucket& bucket : histogram.NonEmpty()) writer.Add(bucket);
  packed_ = std::move(writer).Packed();
}

void SparseHistogram::Add(uint64_t value) {
  SparseHistogram one;
  Writer writer;
  writer.Add({Histogram::BucketOf(value), 1});
  one.packed_ = std::move(writer).Packed();
  one.count_ = 1;
  one.sum_ = one.min_ = one.max_ = value;
  Merge(one);
}

void SparseHistogram::Merge(const SparseHistogram& other) {
  Writer merged;
  Reader mine(*this);
  Reader theirs(other);
  while (!mine.AtEnd() || !theirs.AtEnd()) {
    if (theirs.AtEnd() || (!mine.AtEnd() && (*mine).bucket < (*theirs).bucket)) {
      merged.Add(*mine);
      mine.Next();
    } else if (mine.AtEnd() || (*theirs).bucket < (*mine).bucket) {
      merged.Add(*theirs);
      theirs.Next();
    } else {
      merged.Add({(*mine).bucket, (*mine).count + (*theirs).count});
      mine.Next();
      theirs.Next();
    }
  }
  packed_ = std::move(merged).Packed();
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Histogram SparseHistogram::Whole() const {
  return Histogram::Restore(NonEmpty(), sum_, min_, max_).value();
}

std::optional<uint64_t> SparseHistogram::Percentile(double p) const {
  const std::optional<uint64_t> rank = Histogram::RankOf(p, count_);
  if (!rank) return std::nullopt;
  uint64_t seen = 0;
  for (Reader reader(*this); !reader.AtEnd(); reader.Next()) {
    seen += (*reader).count;
    if (seen >= *rank) return std::clamp(Histogram::MiddleOf((*reader).bucket), min_, max_);
  }
  return max_;
}

std::vector<Histogram::Bucket> SparseHistogram::NonEmpty() const {
  std::vector<Histogram::Bucket> buckets;
  for (Reader reader(*this); !reader.AtEnd(); reader.Next()) buckets.push_back(*reader);
  return buckets;
}

std::optional<SparseHistogram> SparseHistogram::Restore(std::vector<Histogram::Bucket> buckets,
                                                        uint64_t sum, uint64_t min, uint64_t max) {
  std::ranges::stable_sort(buckets, {}, &Histogram::Bucket::bucket);
  SparseHistogram histogram;
  Writer writer;
  for (auto it = buckets.begin(); it != buckets.end();) {
    if (it->bucket >= Histogram::kBuckets) return std::nullopt;
    Histogram::Bucket all = {it->bucket, 0};
    for (; it != buckets.end() && it->bucket == all.bucket; ++it) {
      if (__builtin_add_overflow(histogram.count_, it->count, &histogram.count_)) {
        return std::nullopt;
      }
      all.count += it->count;
    }
    if (all.count != 0) writer.Add(all);
  }
  if (histogram.count_ != 0 && min > max) return std::nullopt;
  histogram.packed_ = std::move(writer).Packed();
  histogram.sum_ = sum;
  histogram.min_ = min;
  histogram.max_ = max;
  return histogram;
}

}  // namespace levelfield
