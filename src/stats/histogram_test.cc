#include "stats/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"

namespace levelfield::histogram_test {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

double Uniform01(Random& random) {
  return (static_cast<double>(random.Next() >> 11) + 0.5) * 0x1p-53;
}

std::vector<uint64_t> Lognormal(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) {
    const double normal = std::sqrt(-2 * std::log(Uniform01(random))) *
                          std::cos(2 * std::numbers::pi * Uniform01(random));
    value = static_cast<uint64_t>(std::exp(9 + 1.5 * normal));
  }
  return values;
}

// Values without a mean: the largest is as large as all the others together.
std::vector<uint64_t> Pareto(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) {
    value = static_cast<uint64_t>(500 / Uniform01(random));
  }
  return values;
}

Histogram Of(const std::vector<uint64_t>& values) {
  Histogram histogram;
  for (const uint64_t value : values) histogram.Add(value);
  return histogram;
}

void ExpectSame(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.Sum(), b.Sum());
  EXPECT_EQ(a.Min(), b.Min());
  EXPECT_EQ(a.Max(), b.Max());
  const auto ours = a.NonEmpty();
  const auto theirs = b.NonEmpty();
  ASSERT_EQ(ours.size(), theirs.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(ours[i].bucket, theirs[i].bucket);
    ASSERT_EQ(ours[i].count, theirs[i].count);
  }
}

TEST(Histogram, BucketsAreContiguousOverAll64Bits) {
  EXPECT_EQ(Histogram::LowestOf(0), 0u);
  for (size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t lowest = Histogram::LowestOf(bucket);
    const uint64_t highest = Histogram::HighestOf(bucket);
    ASSERT_LE(lowest, highest) << bucket;
    ASSERT_EQ(Histogram::BucketOf(lowest), bucket);
    ASSERT_EQ(Histogram::BucketOf(highest), bucket);
    if (bucket + 1 < Histogram::kBuckets) {
      ASSERT_EQ(Histogram::BucketOf(highest + 1), bucket + 1);
    }
  }
  EXPECT_EQ(Histogram::BucketOf(kMost), Histogram::kBuckets - 1);
}

TEST(Histogram, BucketsAreExactBelow256AndAtMost078PercentWide) {
  for (size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const uint64_t lowest = Histogram::LowestOf(bucket);
    const uint64_t beyond_first = Histogram::HighestOf(bucket) - lowest;
    if (lowest < 256) {
      ASSERT_EQ(beyond_first, 0u) << bucket;
    } else {
      const double width = static_cast<double>(beyond_first) + 1;
      ASSERT_LE(width / static_cast<double>(lowest), 1.0 / 128) << bucket;
    }
  }
}

void ExpectPercentilesOfTheTruth(std::vector<uint64_t> values) {
  const Histogram histogram = Of(values);
  std::ranges::sort(values);
  EXPECT_EQ(histogram.Count(), values.size());
  EXPECT_EQ(histogram.Min(), values.front());
  EXPECT_EQ(histogram.Max(), values.back());
  for (const double p : {0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999}) {
    const auto rank = static_cast<size_t>(std::ceil(p * static_cast<double>(values.size()) - 1e-6));
    const auto truth = static_cast<double>(values[rank - 1]);
    const auto percentile = histogram.Percentile(p);
    ASSERT_TRUE(percentile.has_value()) << p;
    EXPECT_NEAR(static_cast<double>(*percentile) / truth, 1, 0.008) << "p" << 100 * p;
  }
}

TEST(Histogram, PercentilesOfALognormalAreWithin08PercentOfTheSortedTruth) {
  ExpectPercentilesOfTheTruth(Lognormal(2'000'000, 1));
}

TEST(Histogram, PercentilesOfAParetoAreWithin08PercentOfTheSortedTruth) {
  ExpectPercentilesOfTheTruth(Pareto(1'000'000, 2));
}

TEST(Histogram, AStallOf20SecondsIsTheMaximum) {
  Histogram histogram = Of(std::vector<uint64_t>(100'000, 1500));
  histogram.Add(20'000'000'000);
  EXPECT_EQ(histogram.Max(), 20'000'000'000u);
  EXPECT_EQ(histogram.Count(), 100'001u);
  EXPECT_EQ(histogram.Sum(), 100'000u * 1500 + 20'000'000'000);
}

TEST(Histogram, NothingIsClamped) {
  for (int bit = 8; bit < 64; ++bit) {
    const uint64_t value = uint64_t{1} << bit;
    const Histogram histogram = Of(std::vector<uint64_t>(100, value));
    EXPECT_EQ(histogram.Percentile(0.5), value) << bit;
    EXPECT_EQ(histogram.Max(), value);
    const auto buckets = histogram.NonEmpty();
    ASSERT_EQ(buckets.size(), 1u);
    EXPECT_EQ(Histogram::LowestOf(buckets[0].bucket), value) << bit;
  }
  const Histogram histogram = Of({0, kMost});
  EXPECT_EQ(histogram.Min(), 0u);
  EXPECT_EQ(histogram.Max(), kMost);
}

TEST(Histogram, MergedPartsAreTheHistogramOfTheUnionBitForBit) {
  const std::vector<uint64_t> values = Pareto(300'000, 3);
  Histogram merged;
  merged.Merge(Histogram());  // An idle thread's.
  for (size_t part = 0; part < 7; ++part) {
    Histogram histogram;
    for (size_t i = part; i < values.size(); i += 7) histogram.Add(values[i]);
    merged.Merge(histogram);
  }
  ExpectSame(merged, Of(values));
  EXPECT_EQ(merged.Percentile(0.999), Of(values).Percentile(0.999));
}

TEST(Histogram, ThePercentileOfTheUnionIsNotTheMeanOfThePercentiles) {
  // One of two threads meets a stall of 10 ms in 1.5 % of its operations: 0.75 % of all.
  Histogram quick = Of(std::vector<uint64_t>(10'000, 200));
  Histogram slow = Of(std::vector<uint64_t>(9'850, 200));
  slow.Merge(Of(std::vector<uint64_t>(150, 10'000'000)));
  const auto mean = static_cast<double>(*quick.Percentile(0.99) + *slow.Percentile(0.99)) / 2;
  quick.Merge(slow);
  const auto truth = static_cast<double>(*quick.Percentile(0.99));
  EXPECT_EQ(truth, 200);
  EXPECT_GT(mean / truth, 2);
}

TEST(Histogram, APercentileNeedsTenValuesBeyondIt) {
  const auto has = [](size_t count, double p) {
    return Of(std::vector<uint64_t>(count, 5)).Percentile(p).has_value();
  };
  EXPECT_TRUE(has(1'000, 0.99));
  EXPECT_FALSE(has(999, 0.99));
  EXPECT_FALSE(has(1'000, 0.999));
  EXPECT_FALSE(has(1'000, 0.9999));
  EXPECT_TRUE(has(10'000, 0.999));
  EXPECT_FALSE(has(9'999, 0.999));
  EXPECT_TRUE(has(100'000, 0.9999));
  EXPECT_FALSE(has(99'999, 0.9999));
  EXPECT_TRUE(has(1'000'000, 0.99999));
  EXPECT_TRUE(has(20, 0.5));
  EXPECT_FALSE(has(19, 0.5));
  EXPECT_FALSE(has(0, 0.5));
}

TEST(Histogram, APercentileLiesBetweenMinimumAndMaximum) {
  const Histogram histogram = Of(std::vector<uint64_t>(1'000, 1'000'003));
  EXPECT_EQ(histogram.Percentile(0.5), 1'000'003u);
  EXPECT_EQ(histogram.Percentile(0.99), 1'000'003u);
}

TEST(Histogram, WhatIsStoredIsRestored) {
  const Histogram histogram = Of(Lognormal(50'000, 4));
  const auto restored =
      Histogram::Restore(histogram.NonEmpty(), histogram.Sum(), histogram.Min(), histogram.Max());
  ASSERT_TRUE(restored.has_value());
  ExpectSame(*restored, histogram);
  EXPECT_EQ(restored->Percentile(0.99), histogram.Percentile(0.99));

  const Histogram empty;
  const auto nothing = Histogram::Restore(empty.NonEmpty(), 0, empty.Min(), empty.Max());
  ASSERT_TRUE(nothing.has_value());
  ExpectSame(*nothing, empty);
}

TEST(Histogram, BucketsOfAnotherKindOfHistogramAreRefused) {
  EXPECT_TRUE(Histogram::Restore({{Histogram::kBuckets - 1, 1}}, 1, 1, 1).has_value());
  EXPECT_FALSE(Histogram::Restore({{Histogram::kBuckets, 1}}, 1, 1, 1).has_value());
  EXPECT_FALSE(Histogram::Restore({{3, 1}, {kMost, 1}}, 1, 1, 1).has_value());
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
  EXPECT_FALSE(SparseHistogram::Restore({{Histogram::kBuckets, 1}}, 1, 1, 1));
  EXPECT_FALSE(SparseHistogram::Restore({{1, kMost}, {2, 1}}, 1, 1, 1));
  EXPECT_FALSE(SparseHistogram::Restore({{1, 1}}, 1, 2, 1));
  EXPECT_TRUE(SparseHistogram::Restore({}, 0, kMost, 0));
}

}  // namespace levelfield::histogram_test
