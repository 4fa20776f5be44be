#include "result/overhead.h"

#include <gtest/gtest.h>

#include "result/rounds_for_test.h"

namespace levelfield::overhead_test {

PhaseResult Phase(const char* workload, uint64_t operations, double thread_seconds) {
  PhaseResult phase = RoundOf("any", 1, operations).phases[0];
  phase.workload = workload;
  phase.level = DurabilityLevel::kD0;
  RoleResult& role = phase.roles[0];
  role.threads = 2;
  role.seconds = thread_seconds / 2;
  role.thread_seconds = thread_seconds;
  return phase;
}

TEST(Overhead, IsOfOneThreadsOperation) {
  EXPECT_NEAR(*OperationNs(Phase("readrandom", 1'000'000, 0.05)), 50, 1e-9);
  EXPECT_FALSE(OperationNs(Phase("readrandom", 999, 0.05))) << "too few";
  PhaseResult failed = Phase("readrandom", 1'000'000, 0.05);
  failed.outcome = Outcome::kFailed;
  EXPECT_FALSE(OperationNs(failed));
}

TEST(Overhead, OfAResultsOwnFloorsComesFromTheirRuns) {
  Result result;
  result.settings = {{"num", "1000000"}};
  RunResult store;
  store.engine = "lmdb";
  store.phases = {Phase("readrandom", 1'000'000, 1)};
  RunResult floor;
  floor.engine = "null";
  floor.is_baseline_engine = true;
  floor.phases = {Phase("readrandom", 1'000'000, 0.04), Phase("readrandom", 1'000'000, 0.9)};
  RunResult stub = floor;  // A baseline engine, and no overhead.
  stub.engine = "stub";
  result.runs = {store, stub, floor, floor};
  const std::vector<Overhead> overheads = OverheadsOf(result);
  ASSERT_EQ(overheads.size(), 1u);
  EXPECT_EQ(overheads[0].engine, "null");
  EXPECT_EQ(overheads[0].keys, 1'000'000u);
  ASSERT_EQ(overheads[0].workload_ns.size(), 1u);
  EXPECT_NEAR(*NsOf(overheads[0], "readrandom"), 40, 1e-9);
  EXPECT_FALSE(NsOf(overheads[0], "readseq"));

  result.overheads = {{.engine = "null", .keys = 10, .workload_ns = {{"readrandom", 39}}}};
  EXPECT_EQ(OverheadsOf(result), result.overheads) << "what was measured for it goes before";
}

}  // namespace levelfield::overhead_test
