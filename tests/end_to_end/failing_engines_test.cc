// What an engine does to its worker is one row, with its reason, and the other runs go on.
#include "end_to_end.h"

namespace levelfield {
namespace {

struct Failure {
  const char* fault;
  const char* benchmarks;
  Outcome outcome;
  std::vector<std::string> says;  // All of this, in the row's note.
};
void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.fault; }

class AFailedEngine : public EndToEnd, public ::testing::WithParamInterface<Failure> {};

TEST_P(AFailedEngine, does_not_stop_the_others) {
  const Failure& failure = GetParam();
  const std::string engine = "misbehaving@" + std::string(failure.fault);
  // A busy machine may stand still for longer than a test wants to wait for what does hang.
  const std::string stall = engine.find("hang") != std::string::npos ? "--stall=0.5" : "--stall=30";
  const Ending ending = Run({"run", "--num=1000", stall, "--engine=" + engine + ",lmdb,memory",
                             "--benchmarks=" + std::string(failure.benchmarks)});
  EXPECT_EQ(ending.exit_code,
            failure.outcome == Outcome::kOk || failure.outcome == Outcome::kUnsupported ? 0 : 1)
      << ending.err;
  EXPECT_TRUE(NobodyIsLeft(1)) << "a process of the engine is still there";

  const Result result = ReadResult();
  ASSERT_EQ(result.runs.size(), 3u);
  for (const char* const other : {"lmdb", "memory"}) {
    EXPECT_EQ(RunOf(result, other).outcome, Outcome::kOk);
    for (const PhaseResult& phase : RunOf(result, other).phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << other << ", " << phase.workload;
    }
  }
  // All its phases are there: those before, the one that failed, and those it did not come to.
  const RunResult& run = RunOf(result, engine);
  ASSERT_EQ(run.phases.size(), RunOf(result, "lmdb").phases.size());
  size_t bad = 0;
  while (bad < run.phases.size() && run.phases[bad].outcome == Outcome::kOk) ++bad;
  if (failure.outcome == Outcome::kOk) {
    EXPECT_EQ(bad, run.phases.size());
    EXPECT_EQ(run.outcome, Outcome::kOk) << run.message;
    return;
  }
  ASSERT_LT(bad, run.phases.size());
  EXPECT_EQ(run.phases[bad].outcome, failure.outcome);
  for (const std::string& part : failure.says) {
    EXPECT_THAT(run.phases[bad].message, HasSubstr(part));
    EXPECT_THAT(InOneLine(ending.out), HasSubstr(part));  // The note under the tables.
  }
  const std::string word = failure.outcome == Outcome::kFailed ? "failed[" : "unsupported[";
  EXPECT_THAT(CellsOf(ending.out, run.phases[bad].workload)[0], HasSubstr(word));
  for (size_t later = bad + 1; later < run.phases.size(); ++later) {
    EXPECT_NE(run.phases[later].outcome, Outcome::kInterrupted) << run.phases[later].workload;
  }
}

// With AddressSanitizer, which reports the signal itself and exits.
const char* const kSegmentationFault = LEVELFIELD_SANITIZED ? "died by" : "SIGSEGV";

INSTANTIATE_TEST_SUITE_P(
    All, AFailedEngine,
    ::testing::Values(
        Failure{"none", "fillrandom,readrandom,readseq,deleteseq,fillbatch", Outcome::kOk, {}},
        Failure{"abort_in_put", "fillseq,readseq", Outcome::kFailed, {"SIGABRT", "in fillseq"}},
        Failure{"segfault_in_get",
                "fillseq,readrandom,readseq",
                Outcome::kFailed,
                {kSegmentationFault, "in readrandom"}},
        Failure{"exit_in_put", "fillseq,readseq", Outcome::kFailed, {"exit code 3", "in fillseq"}},
        Failure{"hang_in_put",
                "fillseq,readseq",
                Outcome::kFailed,
                {"hung", "'run'", "--stall", "in fillseq", "after 99 operations"}},
        Failure{"hang_in_open", "fillseq,readseq", Outcome::kFailed, {"hung", "'open'"}},
        Failure{"hang_in_close", "fillseq,readseq", Outcome::kFailed, {"hung", "'close'"}},
        Failure{
            "fail_100th_put", "fillseq,readseq", Outcome::kFailed, {"no space left on the moon"}},
        Failure{"fail_in_scan", "fillseq,readseq", Outcome::kFailed, {"the page is torn"}},
        Failure{"cannot_open",
                "fillseq,readseq",
                Outcome::kFailed,
                {"open", "the moon is in the wrong house"}},
        Failure{"cannot_begin",
                "fillseq,readseq",
                Outcome::kFailed,
                {"begin_session", "there are no sessions today"}},
        Failure{"close_fails", "fillseq,readseq", Outcome::kFailed, {"close", "the door is stuck"}},
        Failure{"no_erase",
                "fillseq,deleteseq,readseq",
                Outcome::kUnsupported,
                {"what is written stays written"}},
        Failure{"abort_in_load", "fillseq", Outcome::kFailed, {"cannot be loaded", "SIGABRT"}},
        Failure{"no_such_fault", "fillseq", Outcome::kUnsupported, {"no fault is called"}},
        Failure{"noisy", "fillseq,readseq", Outcome::kOk, {}},
        Failure{"noisy_load", "fillseq,readseq", Outcome::kOk, {}},
        Failure{"speaks_for_us", "fillseq,readseq", Outcome::kOk, {}},
        Failure{"grandchild", "fillseq,readseq", Outcome::kOk, {}}),
    [](const auto& test) { return test.param.fault; });

class Failures : public EndToEnd {};

TEST_F(Failures, of_many_kinds_side_by_side_are_a_row_each) {
  const Ending ending = Run({"run", "--num=1000", "--stall=30",
                             "--engine=misbehaving@abort_in_put,misbehaving@segfault_in_get,lmdb,"
                             "misbehaving@exit_in_put,misbehaving@flip_bit,memory,misbehaving",
                             "--benchmarks=fillrandom,readrandom,readseq"});
  EXPECT_EQ(ending.exit_code, 1);
  const Result result = ReadResult();
  EXPECT_EQ(RunOf(result, "misbehaving@abort_in_put").outcome, Outcome::kFailed);
  EXPECT_EQ(RunOf(result, "misbehaving@segfault_in_get").outcome, Outcome::kFailed);
  EXPECT_EQ(RunOf(result, "misbehaving@exit_in_put").outcome, Outcome::kFailed);
  EXPECT_EQ(RunOf(result, "misbehaving@flip_bit").outcome, Outcome::kWrong);
  for (const char* const good : {"lmdb", "memory", "misbehaving"}) {
    EXPECT_EQ(RunOf(result, good).outcome, Outcome::kOk) << RunOf(result, good).message;
  }
  EXPECT_EQ(PhaseOf(RunOf(result, "misbehaving@segfault_in_get"), "fillrandom").outcome,
            Outcome::kOk);
  EXPECT_EQ(PhaseOf(RunOf(result, "misbehaving@segfault_in_get"), "readseq").outcome,
            Outcome::kNotRun);
}

TEST_F(Failures, keep_the_last_words_and_the_store_as_evidence) {
  const Ending ending =
      Run({"run", "--num=100", "--engine=misbehaving@abort_in_put,memory", "--benchmarks=fillseq"});
  EXPECT_THAT(ending.err,
              AllOf(HasSubstr("the internal error that ends it"), HasSubstr("its store is kept")));
  const RunResult run = RunOf(ReadResult(), "misbehaving@abort_in_put");
  EXPECT_THAT(run.stderr_tail, ::testing::Contains(HasSubstr("the internal error")));
  EXPECT_TRUE(fs::exists(ResultPath() + "/stores/misbehaving@abort_in_put/LEVELFIELD"));
  EXPECT_FALSE(fs::exists(ResultPath() + "/stores/memory"));
}

TEST_F(Failures, of_a_plug_in_that_is_none_are_rows_too) {
  WriteFile("engines/levelfield_garbage.so",
            "\x7f"
            "ELF, and then nothing of the kind");
  WriteFile("engines/levelfield_empty.so", "");
  const Ending ending = Run({"run", "--num=100", "--engine=garbage,empty,short_table,memory,lmdb",
                             "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 1);
  const Result result = ReadResult();
  EXPECT_EQ(RunOf(result, "lmdb").outcome, Outcome::kOk);
  EXPECT_THAT(RunOf(result, "garbage").message,
              AllOf(HasSubstr("cannot load"), HasSubstr("levelfield_garbage.so")));
  EXPECT_THAT(RunOf(result, "empty").message, HasSubstr("levelfield_empty.so"));
  EXPECT_THAT(RunOf(result, "short_table").message, HasSubstr("struct_bytes"));
  const Ending engines = Run({"engines"});
  EXPECT_EQ(engines.exit_code, 0);
  EXPECT_THAT(engines.out, AllOf(HasSubstr("garbage\n    cannot be used: "), HasSubstr("lmdb ")));
}

TEST_F(Failures, alone_are_told_at_once) {
  WriteFile("engines/levelfield_garbage.so", "nothing");
  const std::vector<std::string> before = Listing();
  const Ending ending = Run({"run", "--engine=garbage"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.err, HasSubstr("levelfield_garbage.so"));
  EXPECT_EQ(Listing(), before);
}

TEST_F(Failures, to_honour_an_option_are_a_row_with_the_reason) {
  const Ending ending = Run({"run", "--num=100", "--engine=misbehaving,rocksdb,memory",
                             "--durability=none", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  EXPECT_EQ(RunOf(result, "misbehaving").outcome, Outcome::kUnsupported);
  EXPECT_THAT(RunOf(result, "misbehaving").message, HasSubstr("nothing less"));
  EXPECT_THAT(ending.out, HasSubstr("nothing less"));
  EXPECT_EQ(RunOf(result, "rocksdb").outcome, Outcome::kOk);
}

struct WrongAnswer {
  const char* fault;
  const char* benchmarks;
  const char* workload;  // The one that has to be WRONG.
  const char* says;
};
void PrintTo(const WrongAnswer& wrong, std::ostream* out) { *out << wrong.fault; }

class AWrongAnswer : public EndToEnd, public ::testing::WithParamInterface<WrongAnswer> {};

TEST_P(AWrongAnswer, is_found_and_voids_the_number) {
  const WrongAnswer& wrong = GetParam();
  const std::string engine = "misbehaving@" + std::string(wrong.fault);
  const Ending ending = Run({"run", "--num=2000", "--engine=" + engine + ",lmdb",
                             "--benchmarks=" + std::string(wrong.benchmarks)});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  const Result result = ReadResult();
  EXPECT_EQ(RunOf(result, "lmdb").outcome, Outcome::kOk);
  EXPECT_EQ(RunOf(result, engine).outcome, Outcome::kWrong);
  const PhaseResult& phase = PhaseOf(RunOf(result, engine), wrong.workload);
  EXPECT_EQ(phase.outcome, Outcome::kWrong);
  EXPECT_THAT(phase.message, HasSubstr(wrong.says));
  EXPECT_THAT(CellsOf(ending.out, wrong.workload)[0], HasSubstr("WRONG["));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr(phase.message));
  EXPECT_THAT(ending.err, HasSubstr("wrong: "));
  EXPECT_TRUE(fs::exists(ResultPath() + "/stores/" + engine)) << "the evidence";
}

INSTANTIATE_TEST_SUITE_P(
    All, AWrongAnswer,
    ::testing::Values(
        WrongAnswer{"lose_puts", "fillrandom,readrandom", "fillrandom", "was expected"},
        WrongAnswer{"lose_batch_half", "fillbatch", "fillbatch", "was expected"},
        WrongAnswer{"other_value", "fillrandom,readrandom", "readrandom", "what was read differs"},
        WrongAnswer{"flip_bit", "fillrandom,readrandom", "readrandom", "what was read differs"},
        WrongAnswer{"keep_old", "fillrandom,overwrite", "overwrite",
                    "has version 1 where version 2"},
        WrongAnswer{"skip_in_scan", "fillrandom", "fillrandom", "was expected"},
        WrongAnswer{"wrong_order", "fillrandom", "fillrandom", "was expected"},
        WrongAnswer{"end_early", "fillrandom", "fillrandom", "the store ends after"},
        WrongAnswer{"forget", "fillrandom,readrandom", "fillrandom", "the store ends after 0"},
        WrongAnswer{"resurrect", "fillrandom,deleterandom", "deleterandom", "should not be there"},
        WrongAnswer{"extra_entry", "fillrandom", "fillrandom", "0000000000000007x"},
        WrongAnswer{"find_missing", "fillrandom,readmissing", "readmissing", "found instead of 0"}),
    [](const auto& test) { return test.param.fault; });

class ThreadsThatCannotBeStarted : public EndToEnd {};

TEST_F(ThreadsThatCannotBeStarted, fail_their_workload_at_once_and_by_their_own_name) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "a sanitizer reserves more memory than is left here";
  options_.shell = "ulimit -v 1000000; exec \"$@\"";
  const Ending ending = Run({"run", "--engine=stub", "--threads=1000", "--num=2000", "--price=0",
                             "--benchmarks=fillrandom", "--stall=1000"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ReadResult().runs[0].phases[0].message,
              AllOf(HasSubstr(" of 1000 cannot be started: "), HasSubstr("ulimit -u")));
}

}  // namespace
}  // namespace levelfield
