#include "report/price_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// 1,000,000 operations of so many nanoseconds.
RunResult Run(const char* engine, double ns) {
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.level = "D1";
  phase.outcome = Outcome::kOk;
  LaneResult lane;
  lane.operation = "get";
  lane.operations = 1'000'000;
  RoleResult role;
  role.seconds = role.thread_seconds = ns * 1e-3;
  role.lanes = {lane};
  phase.roles = {role};
  RunResult run;
  run.engine = engine;
  run.outcome = Outcome::kOk;
  run.phases = {phase};
  return run;
}

Result Priced(double engine_ns) {
  Result result;
  result.runs = {Run("lmdb", engine_ns)};
  result.prices = {
      {.engine = "null", .keys = 100'000, .clock_ns = 18, .workload_ns = {{"readrandom", 50}}}};
  return result;
}

TEST(PriceText, SaysWhatAnOperationOfNothingCosts) {
  EXPECT_THAT(
      PriceLines(Priced(1000)),
      ElementsAre("price of the harness, an operation of null (does nothing, 100,000 keys): "
                  "readrandom 50 ns; 18 ns of it reads the clock."));
  EXPECT_THAT(PriceLines({}), IsEmpty());
}

TEST(PriceText, NamesWhatIsLessThanFiveTimesThePrice) {
  EXPECT_THAT(PriceLines(Priced(249)),
              ElementsAre(HasSubstr("price"), HasSubstr("readrandom of lmdb (5.0 times)")));
  EXPECT_THAT(PriceLines(Priced(251)), ElementsAre(HasSubstr("price")));
}

}  // namespace
}  // namespace levelfield
