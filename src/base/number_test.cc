#include "base/number.h"

#include <gtest/gtest.h>

#include <limits>

namespace levelfield::number_test {

TEST(Number, ARateHasThreeDigitsOnBothSidesOfEveryBoundary) {
  EXPECT_EQ(Rate(0), "0.00");
  EXPECT_EQ(Rate(0.004), "0.00");
  EXPECT_EQ(Rate(0.125), "0.12");
  EXPECT_EQ(Rate(9.994), "9.99");
  EXPECT_EQ(Rate(9.996), "10.0");
  EXPECT_EQ(Rate(99.94), "99.9");
  EXPECT_EQ(Rate(99.96), "100");
  EXPECT_EQ(Rate(999.4), "999");
  EXPECT_EQ(Rate(999.6), "1.00 k");
  EXPECT_EQ(Rate(1000), "1.00 k");
  EXPECT_EQ(Rate(9994), "9.99 k");
  EXPECT_EQ(Rate(9996), "10.0 k");
  EXPECT_EQ(Rate(99'940), "99.9 k");
  EXPECT_EQ(Rate(99'960), "100 k");
  EXPECT_EQ(Rate(999'400), "999 k");
  EXPECT_EQ(Rate(999'600), "1.00 M");
  EXPECT_EQ(Rate(1'234'567), "1.23 M");
  EXPECT_EQ(Rate(999'600'000), "1.00 G");
  EXPECT_EQ(Rate(12'345'678'901), "12.3 G");
}

TEST(Number, ALatencyIsExactBelowAMicrosecond) {
  EXPECT_EQ(Latency(0), "0 ns");
  EXPECT_EQ(Latency(999), "999 ns");
  EXPECT_EQ(Latency(1000), "1.00 us");
  EXPECT_EQ(Latency(12'345), "12.3 us");
  EXPECT_EQ(Latency(999'499), "999 us");
  EXPECT_EQ(Latency(999'500), "1.00 ms");
  EXPECT_EQ(Latency(4'560'000), "4.56 ms");
  EXPECT_EQ(Latency(999'499'999), "999 ms");
  EXPECT_EQ(Latency(999'500'000), "1.00 s");
  EXPECT_EQ(Latency(20'000'000'000), "20.0 s");
  EXPECT_EQ(Latency(std::numeric_limits<uint64_t>::max()), "18446744074 s");
}

TEST(Number, ASizeCountsBy1024) {
  EXPECT_EQ(Size(0), "0 B");
  EXPECT_EQ(Size(1023), "1023 B");
  EXPECT_EQ(Size(1024), "1.00 KiB");
  EXPECT_EQ(Size(1536), "1.50 KiB");
  EXPECT_EQ(Size(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(Size(11'639'193), "11.1 MiB");
  EXPECT_EQ(Size(uint64_t{1} << 30), "1.00 GiB");
  EXPECT_EQ(Size(uint64_t{1} << 40), "1.00 TiB");
  EXPECT_EQ(Size(std::numeric_limits<uint64_t>::max()), "16777216 TiB");
}

TEST(Number, ACountIsGroupedByThousands) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(999'999), "999,999");
  EXPECT_EQ(Grouped(1'000'000), "1,000,000");
  EXPECT_EQ(Grouped(std::numeric_limits<uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Number, WhatIsNoRateIsShownAsNone) {
  EXPECT_EQ(Rate(std::numeric_limits<double>::quiet_NaN()), "n/a");
  EXPECT_EQ(Rate(std::numeric_limits<double>::infinity()), "n/a");
  EXPECT_EQ(Rate(-1), "n/a");
}

TEST(Number, SignificantHasThreeDigitsAndNoExponent) {
  EXPECT_EQ(Significant(4'033'210), "4,030,000");
  EXPECT_EQ(Significant(999.6), "1,000");
  EXPECT_EQ(Significant(9.7399), "9.74");
  EXPECT_EQ(Significant(0.02614), "0.0261");
  EXPECT_EQ(Significant(0), "0");
  EXPECT_EQ(Significant(1e300), "1.00e+300");
  EXPECT_EQ(Significant(-1), "n/a");
}

TEST(Whole, IsTheNearestThat64BitsHold) {
  EXPECT_EQ(Whole(2.75), 2u);
  EXPECT_EQ(Whole(0x1p63), uint64_t{1} << 63);
  EXPECT_EQ(Whole(1e300), UINT64_MAX);
  EXPECT_EQ(Whole(HUGE_VAL), UINT64_MAX);
  EXPECT_EQ(Whole(-1), 0u);
  EXPECT_EQ(Whole(NAN), 0u);
}

TEST(Number, OfTimesKeepsTwoDigitsOfASmallShare) {
  EXPECT_EQ(Times(1.051), "1.05x");
  EXPECT_EQ(Times(0.72), "0.72x");
  EXPECT_EQ(Times(0.00854), "0.0085x");
}

}  // namespace levelfield::number_test
