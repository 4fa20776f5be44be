#include "report/db_bench_repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace levelfield {
namespace {

PhaseResult RunOf(uint64_t number, uint64_t of, uint64_t operations, bool warm_up = false) {
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.outcome = Outcome::kOk;
  phase.repetition = {.number = number, .of = of, .warm_up = warm_up};
  RoleResult role;
  role.seconds = 1;
  LaneResult lane;
  lane.operation = "get";
  lane.operations = operations;
  role.lanes.push_back(lane);
  phase.roles.push_back(role);
  return phase;
}

TEST(DbBenchRepeats, TheIntervalIsStudents) {
  // Of 1, 2, 3: s = 1, and t of two degrees of freedom is 4.3027 (1.96 would be 2.2 times less).
  EXPECT_NEAR(HalfInterval(std::vector<double>{1, 2, 3}), 4.3027 / std::sqrt(3.0), 1e-4);
  // Of two: t of one degree of freedom is 12.706.
  EXPECT_NEAR(HalfInterval(std::vector<double>{1, 3}), 12.7062, 1e-3);
  EXPECT_EQ(HalfInterval(std::vector<double>{5, 5, 5}), 0);
}

TEST(DbBenchRepeats, TheirMeanAndMedianComeAfterTheLast) {
  std::vector<PhaseResult> phases = {RunOf(1, 1, 9000, true), RunOf(1, 3, 100), RunOf(2, 3, 200)};
  EXPECT_EQ(RepeatSummary(phases), "readrandom [AVG 2 runs] : 150 (\u00b1 635) ops/sec\n");
  phases.push_back(RunOf(3, 3, 900));
  EXPECT_EQ(RepeatSummary(phases),
            "readrandom [AVG 3 runs] : 400 (\u00b1 1083) ops/sec\n"
            "readrandom [AVG    3 runs] : 400 (\u00b1 1083) ops/sec\n"
            "readrandom [MEDIAN 3 runs] : 200 ops/sec\n");
}

TEST(DbBenchRepeats, OneRunHasNoInterval) {
  EXPECT_EQ(RepeatSummary(std::vector{RunOf(1, 3, 100)}), "");
  EXPECT_EQ(RepeatSummary(std::vector{RunOf(0, 0, 100)}), "");
  EXPECT_EQ(RepeatSummary(std::vector{RunOf(1, 2, 100, true), RunOf(2, 2, 100, true)}), "");
}

TEST(DbBenchRepeats, OneThatFailedIsNoPartOfTheMean) {
  std::vector<PhaseResult> phases = {RunOf(1, 3, 100), RunOf(2, 3, 777), RunOf(3, 3, 300)};
  phases[1].outcome = Outcome::kWrong;
  EXPECT_THAT(RepeatSummary(phases), testing::HasSubstr("[AVG 2 runs] : 200"));
}

TEST(DbBenchRepeats, TheHeadingSaysHowOften) {
  EXPECT_EQ(RepeatHeading(RunOf(1, 2, 5, true)), "Warming up benchmark by running 2 times\n");
  EXPECT_EQ(RepeatHeading(RunOf(1, 5, 5)), "Running benchmark for 5 times\n");
  EXPECT_EQ(RepeatHeading(RunOf(2, 5, 5)), "");
  EXPECT_EQ(RepeatHeading(RunOf(0, 0, 5)), "");
}

}  // namespace
}  // namespace levelfield
