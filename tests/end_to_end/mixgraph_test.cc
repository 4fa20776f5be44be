// mixgraph and its compatible form, on several engines: the same operations for each, answers that
// are checked, and stores that hold what was put.
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class MixGraph : public EndToEnd {
 protected:
  static std::vector<std::string> Published(std::vector<std::string> words) {
    for (const char* const flag :
         {"--mix_get_ratio=0.83", "--mix_put_ratio=0.14", "--mix_seek_ratio=0.03",
          "--key_dist_a=0.002312", "--key_dist_b=0.3467", "--keyrange_dist_a=14.18",
          "--keyrange_dist_b=-2.917", "--keyrange_dist_c=0.0164", "--keyrange_dist_d=-0.08082",
          "--keyrange_num=30", "--mix_max_scan_len=100"}) {
      words.emplace_back(flag);
    }
    return words;
  }
};

TEST_F(MixGraph, is_the_same_for_every_engine_and_its_answers_are_replayed) {
  const Ending ending =
      Run(Published({"run", "--num=5000", "--engine=rocksdb,leveldb,sqlite3,lmdb,memory",
                     "--benchmarks=mixgraph,mixgraph-compat,readseq"}));
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(ending.out.find("nan"), std::string::npos);
  const Result result = ReadResult();
  for (const char* const name : {"mixgraph", "mixgraph-compat"}) {
    std::set<std::string> notes;
    std::set<uint64_t> digests;
    for (const RunResult& run : result.runs) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.checked, "replayed, verified") << run.engine;
      ASSERT_EQ(phase.roles.at(0).lanes.size(), 3u);
      EXPECT_NEAR(static_cast<double>(phase.roles[0].lanes[0].operations), 4150, 150);
      EXPECT_NEAR(static_cast<double>(phase.roles[0].lanes[2].operations), 700, 100);
      notes.insert(phase.note);
      for (const LaneResult& lane : phase.roles[0].lanes) digests.insert(lane.digest);
      EXPECT_EQ(PhaseOf(run, "readseq").checked, "replayed");
    }
    EXPECT_EQ(notes.size(), 1u) << ::testing::PrintToString(notes);
    EXPECT_EQ(digests.size(), 3u);  // Of gets, of seeks, and 0 of puts.
  }
}

TEST_F(MixGraph, of_threads_that_put_the_same_keys_is_verified) {
  const Ending ending =
      Run(Published({"run", "--num=2000", "--reads=20000", "--threads=3", "--engine=leveldb,memory",
                     "--benchmarks=mixgraph,readrandom,readseq"}));
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "mixgraph");
    EXPECT_EQ(phase.checked, "in the loop, verified") << run.engine;
    EXPECT_EQ(phase.verified_entries, 2000u);
    EXPECT_EQ(PhaseOf(run, "readseq").outcome, Outcome::kOk) << PhaseOf(run, "readseq").message;
  }
}

TEST_F(MixGraph, by_default_gets_alone_has_no_nan) {
  const Ending ending = Run({"run", "--num=1000", "--threads=2", "--engine=memory",
                             "--benchmarks=mixgraph,mixgraph-compat"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(ending.out.find("nan"), std::string::npos) << ending.out;
  for (const char* const name : {"mixgraph", "mixgraph-compat"}) {
    EXPECT_EQ(PhaseOf(ReadResult().runs.at(0), name).note,
              "1000 gets (1000 found), 0 puts, 0 seeks");
  }
}

TEST_F(MixGraph, leaves_values_too_short_to_be_checked_beside_writers_which_is_said) {
  const Ending ending = Run({"run", "--num=2000", "--mix_put_ratio=0.5", "--engine=memory",
                             "--benchmarks=mixgraph,readwhilewriting"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.at(0), "readwhilewriting");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_THAT(phase.check_detail, HasSubstr("values below 16 bytes do not name their version"));
}

TEST_F(MixGraph, refuses_what_cannot_be_drawn) {
  const auto refused = [&](std::vector<std::string> words, const std::string& says,
                           const std::string& name = "mixgraph") {
    words.insert(words.begin(), {"run", "--num=1000", "--engine=memory", "--benchmarks=" + name});
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << ::testing::PrintToString(words);
    EXPECT_NE(ending.err.find(says), std::string::npos) << ending.err;
  };
  refused({"--mix_get_ratio=0"}, "no operation would be left");
  refused({"--mix_get_ratio=nan"}, "--mix_get_ratio");
  refused({"--mix_get_ratio=-1"}, "--mix_get_ratio");
  refused({"--keyrange_dist_a=-1"}, "comes to nothing");
  refused({"--keyrange_dist_a=1", "--keyrange_dist_b=1000"}, "beyond all numbers");
  refused({"--keyrange_num=1001"}, "--keyrange_num=1001 ranges");
  refused({"--value_sigma=0"}, "--value_sigma=0");
  refused({"--iter_sigma=0"}, "--iter_sigma=0");
  refused({"--mix_max_value_size=9"}, "--mix_max_value_size");
  refused({"--mix_max_scan_len=0"}, "--mix_max_scan_len");
  refused({"--threads=2", "--key_dist_a=1", "--key_dist_b=1"}, "more than one thread",
          "mixgraph-compat");
}

TEST_F(MixGraph, file_that_says_what_the_operation_does_not_know_is_refused) {
  WriteFile("graph.workload",
            "summary = s\nfamily = f\nneeds = loaded store\n[worker]\nop = graph\n"
            "keys = uniform\nstop = after 5 operations\n");
  const Ending ending = Run({"run", "--engine=memory", "--benchmarks=./graph.workload"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_NE(ending.err.find("line 6: [worker] has `keys =`"), std::string::npos) << ending.err;
}

TEST_F(MixGraph, in_rocksdbs_dialect_takes_its_flags_and_refuses_a_rate_that_follows_a_sine) {
  fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/db_bench");
  const std::string program = "./db_bench --engine=rocksdb --num=2000 --db=store ";
  options_.shell = program;
  for (const std::string& flag : Published(
           {"--benchmarks=mixgraph,mixgraph-compat", "--mix_accesses=-1", "--sine_mix_rate=0"})) {
    options_.shell += flag + " ";
  }
  const Ending ending = Run({});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_NE(ending.out.find(" seeks of "), std::string::npos) << ending.out;
  EXPECT_EQ(ending.out.find("nan"), std::string::npos) << ending.out;
  for (const char* const flag : {"--sine_mix_rate=1", "--sine_d=1000", "--sine_write_rate=1"}) {
    options_.shell = program + "--benchmarks=mixgraph " + flag;
    const Ending refused = Run({});
    EXPECT_EQ(refused.exit_code, 2) << flag;
    EXPECT_NE(refused.err.find("rate"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace levelfield
