// Ctrl-C, kill, kill -9 and a reader that leaves: what was measured is kept, nobody stays behind.
#include <unistd.h>

#include <csignal>

#include "end_to_end.h"

namespace levelfield {
namespace {

class AnInterrupt : public EndToEnd {
 protected:
  // In the middle of the second engine's second workload: 1000 puts of a millisecond each and more.
  std::unique_ptr<LevelfieldProcess> StartSlowly(const std::string& fault = "slow_put") {
    auto process = Start({"run", "--num=3000", "--engine=lmdb,misbehaving@" + fault + ",leveldb",
                          "--benchmarks=fillseq,overwrite,readseq"});
    EXPECT_TRUE(process->SaysOnError("3/9", 60));
    usleep(500'000);
    return process;
  }

  // After anything that ends a run: its results read, with what had finished, and its report too.
  void ExpectReadable() {
    const Result result = ReadResult();
    ASSERT_GE(result.runs.size(), 1u);
    for (const PhaseResult& phase : RunOf(result, "lmdb").phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload;
    }
    EXPECT_EQ(RunOf(result, "lmdb").phases.size(), 3u);
    const Ending report = Run({"report", ResultPath()});
    EXPECT_THAT(CellsOf(report.out, "fillseq"), ::testing::SizeIs(::testing::Ge(2u)));
  }

  void ExpectStoresRemoved() {
    EXPECT_FALSE(fs::exists(ResultPath() + "/stores")) << ::testing::PrintToString(Listing());
  }
};

TEST_F(AnInterrupt, by_ctrl_c_keeps_what_had_finished) {
  const auto process = StartSlowly();
  process->Signal(SIGINT);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_LT(ending.seconds, 6);
  EXPECT_THAT(ending.err, HasSubstr("interrupted; what had finished is in"));
  EXPECT_THAT(CellsOf(ending.out, "fillseq"), ::testing::Contains(HasSubstr("interrupted")));
  EXPECT_TRUE(NobodyIsLeft(1));
  ExpectReadable();
  EXPECT_EQ(RunOf(ReadResult(), "misbehaving@slow_put").outcome, Outcome::kInterrupted);
  ExpectStoresRemoved();
}

TEST_F(AnInterrupt, by_sigterm_is_the_same) {
  const auto process = StartSlowly();
  process->Signal(SIGTERM);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_LT(ending.seconds, 6);
  EXPECT_TRUE(NobodyIsLeft(1));
  ExpectReadable();
  ExpectStoresRemoved();
}

TEST_F(AnInterrupt, ends_an_engine_that_does_not_listen_after_a_moment) {
  const auto process = StartSlowly("hang_in_put");
  process->Signal(SIGINT);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_LT(ending.seconds, 6);
  EXPECT_TRUE(NobodyIsLeft(1));
  ExpectReadable();
  EXPECT_EQ(RunOf(ReadResult(), "misbehaving@hang_in_put").outcome, Outcome::kInterrupted);
  ExpectStoresRemoved();
}

TEST_F(AnInterrupt, that_comes_twice_ends_it_at_once) {
  const auto process = StartSlowly("hang_in_put");
  process->Signal(SIGINT);
  usleep(300'000);
  process->Signal(SIGINT);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 130) << ending.err;
  EXPECT_LT(ending.seconds, 2);
  EXPECT_TRUE(NobodyIsLeft(1));
  ExpectReadable();
  ExpectStoresRemoved();
}

TEST_F(AnInterrupt, before_anything_has_run_leaves_nothing_alive) {
  const auto process = Start({"run", "--num=1000"});
  usleep(30'000);
  process->Signal(SIGINT);
  const Ending ending = process->Finish();
  EXPECT_TRUE(ending.exit_code == 130 || ending.signal == SIGINT) << ending.exit_code;
  EXPECT_TRUE(NobodyIsLeft(1));
}

TEST_F(AnInterrupt, by_kill_9_takes_the_workers_along) {
  const auto process = StartSlowly("hang_in_put");
  process->Signal(SIGKILL);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.signal, SIGKILL);
  EXPECT_TRUE(NobodyIsLeft(1));
  ExpectReadable();
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 3) << "it was cut off";
  // The next run takes the store of that one for what it is: nobody's any more.
  const std::string stores = ResultPath() + "/stores";
  EXPECT_TRUE(fs::exists(stores + "/misbehaving@hang_in_put/LEVELFIELD"));
  EXPECT_EQ(Run({"run", "--num=100", "--engine=misbehaving", "--benchmarks=fillseq", "--name=next",
                 "--results=next", "--db=" + stores})
                .exit_code,
            0);
}

TEST_F(AnInterrupt, by_a_reader_that_leaves_is_quiet) {
  options_.shell = "{ \"$@\" 2>err; echo $? >code; } | head -1";
  const Ending ending = Run({"run", "--num=100", "--engine=memory,null"});
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_THAT(ending.out, HasSubstr("run  "));
  EXPECT_THAT(ReadFile("err"), Not(HasSubstr("levelfield:")));
  options_.shell.clear();
  EXPECT_EQ(ReadResult().runs.size(), 2u);
  // Closed altogether, or full, it says so where it can, and the results are there.
  options_.shell = "\"$@\" >/dev/full";
  const Ending full = Run({"report", ResultPath()});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("No space left"));
}

TEST_F(AnInterrupt, is_not_a_closed_standard_error) {
  for (const char* const shell : {"\"$@\" 2>&-", "\"$@\" 2>/dev/full", "\"$@\" <&- >&- 2>&-"}) {
    fs::remove_all(path() + "/results");
    options_.shell = shell;
    const Ending ending = Run({"run", "--num=100", "--engine=lmdb", "--benchmarks=fillseq"});
    EXPECT_EQ(ending.signal, 0) << shell;
    EXPECT_LE(ending.exit_code, 1) << shell;
    EXPECT_EQ(RunOf(ReadResult(), "lmdb").outcome, Outcome::kOk) << shell;
  }
}

}  // namespace
}  // namespace levelfield
