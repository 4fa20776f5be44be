// Published experiments by their names: `levelfield suite`, `benchmark.sh`, and report.tsv.
#include <optional>

#include "suites.h"

namespace levelfield {
namespace {

constexpr const char* kOriginalColumns =
    "ops_sec\tmb_sec\tlsm_sz\tblob_sz\tc_wgb\tw_amp\tc_mbps\tc_wsecs\tc_csecs\tb_rgb\tb_wgb\t"
    "usec_op\tp50\tp99\tp99.9\tp99.99\tpmax\tuptime\tstall%\tNstall\tu_cpu\ts_"
    "cpu\trss\ttest\tdate\t"
    "version\tjob_id\tgithash";

TEST_F(Suites, AreListedWithTheirJobs) {
  EXPECT_THAT(Run({"suite"}).out, HasSubstr("rocksdb_flash"));
  const Ending jobs = Run({"suite", "rocksdb_flash"});
  EXPECT_EQ(jobs.exit_code, 0);
  EXPECT_THAT(jobs.out, AllOf(HasSubstr("bulkload"), HasSubstr("revrangewhilemerging"),
                              HasSubstr("NUM_KEYS=8000000000")));
}

TEST_F(Suites, TheStoreOfOneJobIsTheNextOnes) {
  ASSERT_EQ(RunSuite("bulkload", {"--num=20k", "--threads=2"}).exit_code, 0);
  const Ending ending =  // Few writes: each is synced.
      RunSuite("overwriteandwait,readrandom",
               {"--num=20k", "--threads=2", "--job_id=j7", "--writes=20"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  ASSERT_EQ(Rows().size(), 4u);
  EXPECT_EQ(Rows()[0], std::string(kOriginalColumns) + "\tengine");
  EXPECT_EQ(Cell(1, "test"), "bulkload");
  EXPECT_EQ(Cell(2, "test"), "overwriteandwait.t2.s1");
  EXPECT_EQ(Cell(3, "test"), "readrandom.t2");
  EXPECT_EQ(Cell(3, "job_id"), "j7");
  for (size_t row = 1; row <= 3; ++row) {
    for (const char* const column : {"ops_sec", "mb_sec", "lsm_sz", "c_wgb", "c_wsecs", "usec_op",
                                     "p50", "pmax", "stall%", "Nstall", "u_cpu", "rss"}) {
      const std::string cell = Cell(row, column);
      size_t used = 0;
      EXPECT_NO_THROW((void)std::stod(cell, &used)) << column << " of row " << row << ": " << cell;
      EXPECT_EQ(used, cell.size()) << column << ": " << cell;
    }
  }
  // Eight MiB before compression; the fill itself ends with all of it in a memtable.
  EXPECT_GT(std::stod(Cell(3, "lsm_sz")), 0);
  EXPECT_EQ(Cell(3, "w_amp"), "-");
  EXPECT_EQ(Cell(2, "p99.9"), "NA");
  const std::string notes = ReadFile("results/report_notes.tsv");
  EXPECT_THAT(notes, AllOf(HasSubstr("ops_sec\toperations a second"),
                           HasSubstr("readrandom.t2\trocksdb\tw_amp\tnothing was flushed"),
                           HasSubstr("overwriteandwait.t2.s1\trocksdb\tp99.9\tfewer than ten")));
}

TEST_F(Suites, AResultGivesItsRowsAgain) {
  ASSERT_EQ(RunSuite("filluniquerandom", {"--num=2000"}).exit_code, 0);
  fs::rename(path() + "/results/report.tsv", path() + "/report.tsv");
  fs::remove(path() + "/results/report_notes.tsv");
  const Ending report = Run({"report", "--format=tsv", ResultPath()});
  EXPECT_EQ(report.out, ReadFile("report.tsv"));
}

TEST_F(Suites, OtherEnginesDoTheSameJob) {
  const Ending ending =
      RunSuite("bulkload,readrandom", {"--num=2000", "--engine=leveldb,lmdb", "--threads=1"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  ASSERT_EQ(Rows().size(), 5u);
  EXPECT_EQ(Cell(1, "engine"), "leveldb");
  EXPECT_EQ(Cell(4, "engine"), "lmdb");
  EXPECT_EQ(Cell(4, "lsm_sz"), "-");
  EXPECT_GT(std::stod(Cell(4, "ops_sec")), 0);
}

TEST_F(Suites, MistakesAreFoundBeforeAnythingRuns) {
  const auto expect = [&](const Ending& ending, const std::string& why) {
    EXPECT_EQ(ending.exit_code, 2) << why << ending.err;
    EXPECT_THAT(InOneLine(ending.err), HasSubstr(why));
  };
  expect(Run({"suite", "rocksdb_flush"}), "did you mean 'rocksdb_flash'?");
  expect(Run({"suite", "rocksdb_flash", "--db=db"}), "which job?");
  expect(RunSuite("bulklaod", {}), "did you mean 'bulkload'?");
  expect(RunSuite("bulkload,readrandom", {"--nun=5"}), "--num");
  expect(Run({"suite", "rocksdb_flash", "--job=readrandom"}), "--db: which directory?");
  expect(RunSuite("readrandom", {"--num=5"}), "job readrandom: ");
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(Suites, TheScriptTakesItsEnvironment) {
  options_.environment = {{"DB_DIR", path() + "/raid/db"},
                          {"WAL_DIR", path() + "/raid/wal"},
                          {"OUTPUT_DIR", "results"},
                          {"NUM_KEYS", "3000"},
                          {"NUM_THREADS", "2"},
                          {"COMPRESSION_TYPE", "none"},
                          {"CACHE_SIZE", "8388608"},
                          {"JOB_ID", "nightly"}};
  fs::create_directories(path() + "/raid");
  const Ending load = RunScript("fillseq_disable_wal");
  ASSERT_EQ(load.exit_code, 0) << load.err << load.out;
  EXPECT_THAT(load.err, HasSubstr("WAL_DIR="));
  options_.environment["DB_BENCH_NO_SYNC"] = "1";
  const Ending read = RunScript("readwhilewriting", {"--seed=9"});
  ASSERT_EQ(read.exit_code, 0) << read.err << read.out;
  EXPECT_EQ(Cell(1, "test"), "fillseq.wal_disabled.v400");
  EXPECT_EQ(Cell(2, "test"), "readwhilewriting.t2");
  EXPECT_EQ(Cell(2, "job_id"), "nightly");
}

TEST_F(Suites, TheScriptRefusesWhatItCannotHonour) {
  const auto expect = [&](const std::string& why) {
    const Ending ending = RunScript("bulkload");
    EXPECT_EQ(ending.exit_code, 2) << why << ending.err;
    EXPECT_THAT(InOneLine(ending.err), HasSubstr(why));
  };
  expect("DB_DIR is not set");
  options_.environment = {{"DB_DIR", "db"}};
  expect("WAL_DIR is not set");
  options_.environment["WAL_DIR"] = "db";
  expect("set NUM_KEYS: it is 8000000000");
  options_.environment["NUM_KEYS"] = "1000";
  options_.environment["COMPACTION_STYLE"] = "lazy";
  expect("COMPACTION_STYLE=lazy");
  options_.environment["COMPACTION_STYLE"] = "leveled";
  options_.environment["CACHE_NUMSHARDBITS"] = "4";
  expect("CACHE_NUMSHARDBITS=4: cannot be honoured");
}

// Every plan of --memory needs a group; where none can be made, that is what the refusal says.
class CappedMemory : public EndToEnd {
 protected:
  void SetUp() override {
    const Ending ending = Run({"plan", "--engine=memory", "--memory=64M", "--num=10"});
    if (ending.exit_code == 2 && ending.err.find("--memory: ") != std::string::npos) {
      GTEST_SKIP() << "no memory cgroup can be had here: " << ending.err;
    }
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }
};

TEST_F(CappedMemory, IsInTheResultAndInTheTitle) {
  // A sanitizer's own memory is counted as well.
  const uint64_t limit = uint64_t{LEVELFIELD_SANITIZED ? 2048 : 64} << 20;
  const std::string typed = LEVELFIELD_SANITIZED ? "2G" : "64M";
  const Ending ending = Run({"run", "--engine=leveldb,lmdb", "--memory=" + typed, "--num=20k",
                             "--benchmarks=fillrandom,readrandom", "--cache_size=8M"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("memory " + typed + " for each engine"));
  const Result result = ReadResult();
  for (const RunResult& run : result.runs) {
    ASSERT_TRUE(run.memory.has_value()) << run.engine;
    EXPECT_EQ(run.memory->limit_bytes, limit);
    EXPECT_GT(run.memory->peak_bytes, uint64_t{4} << 20);
    EXPECT_LE(run.memory->peak_bytes, limit);
  }
}

TEST_F(CappedMemory, MakesReadsOfMoreDataThanItHoldsComeFromTheDisk) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "the sanitizer's own memory is more than the limit";
  const std::vector<std::string> words = {"run",
                                          "--engine=rocksdb",
                                          "--num=30k",
                                          "--value_size=2000",
                                          "--reads=1000",
                                          "--benchmarks=fillrandom,readrandom",
                                          "--cache_size=1M",
                                          "--write_buffer_size=4M"};
  const auto read_bytes = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    fs::remove_all(path() + "/results");
    EXPECT_EQ(Run(more).exit_code, 0);
    const Result result = ReadResult();
    const Resources used = PhaseOf(result.runs.at(0), "readrandom").resources.value_or(Resources());
    return used.io && used.device ? std::optional(used.io->storage_read_bytes) : std::nullopt;
  };
  const auto capped = read_bytes({"--memory=32M"});
  if (!capped) GTEST_SKIP() << "the test's directory is on no block device";
  EXPECT_GT(*capped, uint64_t{1} << 20);
  EXPECT_LT(*read_bytes({}), uint64_t{1} << 20);  // 60 MB are in the page cache.
}

TEST_F(CappedMemory, ThatIsNotEnoughIsSaidWithWhatToDo) {
  const Ending ending =
      Run({"run", "--engine=memory", "--memory=24M", "--num=300k", "--benchmarks=fillrandom"});
  EXPECT_EQ(ending.exit_code, 1) << ending.out;
  EXPECT_THAT(InOneLine(ending.err), HasSubstr("out of memory: its limit is 24.0 MiB (--memory)"));
}

TEST_F(CappedMemory, IsUncappedWithoutTheFlag) {
  const Ending ending = Run({"run", "--engine=memory", "--num=10", "--benchmarks=fillrandom"});
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("memory uncapped"));
  EXPECT_FALSE(ReadResult().runs.at(0).memory.has_value());
}

// Whatever an engine caches in, and however: of 128 MB of entries three quarters are on the disk.
// What TreeDB has mapped it would read ahead, by megabytes to a page where the disk says so.
class FourTimesItsMemory : public CappedMemory,
                           public ::testing::WithParamInterface<const char*> {};

TEST_P(FourTimesItsMemory, IsReadFromTheDisk) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "the sanitizer's own memory is more than the limit";
  std::vector<std::string> words = {"run",
                                    std::string("--engine=") + GetParam(),
                                    "--memory=32M",
                                    "--num=32k",
                                    "--value_size=4000",
                                    "--reads=100",
                                    "--benchmarks=fillseq,readrandom",
                                    "--price=0"};
  if (words[1] == "--engine=treedb") words.emplace_back("--treedb.map_size=0");
  const Ending ending = Run(words);
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const PhaseResult reads = PhaseOf(ReadResult().runs.at(0), "readrandom");
  ASSERT_TRUE(reads.resources && reads.resources->io);
  if (!reads.resources->device) GTEST_SKIP() << "the test's directory is on no block device";
  EXPECT_GE(reads.live_bytes, uint64_t{120} << 20);
  EXPECT_GT(reads.resources->io->storage_read_bytes, uint64_t{100} << 10);
}

INSTANTIATE_TEST_SUITE_P(All, FourTimesItsMemory,
                         ::testing::Values("leveldb", "rocksdb", "sqlite3", "lmdb", "berkeleydb",
                                           "treedb"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(EndToEnd, WithoutAMemoryControllerACapIsRefused) {
  options_.shell = "unshare -m true";
  if (Run({}).exit_code != 0) GTEST_SKIP() << "no mount namespace can be had here";
  options_.shell =
      "exec unshare -m sh -c 'for m in /sys/fs/cgroup/memory /sys/fs/cgroup/unified; do umount -l "
      "$m "
      "2>/dev/null; done; umount -l /sys/fs/cgroup 2>/dev/null; exec \"$@\"' sh \"$@\"";
  const Ending ending = Run({"run", "--engine=memory", "--num=10", "--memory=64M"});
  EXPECT_EQ(ending.exit_code, 2) << ending.out;
  EXPECT_THAT(InOneLine(ending.err), AllOf(HasSubstr("--memory: no memory controller of cgroups"),
                                           HasSubstr("leave --memory out")));
  EXPECT_THAT(Listing(), IsEmpty());
}

}  // namespace
}  // namespace levelfield
