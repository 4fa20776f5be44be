#include "report/corrected_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/terminal.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// One thread for ten seconds: 20 us each, but for one call of 100 ms.
Result WithOneStall() {
  LaneResult lane;
  lane.operation = "get";
  lane.operations = 99'001;
  lane.latency_ns.emplace();
  for (int i = 0; i < 99'000; ++i) lane.latency_ns->Add(20'000);
  lane.latency_ns->Add(100'000'000);
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.outcome = Outcome::kOk;
  phase.timed = true;
  RoleResult& role = phase.roles.emplace_back();
  role.threads = 1;
  role.seconds = role.thread_seconds = 9.9;
  role.lanes = {lane};
  RunResult run;
  run.engine = "lmdb";
  run.outcome = Outcome::kOk;
  run.phases = {phase};
  Result result;
  result.runs = {run};
  return result;
}

TEST(CorrectedText, IsLabelledAsAnEstimateBesideWhatWasMeasured) {
  const std::string text = WriteTerminal(CorrectedReport(WithOneStall(), 0));
  EXPECT_THAT(text, AllOf(HasSubstr("estimate, no measurement"), HasSubstr("~p99.9"),
                          HasSubstr("lmdb"), HasSubstr("readrandom")));
  EXPECT_THAT(text, HasSubstr("100 us"));   // What the thread took for one on the average.
  EXPECT_THAT(text, HasSubstr("89.9 ms"));  // What nobody in the closed loop has seen.
}

TEST(CorrectedText, SupposesTheIntervalThatIsGiven) {
  EXPECT_THAT(WriteTerminal(CorrectedReport(WithOneStall(), 1'000'000'000)),
              AllOf(HasSubstr("1.00 s"), Not(HasSubstr("89.9 ms"))));
}

TEST(CorrectedText, EstimatesNothingWhereResponseTimesWereMeasured) {
  Result result = WithOneStall();
  result.runs[0].phases[0].roles[0].load.emplace();
  EXPECT_THAT(WriteTerminal(CorrectedReport(result, 0)),
              AllOf(HasSubstr("response times were measured"), Not(HasSubstr("89.9 ms"))));
}

TEST(CorrectedText, EstimatesNothingOfWhatWasNotTimed) {
  Result result = WithOneStall();
  result.runs[0].phases[0].roles[0].lanes[0].latency_ns.reset();
  EXPECT_THAT(WriteTerminal(CorrectedReport(result, 0)), HasSubstr("not timed one by one"));
}

}  // namespace
}  // namespace levelfield
