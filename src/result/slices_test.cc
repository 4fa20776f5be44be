#include <gtest/gtest.h>

#include <numeric>

#include "result/time_series.h"

namespace levelfield::slices_test {

uint64_t SumOf(const std::vector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

TEST(Slices, OfAnHourAreAtMost4000ValuesAndLoseNothing) {
  Slices slices;
  uint64_t operations = 0;
  constexpr uint64_t kSlices = 360'000;  // Each has 10 ms.
  for (uint64_t i = 0; i < kSlices; ++i) {
    slices.Add(i, {i, 10'000'000, 9'000'000, 1});
    operations += i;
    ASSERT_LE(slices.operations.size(), Slices::kMost);
  }
  EXPECT_EQ(slices.slices_per_value, 128);
  EXPECT_EQ(slices.operations.size(), (kSlices + 127) / 128);
  EXPECT_EQ(SumOf(slices.operations), operations);
  EXPECT_EQ(SumOf(slices.active_ns), kSlices * 10'000'000);
  EXPECT_EQ(slices.active_ns[0], 128 * uint64_t{10'000'000});
  EXPECT_EQ(SumOf(slices.kept_ns), kSlices);
  EXPECT_EQ(slices.cpu_ns.size(), slices.operations.size());
}

TEST(Slices, UpToThereEachIsAValue) {
  Slices slices;
  for (uint64_t i = 0; i + 1 < Slices::kMost; ++i) slices.Add(i, {i, 2, 3, 4});
  EXPECT_EQ(slices.slices_per_value, 1);
  EXPECT_EQ(slices.operations.size(), Slices::kMost - 1);
  EXPECT_EQ(slices.operations.back(), Slices::kMost - 2);
}

TEST(Slices, ALastValueWithoutANeighbourStays) {
  Slices slices{.operations = {1, 2, 3}, .active_ns = {1, 1, 1}, .cpu_ns = {}, .kept_ns = {}};
  slices.MergeNeighbours();
  EXPECT_EQ(slices.operations, (std::vector<uint64_t>{3, 3}));
  EXPECT_EQ(slices.active_ns, (std::vector<uint64_t>{2, 1}));
  EXPECT_EQ(slices.slices_per_value, 2);
}

}  // namespace levelfield::slices_test
