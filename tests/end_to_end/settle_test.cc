// What a writing workload leaves to the engine's background is worked off before anything else
// begins, timed, and charged to it.
#include <algorithm>

#include "end_to_end.h"

namespace levelfield {
namespace {

class SettledDebt : public EndToEnd {
 protected:
  // 0.8 s of work that no call waits for.
  static constexpr double kDebtSeconds = 0.8;
  const std::vector<std::string> words_ = {"run", "--engine=stub", "--num=1000",
                                           "--benchmarks=fillrandom,readrandom",
                                           "--stub.debt_us_per_put=800"};

  static uint64_t PaidIn(const PhaseResult& phase) {
    for (const auto& [name, count] : phase.counters) {
      if (name == "stub.debt_paid_us") return count;
    }
    ADD_FAILURE() << phase.workload << " has no counter of it";
    return 0;
  }
};

TEST_F(SettledDebt, is_charged_to_those_who_made_it) {
  const Ending ending = Run(words_);
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const RunResult run = RunOf(ReadResult(), "stub");
  const PhaseResult& fill = PhaseOf(run, "fillrandom");
  ASSERT_TRUE(fill.settle.has_value());
  EXPECT_EQ(fill.settle->how, "flush, wait_for_background");
  EXPECT_TRUE(fill.settle->complete);
  // What a busy machine has let the thread do while the writes stood still is not waited for.
  EXPECT_GE(fill.settle->seconds, kDebtSeconds - static_cast<double>(PaidIn(fill)) * 1e-6 - 0.01);
  EXPECT_GE(fill.settle->seconds, kDebtSeconds / 2);
  EXPECT_LT(fill.roles[0].seconds, kDebtSeconds / 2) << "the calls did not wait for it";
  EXPECT_GT(fill.settle->cpu_seconds, 0.05);
  EXPECT_THAT(ending.out, AllOf(HasSubstr("  charged"), HasSubstr("  settled in")));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("charged: ops/s over that time and the time"));
}

TEST_F(SettledDebt, is_gone_before_the_next_workload_begins) {
  ASSERT_EQ(Run(words_).exit_code, 0);
  const RunResult run = RunOf(ReadResult(), "stub");
  const PhaseResult& reads = PhaseOf(run, "readrandom");
  EXPECT_EQ(PaidIn(reads), 0u);
  EXPECT_FALSE(reads.settle.has_value()) << "what writes nothing leaves nothing";
}

TEST_F(SettledDebt, is_not_waited_for_where_it_is_carried_over) {
  std::vector<std::string> words = words_;
  words.emplace_back("--carry_debt");
  const Ending ending = Run(words);
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const RunResult run = RunOf(ReadResult(), "stub");
  for (const PhaseResult& phase : run.phases) EXPECT_FALSE(phase.settle.has_value());
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("debt is carried over"));
  EXPECT_THAT(ending.out, Not(HasSubstr("settled in")));
}

TEST_F(SettledDebt, is_of_no_interest_to_the_originals_names) {
  options_.environment["TEST_TMPDIR"] = path() + "/tmp";
  fs::create_directory(path() + "/tmp");
  fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/db_bench");
  options_.shell = "./db_bench --num=100 --benchmarks=fillseq";
  const Ending ending = Run({});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const RunResult run = RunOf(ReadResult(), "leveldb");
  EXPECT_FALSE(PhaseOf(run, "fillseq").settle.has_value());
}

TEST_F(SettledDebt, of_real_engines_is_what_they_have_buffered) {
  const Ending ending = Run({"run", "--engine=rocksdb,leveldb,lmdb,sqlite3", "--num=20000",
                             "--benchmarks=fillrandom", "--write_buffer_size=128k"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const Result result = ReadResult();
  const auto how = [&](const std::string& engine) {
    const PhaseResult& phase = PhaseOf(RunOf(result, engine), "fillrandom");
    EXPECT_TRUE(phase.settle.has_value()) << engine;
    EXPECT_TRUE(phase.settle.value_or(Settle()).complete) << engine;
    return phase.settle.value_or(Settle()).how;
  };
  EXPECT_EQ(how("rocksdb"), "flush, wait_for_background");
  EXPECT_EQ(how("leveldb"), "watched until its threads rest");
  EXPECT_EQ(how("lmdb"), "flush, it has no threads to wait for");
  EXPECT_THAT(how("sqlite3"), HasSubstr("it has no threads to wait for"));
}

}  // namespace
}  // namespace levelfield
