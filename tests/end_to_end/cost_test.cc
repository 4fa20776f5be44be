// What a run says of its cost, of the machine meanwhile, and of the harness itself.

#include "analysis/cost.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "end_to_end.h"

namespace levelfield {
namespace {

class CostOfARun : public EndToEnd {};

TEST_F(CostOfARun, CountsEachSyncOfEveryEngineThatSurvivesPowerCuts) {
  const Ending ending =
      Run({"run", "--engine=leveldb,rocksdb,sqlite3,lmdb,berkeleydb,treedb", "--num=20",
           "--benchmarks=fillseq", "--durability=synced", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  const Result result = ReadResult();
  size_t checked = 0;
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "fillseq");
    if (phase.level != "D4" || phase.outcome != Outcome::kOk) continue;
    ASSERT_TRUE(phase.resources->syncs.has_value()) << run.engine;
    EXPECT_GE(phase.resources->syncs->calls, 20u) << run.engine;
    ASSERT_TRUE(phase.ceilings.has_value()) << run.engine;
    EXPECT_GT(phase.ceilings->syncs, 0u) << run.engine;
    ++checked;
  }
  EXPECT_GE(checked, 4u) << ending.out;
}

TEST_F(CostOfARun, NeedsNoSyncInAClassThatSurvivesKillsAlone) {
  const Ending ending = Run({"run", "--engine=leveldb", "--num=1000", "--benchmarks=fillseq",
                             "--durability=process", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  const PhaseResult& phase = result.runs.front().phases.front();
  EXPECT_EQ(phase.resources->syncs->calls, 0u);
  EXPECT_EQ(phase.ceilings->syncs, 0u);
}

TEST_F(CostOfARun, IsShownInFullOnRequestAndInBriefAlways) {
  const Ending ending = Run({"run", "--engine=leveldb,memory", "--num=3000",
                             "--benchmarks=fillrandom,readrandom", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("fillrandom: CPU us/op"));
  EXPECT_THAT(ending.out, HasSubstr("readrandom: CPU us/op"));
  EXPECT_THAT(ending.out, HasSubstr("space/held"));
  const Result result = ReadResult();
  const PhaseResult& fill = PhaseOf(RunOf(result, "leveldb"), "fillrandom");
  EXPECT_EQ(fill.live_bytes, 3000u * 116);
  EXPECT_GE(fill.peak_disk_bytes, fill.disk_bytes);
  const Cost cost = CostOf(fill);
  EXPECT_GT(cost.write_calls.value.value_or(0), 1);
  EXPECT_LT(cost.write_calls.value.value_or(99), 3);
  const Ending report = Run({"report", "--format=cost", ResultPath()});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.out, AllOf(HasSubstr("written/put: dirtied"), HasSubstr("sync calls"),
                                HasSubstr("resident: anonymous"),
                                HasSubstr("-: leveldb, written/put: engine: the engine does not")));
}

TEST_F(CostOfARun, OfAMemoryMapIsResidentInFiles) {
  const Ending ending =
      Run({"run", "--engine=lmdb", "--num=100k", "--benchmarks=fillseq,readseq", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  const PhaseResult& read = PhaseOf(result.runs.front(), "readseq");
  ASSERT_TRUE(read.resources->memory.has_value());
  EXPECT_GT(read.resources->memory->file_bytes, 11'600'000u);
  // A sanitizer's own memory is anonymous, too.
  EXPECT_LT(read.resources->memory->anonymous_bytes,
            LEVELFIELD_SANITIZED ? 500'000'000u : 60'000'000u);
}

TEST_F(CostOfARun, MeasuresThePriceOfTheHarnessFirst) {
  const Ending ending = Run({"run", "--engine=lmdb", "--num=2000", "--benchmarks=readrandom"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(InOneLine(ending.out),
              HasSubstr("price of the harness, an operation of null (does nothing, 2,000 keys): "
                        "readrandom"));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("an operation of memory (an ordered map"));
  const Result result = ReadResult();
  ASSERT_EQ(result.prices.size(), 2u);
  EXPECT_EQ(result.runs.size(), 1u);
  const double null_ns = NsOf(result.prices[0], "readrandom").value_or(0);
  EXPECT_GT(null_ns, 5);
  EXPECT_GT(NsOf(result.prices[1], "readrandom").value_or(0),
            5);  // Of 2,000 reads: no more is sure.
  EXPECT_GT(result.prices[0].clock_ns, 1);
}

TEST_F(CostOfARun, HasNoPriceTwiceAndNoneWhereNobodyWantsIt) {
  Ending ending = Run(
      {"run", "--engine=null,memory", "--num=2000", "--benchmarks=readrandom", "--name=floors"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_TRUE(ReadResult().prices.empty());
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("price of the harness, an operation of null"));
  fs::remove_all(path() + "/results");
  ending = Run({"run", "--engine=lmdb", "--num=2000", "--benchmarks=readrandom", "--price=0"});
  EXPECT_TRUE(ReadResult().prices.empty());
  EXPECT_THAT(ending.out, Not(HasSubstr("price of the harness")));
}

TEST_F(CostOfARun, IsReadFromTheDiskWhereTheCacheIsCold) {
  struct statfs here {};
  ASSERT_EQ(statfs(path().c_str(), &here), 0);
  if (here.f_type == TMPFS_MAGIC) GTEST_SKIP() << "files in memory are never cold";
  const Ending ending =
      Run({"run", "--engine=leveldb,rocksdb,sqlite3,lmdb,berkeleydb,treedb", "--num=20k",
           "--benchmarks=fillrandom,readseq,readseq", "--cache=cold", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(InOneLine(ending.out), HasSubstr("workloads that read began cold"));
  for (const RunResult& run : ReadResult().runs) {
    for (size_t i = 1; i < run.phases.size(); ++i) {
      const PhaseResult& phase = run.phases[i];
      ASSERT_TRUE(phase.page_cache.has_value()) << run.engine;
      EXPECT_TRUE(IsCold(*phase.page_cache)) << run.engine;
      EXPECT_GT(phase.page_cache->end_cached_bytes, phase.page_cache->cached_bytes) << run.engine;
    }
  }
}

TEST_F(CostOfARun, IsNotColdInMemoryAndSaysSo) {
  if (!fs::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  const std::string store = "/dev/shm/levelfield_cold_" + std::to_string(getpid());
  const Ending ending = Run({"run", "--engine=leveldb", "--num=5000", "--cache=cold",
                             "--benchmarks=fillseq,readseq", "--price=0", "--db=" + store});
  fs::remove_all(store);
  EXPECT_EQ(ending.exit_code, 3);
  const PhaseResult phase = PhaseOf(ReadResult().runs.front(), "readseq");
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, HasSubstr("cold could not be established"));
}

TEST_F(CostOfARun, KnowsTwoTemperatures) {
  const Ending ending = Run({"run", "--engine=lmdb", "--cache=lukewarm"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("--cache=lukewarm: warm or cold"));
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(CostOfARun, RefusesToCallMemoryDurable) {
  if (!fs::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  const std::string store = "/dev/shm/levelfield_cost_" + std::to_string(getpid());
  const Ending ending = Run({"run", "--engine=lmdb", "--num=20", "--benchmarks=fillseq",
                             "--durability=synced", "--price=0", "--db=" + store});
  const PhaseResult phase = ReadResult().runs.front().phases.front();
  fs::remove_all(store);
  EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
  EXPECT_THAT(phase.message, AllOf(HasSubstr("tmpfs"), HasSubstr("--db")));
  EXPECT_THAT(ending.out, HasSubstr("unsupported"));
}

}  // namespace
}  // namespace levelfield
