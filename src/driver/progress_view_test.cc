#include "driver/progress_view.h"

#include "base/matchers_for_test.h"

namespace levelfield::progress_view_test {

PhaseResult Phase(const std::string& workload, Outcome outcome) {
  PhaseResult phase;
  phase.workload = workload;
  phase.outcome = outcome;
  phase.checked.is_store_verified = true;
  phase.roles.push_back({"writer",
                         1,
                         1,
                         0,
                         2.0,
                         0,
                         {{"put", kPuts, Lookup::kNone, 1000, 1000, 0, 0, 0, 0, std::nullopt}}});
  return phase;
}

// What it says on a standard error that is no terminal.
template <class Do>
std::string Said(Do act) {
  ::testing::internal::CaptureStderr();
  {
    ProgressView view({"lmdb", "sqlite3"}, {"fillseq", "readseq"});
    act(view);
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(ProgressView, SaysInALogOnlyWhatWentWrong) {
  const std::string said = Said([](ProgressView& view) {
    view.BeginRun(1, "sqlite3");
    view.BeginStage(0, Stage::kRun);
    view.Progress(10, 100);
    view.EndPhase(0, Phase("fillseq", Outcome::kOk));
    view.EndPhase(1, Phase("readseq", Outcome::kUnsupported));
    view.EndPhase(1, Phase("readseq", Outcome::kFailed));
  });
  EXPECT_THAT(said, AllOf(HasSubstr("4/4 sqlite3"), HasSubstr("readseq"), HasSubstr("failed")));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST(ProgressView, RunsThatAreLeftOutAreNotCountedAndNameNoOther) {
  ::testing::internal::CaptureStderr();
  {
    // The first round of two; the second is without lmdb, which failed.
    ProgressView view({"lmdb", "sqlite3", "lmdb", "sqlite3"}, {"fillseq"});
    view.BeginRun(0, "lmdb");
    view.BeginRun(1, "sqlite3");
    view.BeginRun(2, "sqlite3");
    view.EndPhase(0, Phase("fillseq", Outcome::kFailed));
    view.BeginRun(3, "leveldb");
    view.EndPhase(0, Phase("fillseq", Outcome::kFailed));
  }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("3/3 sqlite3"), HasSubstr("4/4 leveldb")));
}

TEST(ProgressView, WritesNoControlsWhereThereIsNoTerminal) {
  const std::string said = Said([](ProgressView& view) {
    view.BeginRun(0, "lmdb");
    for (uint64_t i = 0; i < 100; ++i) view.Progress(i, 100);
    view.Say("a warning");
  });
  EXPECT_EQ(said, "a warning\n");
}

TEST(ProgressView, TellsWhyAPhaseIsNoNumberAndShowsNoNumberThen) {
  const std::string said = Said([](ProgressView& view) {
    view.BeginRun(0, "lmdb");
    PhaseResult phase = Phase("readseq", Outcome::kWrong);
    phase.message = "an entry \x1b[2J is missing";
    view.EndPhase(1, phase);
  });
  EXPECT_THAT(said, AllOf(HasSubstr("wrong: an entry ?[2J is missing"), Not(HasSubstr("ops/s"))));
}

TEST(ProgressView, SaysOnceWhoseFillIsCompletedForWhomAndHowLongThatTakes) {
  const std::string said = Said([](ProgressView& view) {
    for (const size_t run : {0, 1}) {
      view.BeginRun(run, run == 0 ? "lmdb" : "sqlite3");
      view.BeginRest("fillseq", "readseq", 151'859, 848'141, 5.6);
      view.BeginRest("fillseq", "readseq", 150'000, 850'000, 5.7);
    }
  });
  EXPECT_THAT(said,
              HasSubstr("lmdb fillseq: --duration ended it after 151859 of 1000000 operations; "
                        "the rest is written for readseq, unmeasured, in about 6 s\n"));
  EXPECT_THAT(said, HasSubstr("sqlite3 fillseq: "));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2);
}

}  // namespace levelfield::progress_view_test
