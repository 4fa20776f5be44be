#include "report/db_bench/db_bench_text.h"

#include <cmath>
#include <vector>

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::db_bench_text_test {

PhaseResult RunOf(uint64_t number, uint64_t of, uint64_t operations, bool warm_up = false) {
  PhaseResult phase = RoundOf("any", 1, operations).phases[0];
  phase.repetition = {.number = number, .of = of, .warm_up = warm_up};
  return phase;
}

std::string SummaryOf(const SharedList<PhaseResult>& phases, bool interval_only = false) {
  return RepeatSummary(Lines::kRocksDb, phases, phases.size(), interval_only);
}

// With so many MiB in its second.
PhaseResult WithMegabytes(PhaseResult phase, uint64_t megabytes) {
  phase.roles[0].statistics[0].bytes = megabytes << 20;
  return phase;
}

TEST(DbBenchRepeats, BytesASecondAreToldAsTheOriginalDoes) {
  const SharedList<PhaseResult> phases = {WithMegabytes(RunOf(1, 2, 100), 1),
                                          WithMegabytes(RunOf(2, 2, 300), 3)};
  EXPECT_EQ(SummaryOf(phases),
            "readrandom [AVG 2 runs] : 200 (\u00b1 1271) ops/sec;    2.0 (\u00b1 12.7) MB/sec\n"
            "readrandom [AVG    2 runs] : 200 (\u00b1 1271) ops/sec;    2.0 (\u00b1 12.7) MB/sec\n"
            "readrandom [MEDIAN 2 runs] : 200 ops/sec;    2.0 MB/sec\n");
}

// One line without them, and the mean of the others would be of other runs.
TEST(DbBenchRepeats, BytesASecondOfSomeRunsAreNotAveraged) {
  EXPECT_EQ(SummaryOf({WithMegabytes(RunOf(1, 3, 100), 1), RunOf(2, 3, 300)}),
            "readrandom [AVG 2 runs] : 200 (\u00b1 1271) ops/sec\n");
}

TEST(DbBenchRepeats, TheIntervalAloneHasItsTwoEnds) {
  SharedList<PhaseResult> phases = {WithMegabytes(RunOf(1, 3, 190), 10),
                                    WithMegabytes(RunOf(2, 3, 200), 11)};
  EXPECT_EQ(SummaryOf(phases, true),
            "readrandom [CI95 2 runs] : (131, 259) ops/sec; (4.1, 16.9) MB/sec\n");
  phases.push_back(RunOf(3, 3, 210));
  EXPECT_EQ(SummaryOf(phases, true),
            "readrandom [CI95 3 runs] : (175, 225) ops/sec\n"
            "readrandom [AVG    3 runs] : 200 (\u00b1 25) ops/sec\n"
            "readrandom [MEDIAN 3 runs] : 200 ops/sec\n");
}

TEST(DbBenchRepeats, TheIntervalIsStudents) {
  // For 1, 2, 3: s = 1, and t with two degrees of freedom is 4.3027 (1.96 would be 2.2 times less).
  EXPECT_NEAR(HalfInterval(std::vector<double>{1, 2, 3}), 4.3027 / std::sqrt(3.0), 1e-4);
  // For two values: t with one degree of freedom is 12.706.
  EXPECT_NEAR(HalfInterval(std::vector<double>{1, 3}), 12.7062, 1e-3);
  EXPECT_EQ(HalfInterval(std::vector<double>{5, 5, 5}), 0);
}

TEST(DbBenchRepeats, TheirMeanAndMedianComeAfterTheLast) {
  SharedList<PhaseResult> phases = {RunOf(1, 1, 9000, true), RunOf(1, 3, 100), RunOf(2, 3, 200)};
  EXPECT_EQ(SummaryOf(phases), "readrandom [AVG 2 runs] : 150 (\u00b1 635) ops/sec\n");
  phases.push_back(RunOf(3, 3, 900));
  EXPECT_EQ(SummaryOf(phases),
            "readrandom [AVG 3 runs] : 400 (\u00b1 1083) ops/sec\n"
            "readrandom [AVG    3 runs] : 400 (\u00b1 1083) ops/sec\n"
            "readrandom [MEDIAN 3 runs] : 200 ops/sec\n");
}

TEST(DbBenchRepeats, OneRunHasNoInterval) {
  EXPECT_EQ(SummaryOf({RunOf(1, 3, 100)}), "");
  EXPECT_EQ(SummaryOf({RunOf(0, 0, 100)}), "");
  EXPECT_EQ(SummaryOf({RunOf(1, 2, 100, true), RunOf(2, 2, 100, true)}), "");
}

TEST(DbBenchRepeats, OneThatFailedIsNoPartOfTheMean) {
  SharedList<PhaseResult> phases = {RunOf(1, 3, 100), RunOf(2, 3, 777), RunOf(3, 3, 300)};
  phases[1].outcome = Outcome::kWrong;
  EXPECT_THAT(SummaryOf(phases), HasSubstr("[AVG 2 runs] : 200"));
}

TEST(DbBenchRepeats, TheHeadingSaysHowOften) {
  EXPECT_EQ(RepeatHeading(RunOf(1, 2, 5, true)), "Warming up benchmark by running 2 times\n");
  EXPECT_EQ(RepeatHeading(RunOf(1, 5, 5)), "Running benchmark for 5 times\n");
  EXPECT_EQ(RepeatHeading(RunOf(2, 5, 5)), "");
  EXPECT_EQ(RepeatHeading(RunOf(0, 0, 5)), "");
}

// A role of a second with so many MiB in each operation's statistics.
RoleResult RoleOf(const std::vector<std::string>& operations, uint64_t megabytes) {
  RoleResult role{.name = "worker", .threads = 1, .seconds = 1, .statistics = {}};
  for (const std::string& operation : operations) {
    role.statistics.push_back({.operation = operation, .bytes = megabytes << 20, .latency_ns = {}});
  }
  return role;
}

TEST(DbBenchLine, HasTheBytesThatItsOriginalCounts) {
  struct Row {
    Lines lines;
    std::vector<std::string> operations;
    std::optional<double> megabytes;
  };
  const Row rows[] = {{Lines::kRocksDb, {"seek"}, 2},
                      {Lines::kLevelDb, {"seek"}, std::nullopt},
                      {Lines::kRocksDb, {"get"}, 2},
                      {Lines::kLevelDb, {"get"}, std::nullopt},
                      {Lines::kRocksDb, {"put"}, 2},
                      {Lines::kLevelDb, {"put"}, 2},
                      {Lines::kRocksDb, {"erase"}, {}},
                      {Lines::kRocksDb, {"get", "put"}, {}},
                      {Lines::kLmdb, {"get", "seek", "put"}, {}},
                      {Lines::kRocksDb, {"get", "seek", "put"}, 6}};
  for (const Row& row : rows) {
    EXPECT_EQ(MegabytesPerSecond(row.lines, RoleOf(row.operations, 2)), row.megabytes)
        << testing::PrintToString(row.operations);
  }
  EXPECT_EQ(MegabytesPerSecond(Lines::kRocksDb, RoleOf({"seek"}, 0)), std::nullopt);
}

}  // namespace levelfield::db_bench_text_test
