#include "report/db_bench/db_bench_histogram.h"

#include "base/matchers_for_test.h"

namespace levelfield::db_bench_histogram_test {

TEST(DbBenchHistogram, HasTheShapeOfTheOriginals) {
  Histogram histogram;
  for (int i = 0; i < 30; ++i) histogram.Add(1'500);
  for (int i = 0; i < 10; ++i) histogram.Add(21'000);
  EXPECT_THAT(DbBenchHistogram(histogram),
              HasSubstr("Microseconds per op:\n"
                        "Count: 40  Average: 6.3750  StdDev: 8.44\n"
                        "Min: 1.5000  Median: 1.5000  Max: 21.0000\n"
                        "------------------------------------------------------\n"
                        "[       1,       2 )      30  75.000%  75.000% ###############\n"
                        "[      20,      25 )      10  25.000% 100.000% #####\n"));
}

TEST(DbBenchHistogram, PercentilesAreThoseOfTheNanosecondsBehindIt) {
  Histogram histogram;
  for (uint64_t ns = 1; ns <= 100'000; ++ns) histogram.Add(ns);
  EXPECT_THAT(DbBenchHistogram(histogram),
              AllOf(HasSubstr("  P50:        50.0"), HasSubstr("  P99:        99.0"),
                    HasSubstr("  P99.9:     100.000 us"), HasSubstr("  P99.99:    100.000 us")));
}

TEST(DbBenchHistogram, APercentileOfTooFewIsNotGiven) {
  Histogram histogram;
  for (int i = 0; i < 100; ++i) histogram.Add(5'000);
  EXPECT_THAT(
      DbBenchHistogram(histogram),
      AllOf(HasSubstr("P50:         5.0"), HasSubstr("P99:     n/a"), HasSubstr("fewer than ten")));
}

TEST(DbBenchHistogram, EveryLatencyHasABucketAndNoneHasTwo) {
  Histogram histogram;
  for (const uint64_t ns : {uint64_t{0}, uint64_t{999}, uint64_t{12'000}, uint64_t{8'999'999'999},
                            uint64_t{20'000'000'000'000}, ~uint64_t{0}}) {
    histogram.Add(ns);
  }
  const std::string text = DbBenchHistogram(histogram);
  EXPECT_THAT(text, AllOf(HasSubstr("Count: 6 "), HasSubstr("100.000%"),
                          HasSubstr("[       0,       1 )       2  33.333%  33.333% #######\n")));
}

TEST(DbBenchHistogram, OfRocksDbHasItsBucketsItsNamesAndItsPercentilesAboveThem) {
  Histogram histogram;
  for (int i = 0; i < 30; ++i) histogram.Add(500);
  for (int i = 0; i < 60; ++i) histogram.Add(5'000);
  for (int i = 0; i < 10; ++i) histogram.Add(120'000);
  EXPECT_THAT(DbBenchHistogram(histogram, Lines::kRocksDb, "read"),
              AllOf(HasSubstr("Microseconds per read:\nCount: 100 Average: 15.1500  StdDev: "),
                    HasSubstr("Percentiles: P50: 5.0"),
                    HasSubstr(" P99: 120.00 P99.9: 120.00 P99.99: 120.00\n"),
                    HasSubstr("------\n"
                              "[       0,       1 ]       30  30.000%  30.000% ######\n"
                              "(       4,       6 ]       60  60.000%  90.000% ############\n"
                              "(     110,     170 ]       10  10.000% 100.000% ##\n")));
}

// benchmark.sh does arithmetic with each of them.
TEST(DbBenchHistogram, OfRocksDbHasANumberForEachPercentileHoweverFewTheyAre) {
  Histogram histogram;
  histogram.Add(7'000);
  EXPECT_THAT(DbBenchHistogram(histogram, Lines::kRocksDb, "op"),
              HasSubstr("Percentiles: P50: 7.00 P75: 7.00 P99: 7.00 P99.9: 7.00 P99.99: 7.00\n"));
}

TEST(DbBenchHistogram, OfRocksDbPutsALimitIntoTheBucketBelowIt) {
  Histogram histogram;
  histogram.Add(2'000);
  EXPECT_THAT(DbBenchHistogram(histogram, Lines::kRocksDb, "op"),
              HasSubstr("(       1,       2 ]        1 100.000% 100.000% ####################\n"));
}

TEST(DbBenchHistogram, OfRocksDbHasABucketForEveryLatency) {
  Histogram histogram;
  for (const uint64_t ns : {uint64_t{0}, uint64_t{9'900'000'000}, ~uint64_t{0}}) histogram.Add(ns);
  const std::string text = DbBenchHistogram(histogram, Lines::kRocksDb, "op");
  EXPECT_THAT(text, AllOf(HasSubstr("Count: 3 "), HasSubstr("100.000%"), Not(HasSubstr("nan"))));
}

TEST(DbBenchHistogram, OfNothingSaysSo) {
  EXPECT_THAT(DbBenchHistogram(Histogram()), AllOf(HasSubstr("none"), Not(HasSubstr("nan"))));
}

}  // namespace levelfield::db_bench_histogram_test
