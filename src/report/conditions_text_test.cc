#include "report/conditions_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult RunBeside(double others_share, bool floor = false) {
  PhaseResult phase;
  phase.workload = "readrandom";
  phase.outcome = Outcome::kOk;
  phase.conditions = Conditions{.seconds = 1, .others_share = others_share};
  RunResult run;
  run.engine = "lmdb";
  run.floor = floor;
  run.phases = {phase};
  return run;
}

TEST(ConditionsText, SaysWhichMeasurementsWereDisturbedAndByWhat) {
  Result result;
  result.runs = {RunBeside(0.01), RunBeside(0.4)};
  result.runs[1].round = 2;
  EXPECT_THAT(DisturbedLines(SeriesOf(result)),
              ElementsAre(AllOf(HasSubstr("lmdb, 1 of 2 measurements (readrandom)"),
                                HasSubstr("other processes took 40 %"))));
}

TEST(ConditionsText, SaysNothingOfAQuietMachineNorOfFloors) {
  Result result;
  result.runs = {RunBeside(0.01)};
  EXPECT_THAT(DisturbedLines(SeriesOf(result)), IsEmpty());
  result.runs = {RunBeside(0.9, true)};
  EXPECT_THAT(DisturbedLines(SeriesOf(result)), IsEmpty());
}

}  // namespace
}  // namespace levelfield
