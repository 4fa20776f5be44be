#include "driver/run_row.h"

#include <gtest/gtest.h>

#include "driver/supervisor.h"

namespace levelfield::run_row_test {

std::vector<PlannedPhase> Phases() {
  std::vector<PlannedPhase> phases(2);
  phases[0].workload.name = "fillseq";
  phases[1].workload.name = "readseq";
  return phases;
}

TEST(RunRow, IsOfTheWorstPhaseWhereTheWorkerCameToItsEnd) {
  RunResult row;
  Conclude({}, Phases(), Outcome::kWrong, row);
  EXPECT_EQ(row.outcome, Outcome::kWrong);
  EXPECT_EQ(row.message, "");
}

TEST(RunRow, SaysWhereAWorkerDiedAndUnderWhatCircumstances) {
  RunEnd end;
  end.low_space = "too little space";
  end.failure = "killed by SIGKILL";
  end.failed_phase = 1;
  end.failed_progress = "after 5 operations";
  end.circumstances = "out of memory";
  RunResult row;
  Conclude(end, Phases(), Outcome::kOk, row);
  EXPECT_EQ(row.outcome, Outcome::kFailed);
  EXPECT_EQ(row.message,
            "too little space; then killed by SIGKILL in readseq after 5 operations (out of "
            "memory)");
  EXPECT_EQ(row.cause, FailureCause::kLowSpace) << "the first cause";
  end.failed_phase = 2;  // Behind the last one.
  end.low_space = end.failed_progress = end.circumstances = "";
  Conclude(end, Phases(), Outcome::kOk, row);
  EXPECT_EQ(row.message, "killed by SIGKILL");
}

TEST(RunRow, KnowsAFullDiskByTheKernelsWordsForItAndForAQuota) {
  EXPECT_TRUE(TellsOfAFullDisk("put: IO error: x.log: No space left on device"));
  EXPECT_TRUE(TellsOfAFullDisk("put: IO error: x.log: Disk quota exceeded"));
  EXPECT_FALSE(TellsOfAFullDisk("put: IO error: x.log: Input/output error"));
}

TEST(RunRow, OfAFailedRunBlamesThePhaseThatItWasInAndNoneAfterIt) {
  RunResult row;
  row.outcome = Outcome::kFailed;
  row.message = "hung";
  EXPECT_EQ(MissingPhase(Phases()[0], row, true).outcome, Outcome::kFailed);
  EXPECT_EQ(MissingPhase(Phases()[1], row, false).outcome, Outcome::kNotRun);
  EXPECT_EQ(MissingPhase(Phases()[1], row, false).message, "hung");
  row.outcome = Outcome::kUnsupported;  // What cannot be done can be done in no phase.
  EXPECT_EQ(MissingPhase(Phases()[1], row, false).outcome, Outcome::kUnsupported);
}

}  // namespace levelfield::run_row_test
