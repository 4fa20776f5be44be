// Two engines at the same moment.
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "end_to_end.h"
#include "probe/processors.h"

namespace levelfield {
namespace {

class Duets : public EndToEnd {
 protected:
  void SetUp() override {
    if (ProcessorsInForce().size() < 2) GTEST_SKIP() << "a duet needs two processors";
    struct statfs memory {};
    if (statfs("/dev/shm", &memory) != 0 || memory.f_type != TMPFS_MAGIC) {
      GTEST_SKIP() << "/dev/shm is no file system in memory";
    }
    std::string name = "/dev/shm/levelfield_duet_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    stores_ = name;
  }
  void TearDown() override {
    if (!stores_.empty()) fs::remove_all(stores_);
  }
  std::string stores_;
};

TEST_F(Duets, RunBothAtTheSameMomentOnHalvesThatTheyExchange) {
  const Ending ending =
      Run({"run", "--engine=leveldb,lmdb", "--duet", "--db=" + stores_, "--num=20000",
           "--benchmarks=readrandom", "--duration=1s", "--repeat=2", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const Result result = ReadResult();
  ASSERT_EQ(result.runs.size(), 4u);
  std::map<std::pair<std::string, uint64_t>, std::string> cpus;
  for (const RunResult& run : result.runs) {
    cpus[{run.engine, run.round}] = run.cpus;
    EXPECT_EQ(run.outcome, Outcome::kOk) << run.engine << ": " << run.message;
    const PhaseResult& phase = PhaseOf(run, "readrandom");
    EXPECT_THAT(phase.checked, HasSubstr("replayed")) << run.engine;
    EXPECT_TRUE(phase.ticks) << run.engine;
  }
  EXPECT_NE((cpus[{"leveldb", 1}]), (cpus[{"lmdb", 1}]));
  EXPECT_EQ((cpus[{"leveldb", 1}]), (cpus[{"lmdb", 2}]));
  EXPECT_EQ((cpus[{"leveldb", 2}]), (cpus[{"lmdb", 1}]));
  const Ending compared = Run({"compare", ResultPath()});
  EXPECT_THAT(compared.out, AllOf(HasSubstr("at the same moment"), HasSubstr("indicative")))
      << compared.err;
  EXPECT_TRUE(fs::is_empty(stores_)) << "stores are removed";
}

// The other one is not left waiting for it, and does not go on alone.
TEST_F(Duets, EndWhereOneOfThemFails) {
  for (const std::string engines :
       {"misbehaving@segfault_in_get,lmdb", "lmdb,misbehaving@segfault_in_get"}) {
    fs::remove_all(path() + "/results");
    const Ending ending =
        Run({"run", "--engine=" + engines, "--duet", "--db=" + stores_, "--num=1000",
             "--benchmarks=fillseq,readrandom,readseq", "--repeat=3", "--price=0"});
    EXPECT_EQ(ending.exit_code, 1) << ending.err;
    const Result result = ReadResult();
    ASSERT_EQ(result.runs.size(), 2u) << "one round alone";
    EXPECT_EQ(RunOf(result, "misbehaving@segfault_in_get").outcome, Outcome::kFailed);
    EXPECT_EQ(RunOf(result, "lmdb").outcome, Outcome::kOk) << RunOf(result, "lmdb").message;
    EXPECT_TRUE(NobodyIsLeft(1));
  }
}

TEST_F(Duets, OnOneDiskAreRefused) {
  struct statfs here {};
  ASSERT_EQ(statfs(path().c_str(), &here), 0);
  if (here.f_type == TMPFS_MAGIC) GTEST_SKIP() << "the tests run in memory";
  const Ending ending = Run({"run", "--engine=leveldb,lmdb", "--duet", "--num=1000"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, AllOf(HasSubstr("one disk"), HasSubstr("--db=/dev/shm")));
  EXPECT_THAT(ending.out, IsEmpty());
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(Duets, AreOfTwo) {
  const Ending ending = Run({"run", "--engine=leveldb", "--duet", "--db=" + stores_});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("two engines"));
}

}  // namespace
}  // namespace levelfield
