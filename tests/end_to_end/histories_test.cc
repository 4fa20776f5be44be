// The names of RocksDB's db_bench whose keys have histories: what they write depends on what they
// read, or on what they wrote before. The model has to know each of them exactly.
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class Histories : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    fs::remove_all(path() + "/results");
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 0) << ::testing::PrintToString(words) << ending.err << ending.out;
    return ReadResult();
  }
  static const LaneResult& LaneOf(const RunResult& run, const std::string& workload, size_t i = 0) {
    return PhaseOf(run, workload).roles.at(0).lanes.at(i);
  }
};

constexpr const char* kEngines = "--engine=rocksdb,leveldb,lmdb,memory";
constexpr const char* kKept = "--engine=leveldb,lmdb";

TEST_F(Histories, of_appends_are_as_long_as_their_appends) {
  WriteFile("rounds.workload",
            "summary = s\nfamily = writes\nneeds = loaded store\n[w]\nthreads = $threads\n"
            "op = append\nkeys = shuffled\nstop = after $num*3 operations\n");
  const Result result =
      ResultOf({"--num=2000", kEngines, "--threads=2",
                "--benchmarks=filluniquerandom,appendrandom,./rounds.workload,readrandom"});
  std::set<uint64_t> digests;
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"appendrandom", "rounds"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.checked, "in the loop, verified");
      EXPECT_EQ(phase.verified_entries, 2000u);
    }
    EXPECT_EQ(LaneOf(run, "appendrandom").operation, "append");
    EXPECT_EQ(LaneOf(run, "appendrandom").bytes, 2000u * (116 + 16 + 201));
    EXPECT_EQ(LaneOf(run, "rounds").operations, 6000u);
    EXPECT_EQ(LaneOf(run, "readrandom").bytes, 2000u * (16 + 100 + 4 * 101));
    digests.insert(LaneOf(run, "readrandom").digest);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(Histories, of_xors_end_in_what_was_to_come_of_them) {
  const Result result =
      ResultOf({"--num=2000", kEngines, "--threads=2",
                "--benchmarks=filluniquerandom,xorupdaterandom,appendrandom,xorupdaterandom,"
                "deleterandom,xorupdaterandom,readrandom"});
  std::set<uint64_t> digests;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.workload << phase.message;
    }
    const PhaseResult& first = PhaseOf(run, "xorupdaterandom");
    EXPECT_EQ(first.checked, "in the loop, verified");
    EXPECT_EQ(first.roles.at(0).lanes.at(0).hits, 2000u);
    EXPECT_EQ(first.roles.at(0).lanes.at(0).bytes, 2000u * 2 * 116);
    EXPECT_EQ(run.phases.at(5).roles.at(0).lanes.at(0).misses, 2000u) << "of what was erased";
    digests.insert(LaneOf(run, "readrandom").digest);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(Histories, of_values_from_earlier_runs_go_on) {
  ResultOf({"--num=1000", kKept, "--db=stores", "--keep", "--benchmarks=fillrandom"});
  for (const char* const name : {"appendrandom", "xorupdaterandom"}) {
    const Result result = ResultOf({"--num=1000", kKept, "--db=stores", "--use_existing_db",
                                    std::string("--benchmarks=readseq,") + name});
    for (const RunResult& run : result.runs) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.verified_entries, 1000u) << phase.check_detail;
    }
  }
}

TEST_F(Histories, of_values_that_would_grow_without_end_are_refused_before_anything_runs) {
  const Ending timed = Run({"run", "--engine=lmdb", "--duration=1", "--benchmarks=appendrandom"});
  EXPECT_EQ(timed.exit_code, 2);
  EXPECT_THAT(timed.err, HasSubstr("appendrandom: its values grow in every round"));
  const Ending large = Run({"run", "--engine=lmdb", "--value_size=900M", "--num=1",
                            "--benchmarks=fillseq,appendrandom"});
  EXPECT_EQ(large.exit_code, 2);
  EXPECT_THAT(large.err, HasSubstr("the longest that can be checked"));
}

}  // namespace
}  // namespace levelfield
