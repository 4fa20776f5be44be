// The workloads of YCSB on every engine, in both orders of keys, and key distributions and warm-ups
// of other workloads: answers are checked, operations are the same for each engine.
#include <algorithm>
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class Ycsb : public EndToEnd {};

class YcsbOn : public EndToEnd, public ::testing::WithParamInterface<const char*> {};

TEST_P(YcsbOn, IsCheckedWithOneThreadAndTwo) {
  for (const char* const threads : {"--threads=1", "--threads=2"}) {
    fs::remove_all(path() + "/results");
    const Ending ending =
        Run({"run", std::string("--engine=") + GetParam(), "--num=300", "--reads=600", threads,
             "--benchmarks=ycsb-a,ycsb-b,ycsb-c,ycsb-f,ycsb-d,ycsb-e"});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    const Result result = ReadResult();
    ASSERT_EQ(result.runs.size(), 1u);
    for (const RunResult& run : result.runs) {
      SCOPED_TRACE(run.engine + " " + threads);
      for (const char* const name : {"ycsb-a", "ycsb-b", "ycsb-d", "ycsb-e", "ycsb-f"}) {
        const PhaseResult& phase = PhaseOf(run, name);
        EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
        EXPECT_EQ(phase.checked, "replayed, verified") << name;
      }
      EXPECT_EQ(PhaseOf(run, "ycsb-a").verified_entries, 300u);
      EXPECT_GT(PhaseOf(run, "ycsb-e").verified_entries, 310u);
      const PhaseResult& reads = PhaseOf(run, "ycsb-c");
      EXPECT_EQ(reads.outcome, Outcome::kOk) << reads.message;
      EXPECT_EQ(reads.checked, "replayed");  // Nothing was written, so nothing is read back.
      EXPECT_EQ(reads.roles.at(0).lanes.at(0).operations, 600u);
      EXPECT_EQ(reads.roles[0].lanes[0].bytes, 600u * 1016);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, YcsbOn,
                         ::testing::Values("rocksdb", "leveldb", "sqlite3", "treedb", "lmdb",
                                           "berkeleydb", "memory"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(Ycsb, HasTheSameOperationsOnEachEngineAndAnotherOrderOfKeysWhereAsked) {
  std::set<std::string> notes;
  for (const char* const order : {"hashed", "ordered"}) {
    fs::remove_all(path() + "/results");
    const Ending ending =
        Run({"run", "--engine=leveldb,lmdb,memory", "--num=500", "--reads=1000",
             std::string("--ycsb_key_order=") + order, "--benchmarks=ycsb-e,readseq"});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    std::set<std::string> of_order;
    for (const RunResult& run : ReadResult().runs) {
      const PhaseResult& phase = PhaseOf(run, "ycsb-e");
      EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
      of_order.insert(phase.note);
      notes.insert(phase.note);
      EXPECT_EQ(PhaseOf(run, "readseq").checked, "replayed");
    }
    EXPECT_EQ(of_order.size(), 1u) << ::testing::PrintToString(of_order);
  }
  EXPECT_EQ(notes.size(), 2u) << ::testing::PrintToString(notes);
}

// Each kind of operation has its own, also where the mix leaves kinds before it out.
TEST_F(Ycsb, AtARateHasTheResponseTimesOfEachOperation) {
  const Ending ending = Run({"run", "--engine=memory", "--num=300", "--reads=600", "--rate=10k",
                             "--price=0", "--benchmarks=ycsb-a,ycsb-f"});
  EXPECT_THAT(ending.exit_code, ::testing::AnyOf(0, 3)) << "3: the generator was late";
  const Result result = ReadResult();
  for (const char* const name : {"ycsb-a", "ycsb-f"}) {
    for (const LaneResult& lane : PhaseOf(result.runs.at(0), name).roles.at(0).lanes) {
      ASSERT_TRUE(lane.response_ns) << name << " " << lane.operation;
      EXPECT_EQ(lane.response_ns->Count(), lane.operations) << name << " " << lane.operation;
    }
  }
}

TEST_F(Ycsb, DrawsItsRequestsAsAsked) {
  for (const char* const requests : {"uniform", "zipf", "hotspot", "exponential", "latest"}) {
    fs::remove_all(path() + "/results");
    const Ending ending =
        Run({"run", "--engine=memory", "--num=300", std::string("--ycsb_requests=") + requests,
             "--benchmarks=ycsb-a,ycsb-e", "--threads=3"});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    const Result result = ReadResult();
    EXPECT_EQ(PhaseOf(result.runs.at(0), "ycsb-a").checked, "replayed, verified") << requests;
    EXPECT_EQ(PhaseOf(result.runs.at(0), "ycsb-e").checked, "replayed, verified") << requests;
  }
}

// Repetitions draw anew from the same records.
TEST_F(Ycsb, IsRepeatedOnTheRecordsThatAreThere) {
  const Ending ending = Run({"run", "--engine=memory", "--num=300",
                             "--benchmarks=ycsb-load,ycsb-a[X3-W1],ycsb-d[X2]", "--warmup=100"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  std::set<uint64_t> digests;
  const RunResult run = ReadResult().runs.at(0);
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
    if (phase.workload == "ycsb-a") digests.insert(phase.roles.at(0).lanes.at(0).digest);
  }
  EXPECT_EQ(digests.size(), 5u);  // Three, a warm-up by the flag, and one of W1.
}

TEST_F(Ycsb, WithoutRoomForAllInsertsEndsEarlyAndSaysSo) {
  const Ending ending =
      Run({"run", "--engine=memory", "--num=50", "--duration=20", "--benchmarks=ycsb-d"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "ycsb-d");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_THAT(phase.note, HasSubstr("no room for more inserts"));
  EXPECT_EQ(phase.verified_entries, 100u);
  const Ending refused =
      Run({"run", "--engine=memory", "--num=50", "--reads=2000", "--benchmarks=ycsb-d"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("inserts about 100 records, and there is room for 50"));
}

TEST_F(Ycsb, OnAStoreThatWasThereReadsItAndRefusesToInsert) {
  ASSERT_EQ(
      Run({"run", "--engine=leveldb", "--num=200", "--db=kept", "--keep", "--benchmarks=ycsb-load"})
          .exit_code,
      0);
  fs::remove_all(path() + "/results");
  const Ending ending = Run({"run", "--engine=leveldb", "--num=200", "--db=kept", "--keep",
                             "--use_existing_db", "--benchmarks=ycsb-c,ycsb-a"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "ycsb-c");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(phase.roles.at(0).lanes.at(0).hits, 200u);
  const Ending refused = Run({"run", "--engine=leveldb", "--num=200", "--db=kept",
                              "--use_existing_db", "--benchmarks=ycsb-d"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("ycsb-d inserts new records"));
}

TEST_F(Ycsb, FilesSayWhatTheOperationNeeds) {
  const auto refused = [&](const std::string& lines, const std::string& says) {
    WriteFile("mine.workload",
              "summary = s\nfamily = f\nneeds = store loaded by ycsb-load\n[w]\n" + lines);
    const Ending ending =
        Run({"run", "--engine=memory", "--num=100", "--benchmarks=./mine.workload"});
    EXPECT_EQ(ending.exit_code, 2) << lines;
    EXPECT_THAT(ending.err, HasSubstr(says)) << lines;
  };
  const std::string head = "op = ycsb 50% read, 50% update\nstop = after 9 operations\n";
  const std::string order = "keys = $ycsb_key_order\n";
  const std::string requests = "requests = zipf\n";
  const std::string records = "records = $num\nrange = $num*2\n";
  refused(head + requests + records, "needs `keys = shuffled`");
  refused(head + order + records, "needs `requests =`");
  refused(head + order + requests, "needs `records =`");
  refused(head + order + requests + "records = $num*2\n", "has 200 records, but keys for 100");
  refused(head + order + requests + records + "value_size = 15\n", "from 16 bytes on");
  refused(head + order + requests + records + "batch = 2\n", "has `batch =`");
  refused(head + order + "requests = zipfy\n" + records, "did you mean 'zipf'?");
  refused("op = ycsb 50% read\nstop = after 9 operations\n", "of together 100%");
  refused("op = get\nkeys = uniform\nrecords = 5\nstop = after 9 operations\n", "has records");
  refused("op = get\nkeys = uniform\nexponent = 1\nstop = after 9 operations\n", "has an exponent");
  refused("op = get\nkeys = zipf\nhot_keys = 0.5\nstop = after 9 operations\n", "not `hotspot`");
  refused("op = get\nkeys = latest contiguous\nstop = after 9 operations\n", "keys = ");
  refused("op = put\nkeys = zipf\nstop = after 9 operations\n", "keys that are drawn");
  refused("op = get\nkeys = zipf\nstream = mersenne\nstop = after 9 operations\n",
          "names a generator");
}

class KeyDistributions : public EndToEnd {};

class KeyDistributionsOf : public EndToEnd, public ::testing::WithParamInterface<const char*> {};

TEST_P(KeyDistributionsOf, AreReplayedForEveryReader) {
  const std::string name = GetParam();
  const Ending ending = Run(
      {"run", "--engine=leveldb,memory", "--num=1000", "--threads=2", "--key_distribution=" + name,
       "--benchmarks=fillrandom,readrandom,readmissing,seekrandom,readwhilewriting"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  std::set<uint64_t> misses;
  for (const RunResult& run : ReadResult().runs) {
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed") << name;
    EXPECT_EQ(PhaseOf(run, "seekrandom").checked, "replayed") << name;
    EXPECT_EQ(PhaseOf(run, "readmissing").roles.at(0).lanes.at(0).hits, 0u) << name;
    EXPECT_EQ(PhaseOf(run, "readwhilewriting").outcome, Outcome::kOk) << name;
    misses.insert(PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).misses);
  }
  EXPECT_EQ(misses, std::set<uint64_t>{0}) << name;
}

INSTANTIATE_TEST_SUITE_P(All, KeyDistributionsOf,
                         ::testing::Values("uniform", "zipf", "ycsb-zipf", "latest", "hotspot",
                                           "exponential"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(KeyDistributions, AreThoseOfAFileWithItsOwnNumbers) {
  WriteFile(
      "mine.workload",
      "summary = s\nfamily = f\nneeds = loaded store\n"
      "[zipf]\nop = get\nkeys = zipf contiguous\nexponent = 1.2\nstop = after $num operations\n"
      "[hot]\nop = get\nkeys = hotspot\nhot_keys = 0.01\nhot_requests = 0.99\n"
      "stop = after $num operations\n"
      "[late]\nop = get\nkeys = latest of the first 50%\nexponent = $zipf_exponent\n"
      "stop = when hot ends\n");
  const Ending ending =
      Run({"run", "--engine=memory", "--num=2000", "--benchmarks=./mine.workload"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(PhaseOf(ReadResult().runs.at(0), "mine").checked, "replayed");
}

class WarmUps : public EndToEnd {};

TEST_F(WarmUps, AreTimedAndReportedByThemselves) {
  const Ending ending = Run({"run", "--engine=memory", "--num=1000", "--warmup=250",
                             "--benchmarks=fillseq,readrandom", "--format=db_bench"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const SharedList<PhaseResult> phases = ReadResult().runs.at(0).phases;
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_TRUE(phases[1].repetition.warm_up);
  EXPECT_EQ(phases[1].workload, "readrandom");
  EXPECT_EQ(phases[1].roles.at(0).lanes.at(0).operations, 250u);
  EXPECT_EQ(phases[1].checked, "replayed");
  EXPECT_FALSE(phases[2].repetition.warm_up);
  EXPECT_EQ(phases[2].roles.at(0).lanes.at(0).operations, 1000u);
  EXPECT_NE(phases[1].roles[0].lanes[0].digest, phases[2].roles[0].lanes[0].digest);
}

TEST_F(WarmUps, OfSecondsLastThatLong) {
  const Ending ending = Run(
      {"run", "--engine=memory", "--num=1000", "--warmup=0.2s", "--benchmarks=fillseq,readrandom"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const SharedList<PhaseResult> phases = ReadResult().runs.at(0).phases;
  EXPECT_GE(phases.at(1).run_seconds, 0.2);
  EXPECT_GT(phases[1].roles.at(0).lanes.at(0).operations, 1000u);
  EXPECT_EQ(phases.at(2).roles.at(0).lanes.at(0).operations, 1000u);
}

}  // namespace
}  // namespace levelfield
