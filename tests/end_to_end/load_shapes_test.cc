// Shapes of load beyond one size, one key and one kind of operation, on several engines at once:
// each has to get the same, and every answer is checked.
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class LoadShapes : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 0) << ::testing::PrintToString(words) << ending.err;
    return ReadResult();
  }
};

constexpr const char* kEngines = "--engine=rocksdb,leveldb,sqlite3,lmdb,memory";

TEST_F(LoadShapes, of_sizes_that_vary_are_the_same_for_every_engine) {
  const Result result =
      ResultOf({"--num=2000", kEngines, "--value_size_distribution_type=uniform",
                "--value_size_max=3000", "--benchmarks=fillrandom,readrandom,overwrite,readseq"});
  std::set<uint64_t> bytes;
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"fillrandom", "readrandom", "overwrite", "readseq"}) {
      EXPECT_EQ(PhaseOf(run, name).outcome, Outcome::kOk) << PhaseOf(run, name).message;
    }
    EXPECT_EQ(PhaseOf(run, "readseq").checked, "replayed");
    EXPECT_EQ(PhaseOf(run, "overwrite").verified_entries, 2000u);
    bytes.insert(PhaseOf(run, "overwrite").roles.at(0).lanes.at(0).bytes);
    EXPECT_EQ(PhaseOf(run, "overwrite").roles.at(0).lanes.at(0).bytes,
              PhaseOf(run, "readseq").roles.at(0).lanes.at(0).bytes);
  }
  ASSERT_EQ(bytes.size(), 1u);
  EXPECT_NEAR(static_cast<double>(*bytes.begin()), 2000 * (16 + 1550), 2000 * 60);
}

TEST_F(LoadShapes, of_seeks_read_on_in_both_directions_on_every_engine) {
  WriteFile("back.workload",
            "summary = s\nfamily = f\nneeds = loaded store\n[reader]\nop = seek\nkeys = uniform\n"
            "nexts = 10\ndirection = backwards\nmax_distance = 8\nthreads = 2\n"
            "stop = after $reads operations\n");
  const Result result = ResultOf({"--num=2000", kEngines, "--seek_nexts=5",
                                  "--benchmarks=fillrandom,seekrandom,./back.workload,deleterandom,"
                                  "seekrandomwhilewriting"});
  std::set<uint64_t> digests;
  std::set<uint64_t> backwards;
  for (const RunResult& run : result.runs) {
    EXPECT_EQ(PhaseOf(run, "seekrandom").checked, "replayed") << run.engine;
    EXPECT_EQ(PhaseOf(run, "back").checked, "replayed") << run.engine;
    digests.insert(PhaseOf(run, "seekrandom").roles.at(0).lanes.at(0).digest);
    backwards.insert(PhaseOf(run, "back").roles.at(0).lanes.at(0).digest);
    EXPECT_EQ(PhaseOf(run, "seekrandom").roles.at(0).lanes.at(0).operations, 2000u);
    EXPECT_EQ(PhaseOf(run, "seekrandomwhilewriting").outcome, Outcome::kOk) << run.engine;
  }
  EXPECT_EQ(digests.size(), 1u);
  EXPECT_EQ(backwards.size(), 1u);
}

TEST_F(LoadShapes, of_mixes_are_checked_and_leave_what_they_wrote) {
  WriteFile("mix.workload",
            "summary = s\nfamily = mixed\nneeds = loaded store\n[worker]\n"
            "op = 60% get, 10% seek, 30% put\nkeys = shuffled\nnexts = 4\nthreads = 2\n"
            "value_size = pareto 16..1024 theta 0 k 0.2615 sigma 25.45\n"
            "stop = after $reads operations\n");
  const Result result = ResultOf({"--num=3000", kEngines, "--read_random_exp_range=6",
                                  "--benchmarks=fillrandom,./mix.workload,readrandom,readseq"});
  for (const RunResult& run : result.runs) {
    const PhaseResult& mix = PhaseOf(run, "mix");
    EXPECT_EQ(mix.outcome, Outcome::kOk) << run.engine << mix.message;
    EXPECT_EQ(mix.checked, "in the loop, verified");
    ASSERT_EQ(mix.roles.at(0).lanes.size(), 3u);
    EXPECT_EQ(mix.roles[0].lanes[1].operation, "seek");
    EXPECT_NEAR(static_cast<double>(mix.roles[0].lanes[1].operations), 300, 90);
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed");
    EXPECT_EQ(PhaseOf(run, "readseq").roles.at(0).lanes.at(0).hits, 3000u);
  }
}

TEST_F(LoadShapes, at_a_rate_are_never_ahead_of_it) {
  const Result result = ResultOf({"--num=400", "--engine=rocksdb,lmdb,memory", "--threads=2",
                                  "--reads_per_second=16000", "--write_bytes_per_second=1856000",
                                  "--benchmarks=fillbatch,overwrite,updaterandom,readrandom,"
                                  "seekrandom,readrandomwriterandom,readreverse,deleterandom"});
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"fillbatch", "overwrite", "updaterandom", "readrandom",
                                   "seekrandom", "readrandomwriterandom", "readreverse"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << name << phase.message;
      const RoleResult& role = phase.roles.at(0);
      EXPECT_EQ(role.rate, 16'000u) << name << ": 1856000 bytes are 16000 entries of 116";
      EXPECT_EQ(role.Operations(), std::string(name) == "readreverse" ? 800u : 400u) << name;
      // Threads begin at one barrier, but not in the same instant.
      EXPECT_LE(static_cast<double>(role.Operations() - 2), (role.seconds + 0.01) * 16'000) << name;
    }
    EXPECT_EQ(PhaseOf(run, "deleterandom").roles.at(0).rate, 116'000u) << "keys of 16 bytes";
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed");
    EXPECT_EQ(PhaseOf(run, "overwrite").verified_entries, 400u);
  }
  EXPECT_THAT(Run({"report", ResultPath()}).out, HasSubstr("  rate asked for"));
  EXPECT_THAT(Run({"report", "--format=db_bench", ResultPath()}).out,
              HasSubstr("(desired 16000 ops/sec)"));
}

TEST_F(LoadShapes, that_would_look_hung_between_two_operations_are_refused) {
  const Ending ending = Run({"run", "--num=1000", "--engine=memory", "--benchmarks=fillbatch",
                             "--write_bytes_per_second=116"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, AllOf(HasSubstr("fillbatch: [writer]"), HasSubstr("1000 entries"),
                                HasSubstr("--stall=30")));
}

TEST_F(LoadShapes, at_a_rate_are_loaded_for_without_one) {
  const Result result = ResultOf({"--num=50000", "--engine=memory", "--reads=20",
                                  "--write_bytes_per_second=1", "--benchmarks=readrandom"});
  const PhaseResult& load = PhaseOf(result.runs.at(0), "fillrandom");
  EXPECT_TRUE(load.implicit);
  EXPECT_EQ(load.roles.at(0).rate, 0u);
  EXPECT_EQ(load.roles.at(0).Operations(), 50'000u);
}

}  // namespace
}  // namespace levelfield
