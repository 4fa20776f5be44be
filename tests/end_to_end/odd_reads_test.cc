// Names of RocksDB's db_bench that read in ways of their own, and one that compresses in vain.
#include <algorithm>

#include "end_to_end.h"

namespace levelfield {
namespace {

class OddReads : public EndToEnd {};

TEST_F(OddReads, readrandomfast_asks_for_keys_beyond_the_store_and_says_how_many) {
  const Ending ending = Run({"run", "--num=1100", "--reads=20000", "--threads=2",
                             "--engine=leveldb,memory", "--benchmarks=readrandomfast"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "readrandomfast");
    const LaneResult& gets = phase.roles.at(0).lanes.at(0);
    EXPECT_EQ(phase.checked, "replayed");
    // 948 of 2048 keys.
    EXPECT_NEAR(static_cast<double>(gets.misses), 20'000.0 * 948 / 2048, 400);
    EXPECT_EQ(phase.note, std::to_string(gets.misses) + " of 20000 keys lie beyond the store");
  }
}

TEST_F(OddReads, readrandomfast_of_a_power_of_two_finds_all) {
  const Ending ending =
      Run({"run", "--num=1024", "--engine=memory", "--benchmarks=readrandomfast"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "readrandomfast");
  EXPECT_EQ(phase.roles.at(0).lanes.at(0).misses, 0u);
  EXPECT_EQ(phase.note, "");
}

TEST_F(OddReads, multireadrandom_gets_runs_of_keys_with_a_stride) {
  const Ending ending = Run({"run", "--num=2000", "--engine=rocksdb", "--multiread_stride=5",
                             "--benchmarks=multireadrandom,multireadwhilewriting"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "multireadrandom");
  EXPECT_EQ(phase.checked, "replayed");
  EXPECT_EQ(phase.roles.at(0).lanes.at(0).hits, 2000u);
}

TEST_F(OddReads, a_stride_that_the_store_cannot_hold_is_refused) {
  const Ending wide = Run({"run", "--num=2000", "--engine=rocksdb", "--multiread_stride=201",
                           "--benchmarks=multireadrandom"});
  EXPECT_EQ(wide.exit_code, 2);
  EXPECT_NE(wide.err.find("lower --multiread_stride"), std::string::npos) << wide.err;
  const Ending skewed = Run({"run", "--num=2000", "--engine=rocksdb", "--multiread_stride=2",
                             "--read_random_exp_range=5", "--benchmarks=multireadrandom"});
  EXPECT_EQ(skewed.exit_code, 2);
  EXPECT_NE(skewed.err.find("--read_random_exp_range"), std::string::npos) << skewed.err;
}

TEST_F(OddReads, fillseekseq_fills_the_store_anew_and_seeks_every_key_twice) {
  const Ending ending = Run({"run", "--num=700", "--engine=rocksdb,leveldb,sqlite3,lmdb,memory",
                             "--seek_nexts=3", "--benchmarks=deleterandom,fillseekseq"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "fillseekseq");
    EXPECT_EQ(phase.checked, "replayed") << run.engine;
    const LaneResult& seeks = phase.roles.at(0).lanes.at(0);
    EXPECT_EQ(seeks.operations, 700u);
    EXPECT_EQ(seeks.hits, 700u) << run.engine;
    // Five entries of 116 bytes for each key, but for those at the end.
    EXPECT_EQ(seeks.bytes, (700 * 5 - (1 + 2 + 3)) * 116u);
  }
}

TEST_F(OddReads, fillseekseq_destroys_no_store_that_was_there) {
  const Ending made = Run({"run", "--num=300", "--engine=leveldb", "--db=store", "--keep=1",
                           "--benchmarks=fillrandom"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Ending ending = Run({"run", "--num=300", "--engine=leveldb", "--db=store",
                             "--use_existing_db=1", "--benchmarks=fillseekseq,readseq"});
  EXPECT_NE(ending.out.find("--use_existing_db is true"), std::string::npos) << ending.out;
}

TEST_F(OddReads, compressreject_is_refused_its_buffer_each_time) {
  WriteFile("reject.workload",
            "summary = s\nfamily = machine\nneeds = no store\n[worker]\nop = compress_reject\n"
            "codec = lz4\nvalue_size = 4096\nstop = after 200 operations\n");
  const Ending ending = Run({"run", "--engine=memory", "--benchmarks=./reject.workload"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "reject");
  EXPECT_EQ(phase.checked, "recomputed");
  EXPECT_EQ(phase.roles.at(0).lanes.at(0).hits, 200u);
  EXPECT_NE(phase.check_detail.find("were refused in"), std::string::npos) << phase.check_detail;
}

}  // namespace
}  // namespace levelfield
