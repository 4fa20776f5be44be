#include "stats/sparse_histogram.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace levelfield {
namespace {

void ExpectSame(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.Sum(), b.Sum());
  EXPECT_EQ(a.Min(), b.Min());
  EXPECT_EQ(a.Max(), b.Max());
  const auto of_a = a.NonEmpty();
  const auto of_b = b.NonEmpty();
  ASSERT_EQ(of_a.size(), of_b.size());
  for (size_t i = 0; i < of_a.size(); ++i) {
    EXPECT_EQ(of_a[i].bucket, of_b[i].bucket);
    EXPECT_EQ(of_a[i].count, of_b[i].count);
  }
}

Histogram Draws(uint64_t seed, size_t count, int shift) {
  Random random(seed);
  Histogram histogram;
  for (size_t i = 0; i < count; ++i) histogram.Add(random.Next() >> (random.Next() % 20 + shift));
  return histogram;
}

TEST(SparseHistogram, GivesBackTheHistogramThatItWasMadeOf) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{100}, size_t{10'000}}) {
    const Histogram histogram = Draws(count + 1, count, 30);
    ExpectSame(SparseHistogram(histogram).Whole(), histogram);
    EXPECT_EQ(SparseHistogram(histogram).Count(), count);
  }
}

TEST(SparseHistogram, MergesAsTheWholeOnesDo) {
  SparseHistogram sparse;
  Histogram whole;
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const Histogram part = Draws(seed, seed * 7 % 5 * 100, seed % 2 == 0 ? 20 : 44);
    sparse.Merge(SparseHistogram(part));
    whole.Merge(part);
    ExpectSame(sparse.Whole(), whole);
  }
}

TEST(SparseHistogram, IsReadAsTheWholeOneIs) {
  for (const size_t count : {size_t{0}, size_t{9}, size_t{1000}, size_t{20'000}}) {
    const Histogram histogram = Draws(count + 3, count, 20);
    const SparseHistogram sparse(histogram);
    EXPECT_EQ(sparse.Count(), histogram.Count());
    for (const double p : {0.001, 0.5, 0.9, 0.99, 0.999, 0.9999}) {
      EXPECT_EQ(sparse.Percentile(p), histogram.Percentile(p)) << p << " of " << count;
    }
  }
}

TEST(SparseHistogram, TakesOneValueAfterTheOther) {
  SparseHistogram sparse;
  Histogram whole;
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const uint64_t value = random.Next() >> (random.Next() % 60);
    sparse.Add(value);
    whole.Add(value);
  }
  ExpectSame(sparse.Whole(), whole);
}

TEST(SparseHistogram, IsRestoredFromBucketsInAnyOrder) {
  const auto restored = SparseHistogram::Restore({{900, 2}, {3, 1}, {900, 5}, {4, 0}}, 100, 3, 70);
  ASSERT_TRUE(restored);
  const auto whole = Histogram::Restore({{900, 2}, {3, 1}, {900, 5}, {4, 0}}, 100, 3, 70);
  ExpectSame(restored->Whole(), *whole);
  EXPECT_EQ(restored->Count(), 8u);
}

TEST(SparseHistogram, RefusesBucketsThatNoValuesFill) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  EXPECT_FALSE(SparseHistogram::Restore({{Histogram::kBuckets, 1}}, 1, 1, 1));
  EXPECT_FALSE(SparseHistogram::Restore({{1, kMost}, {2, 1}}, 1, 1, 1));
  EXPECT_FALSE(SparseHistogram::Restore({{1, 1}}, 1, 2, 1));
  EXPECT_TRUE(SparseHistogram::Restore({}, 0, kMost, 0));
}

}  // namespace
}  // namespace levelfield
