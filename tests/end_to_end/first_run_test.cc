// What somebody sees who runs it for the first time, and the numbers that have to be right.
#include <map>
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class FirstRun : public EndToEnd {};

const std::vector<std::string> kRealEngines = {"berkeleydb", "leveldb", "lmdb",
                                               "rocksdb",    "sqlite3", "treedb"};

TEST_F(FirstRun, measures_every_engine_and_all_answers_are_checked) {
  // The misbehaving engines are no part of a first run.
  options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_ENGINE_DIRECTORY;
  const Ending ending = Run({"run", "--num=2000"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  EXPECT_EQ(result.runs.size(), kRealEngines.size() + 2);
  for (const std::string& name : kRealEngines) {
    const RunResult& run = RunOf(result, name);
    EXPECT_EQ(run.outcome, Outcome::kOk) << name << ": " << run.message;
    EXPECT_FALSE(run.floor);
    EXPECT_EQ(run.library_sha256.size(), 64u);
    EXPECT_EQ(run.phases.size(), 18u);
    for (const PhaseResult& phase : run.phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk)
          << name << ", " << phase.workload << ": " << phase.message;
      EXPECT_THAT(phase.checked, Not(IsEmpty())) << name << ", " << phase.workload;
      EXPECT_NE(phase.checked, "none") << name << ", " << phase.workload;
      ASSERT_FALSE(phase.roles.empty());
      EXPECT_GT(phase.roles[0].Operations(), 0u);
      EXPECT_GT(phase.roles[0].seconds, 0);
    }
    EXPECT_GT(PhaseOf(run, "fillrandom").disk_bytes, 2000u * 116);
    EXPECT_EQ(PhaseOf(run, "fillrandom").verified_entries, 2000u);
  }
  EXPECT_TRUE(RunOf(result, "memory").floor);
  for (const PhaseResult& phase : RunOf(result, "null").phases) {
    EXPECT_TRUE(phase.outcome == Outcome::kUnsupported || phase.checked == "none")
        << phase.workload << ": " << phase.checked;
  }
  // Nothing is left but the results, in the table as in the file.
  EXPECT_THAT(CellsOf(ending.out, "readrandom"), ::testing::SizeIs(::testing::Ge(8u)));
  EXPECT_THAT(ending.out, HasSubstr("results: " + std::string("results/")));
  EXPECT_THAT(Listing(), ::testing::SizeIs(6))
      << "results, one of them, its three files and the page";
}

TEST_F(FirstRun, prints_the_same_tables_again_also_from_a_copy) {
  const Ending first = Run({"run", "--num=500", "--engine=memory,lmdb,null"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const Ending again = Run({"report", ResultPath()});
  EXPECT_EQ(again.exit_code, 0);
  const std::string place = fs::path(ResultPath()).lexically_relative(path()).string();
  EXPECT_EQ(again.out + "results: " + place + "\nreport: " + place + "/report.html\n", first.out);
  const std::string page = ReadFile(place + "/report.html");
  fs::copy(ResultPath(), path() + "/elsewhere", fs::copy_options::recursive);
  fs::remove_all(path() + "/results");
  fs::remove_all(path() + "/engines");  // A report needs no engine.
  EXPECT_EQ(Run({"report", "elsewhere"}).out, again.out);
  ASSERT_EQ(Run({"report", "elsewhere", "--format=html"}).out, "elsewhere/report.html\n");
  EXPECT_EQ(ReadFile("elsewhere/report.html"), page);
  EXPECT_EQ(Run({"report", path() + "/elsewhere"}).out, again.out);
}

TEST_F(FirstRun, makes_every_report_again_from_a_copy_byte_for_byte) {
  ASSERT_EQ(Run({"run", "--num=500", "--engine=leveldb,lmdb,memory", "--repeat=2",
                 "--benchmarks=fillrandom,readrandom,readwhilewriting,open"})
                .exit_code,
            0);
  fs::copy(ResultPath(), path() + "/elsewhere", fs::copy_options::recursive);
  for (const char* const format : {"table", "cost", "db_bench", "tsv"}) {
    const std::string flag = std::string("--format=") + format;
    const Ending there = Run({"report", flag, ResultPath()});
    ASSERT_EQ(there.exit_code, 0) << format << there.err;
    EXPECT_GT(there.out.size(), 300u) << format;
    const Ending copied = Run({"report", flag, "elsewhere"});
    EXPECT_EQ(copied.exit_code, 0) << format;
    EXPECT_EQ(copied.out, there.out) << format;
  }
}

TEST_F(FirstRun, says_what_it_is_and_what_it_can) {
  EXPECT_THAT(Run({"--version"}).out, HasSubstr("levelfield "));
  for (const char* const word : {"--help", "-h", "help"}) {
    const Ending help = Run({word});
    EXPECT_EQ(help.exit_code, 0);
    for (const char* const verb : {"run", "plan", "report", "engines", "workloads", "docs"}) {
      EXPECT_THAT(help.out, HasSubstr("\n  " + std::string(verb)));
    }
    EXPECT_THAT(help.out, HasSubstr("--benchmarks="));
  }
  EXPECT_THAT(Run({"workloads"}).out, AllOf(HasSubstr("fillseq"), HasSubstr("readwhilewriting")));
  const Ending engines = Run({"engines"});
  EXPECT_EQ(engines.exit_code, 0);
  for (const std::string& name : kRealEngines) EXPECT_THAT(engines.out, HasSubstr(name + " "));
  EXPECT_THAT(engines.out, HasSubstr("sha256 "));
}

TEST_F(FirstRun, plans_without_creating_anything) {
  const std::vector<std::string> before = Listing();
  const Ending plan = Run({"plan", "--engine=all", "--benchmarks=readrandom,fillsync"});
  EXPECT_EQ(plan.exit_code, 0);
  EXPECT_THAT(plan.out, AllOf(HasSubstr("fillrandom"), HasSubstr("loads the store"),
                              HasSubstr("fillsync"), HasSubstr("durability synced")));
  EXPECT_EQ(Listing(), before);
}

class Numbers : public EndToEnd {
 protected:
  // One result and no more, of these words.
  Result ResultOf(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    fs::remove_all(path() + "/results");
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 0) << ::testing::PrintToString(words) << ending.err;
    return ReadResult();
  }
  // By engine and workload, what was read.
  static std::map<std::string, std::map<std::string, uint64_t>> Digests(const Result& result) {
    std::map<std::string, std::map<std::string, uint64_t>> digests;
    for (const RunResult& run : result.runs) {
      for (const PhaseResult& phase : run.phases) {
        digests[run.engine][phase.workload] = phase.roles.at(0).lanes.at(0).digest;
      }
    }
    return digests;
  }
};

TEST_F(Numbers, of_several_threads_are_totals) {
  const Result result = ResultOf({"--num=3001", "--threads=2", "--engine=leveldb,memory",
                                  "--benchmarks=fillrandom,readrandom,readseq,readreverse,"
                                  "seekrandom,overwrite,readwhilewriting,deleterandom,fillbatch"});
  for (const RunResult& run : result.runs) {
    for (const char* const split : {"fillrandom", "readrandom", "seekrandom", "overwrite",
                                    "readwhilewriting", "deleterandom", "fillbatch"}) {
      const RoleResult& role = PhaseOf(run, split).roles.at(0);
      EXPECT_EQ(role.threads, 2u);
      EXPECT_EQ(role.Operations(), 3001u) << run.engine << ", " << split;
    }
    for (const char* const repeated : {"readseq", "readreverse"}) {
      EXPECT_EQ(PhaseOf(run, repeated).roles.at(0).Operations(), 2 * 3001u) << run.engine;
    }
    EXPECT_GT(PhaseOf(run, "readwhilewriting").roles.at(1).Operations(), 0u);
    const RoleResult& reader = PhaseOf(run, "readrandom").roles.at(0);
    EXPECT_EQ(reader.lanes.at(0).latency_ns->Count(), 3001u);
    EXPECT_EQ(reader.lanes.at(0).bytes, 3001u * 116);
  }
}

// What the engines are asked for, and what they are given to keep, is the same for all of them and
// for every run of a seed: so are the digests of what they answer.
TEST_F(Numbers, come_from_the_same_operations_for_every_engine_and_run_of_a_seed) {
  WriteFile("half.workload",
            "summary = erases a half\nfamily = deletes\nneeds = loaded store\n[eraser]\n"
            "op = erase\nkeys = shuffled\nstop = after $num/2 operations\n");
  const std::vector<std::string> words = {
      "--num=5000", "--engine=leveldb,lmdb,rocksdb,sqlite3,memory",
      "--benchmarks=fillrandom,./half.workload,readrandom,seekrandom,readhot"};
  const auto with_seed = [&](const char* seed) {
    std::vector<std::string> all = words;
    all.push_back(seed);
    return Digests(ResultOf(all));
  };
  const auto first = with_seed("--seed=1");
  for (const auto& [engine, digests] : first) EXPECT_EQ(digests, first.begin()->second) << engine;
  EXPECT_EQ(with_seed("--seed=1"), first);
  const auto other = with_seed("--seed=2");
  EXPECT_NE(other.at("memory").at("readrandom"), first.at("memory").at("readrandom"));
  EXPECT_NE(other.at("memory").at("readhot"), first.at("memory").at("readhot"));
}

TEST_F(Numbers, have_no_latencies_without_a_histogram) {
  const Result result = ResultOf({"--num=1000", "--engine=memory,lmdb", "--histogram=0"});
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      EXPECT_FALSE(phase.timed);
      for (const RoleResult& role : phase.roles) {
        for (const LaneResult& lane : role.lanes) EXPECT_FALSE(lane.latency_ns.has_value());
      }
    }
  }
  EXPECT_THAT(Run({"report", ResultPath()}).out, Not(HasSubstr("p50")));
}

TEST_F(Numbers, of_a_duration_come_in_time) {
  const Result result = ResultOf({"--num=200000", "--engine=memory", "--duration=0.5",
                                  "--benchmarks=fillrandom,readrandom,readwhilewriting"});
  for (const char* const workload : {"readrandom", "readwhilewriting"}) {
    const double seconds = PhaseOf(RunOf(result, "memory"), workload).roles.at(0).seconds;
    EXPECT_GE(seconds, 0.45) << workload;
    EXPECT_LT(seconds, 2) << workload;  // 0.6, and what a busy machine takes.
  }
}

TEST_F(Numbers, of_reads_are_as_many_as_were_asked_for) {
  const Result result =
      ResultOf({"--num=1000", "--reads=77", "--engine=memory,treedb",
                "--benchmarks=fillseq,readrandom,readseq,readmissing,readwhilewriting"});
  for (const RunResult& run : result.runs) {
    EXPECT_EQ(PhaseOf(run, "fillseq").roles.at(0).Operations(), 1000u);
    for (const char* const workload :
         {"readrandom", "readseq", "readmissing", "readwhilewriting"}) {
      EXPECT_EQ(PhaseOf(run, workload).roles.at(0).Operations(), 77u) << workload;
    }
    EXPECT_EQ(PhaseOf(run, "readmissing").roles.at(0).lanes.at(0).hits, 0u);
  }
}

struct Shape {
  const char* name;
  std::vector<std::string> words;
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

class Shapes : public EndToEnd, public ::testing::WithParamInterface<Shape> {};

TEST_P(Shapes, of_keys_and_values_and_few_keys_are_measured_and_right) {
  std::vector<std::string> words = {"run",
                                    "--engine=berkeleydb,leveldb,lmdb,rocksdb,sqlite3,treedb,"
                                    "memory,null",
                                    "--benchmarks=fillrandom,readrandom,readmissing,readhot,"
                                    "seekrandom,readseq,readreverse,overwrite,readwhilewriting,"
                                    "deleterandom,fillbatch"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Ending ending = Run(words);
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  for (const RunResult& run : ReadResult().runs) {
    for (const PhaseResult& phase : run.phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk)
          << run.engine << ", " << phase.workload << ": " << phase.message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Shapes,
    ::testing::Values(Shape{"one_key", {"--num=1"}}, Shape{"seven_keys", {"--num=7"}},
                      Shape{"eleven_keys_two_threads", {"--num=11", "--threads=2"}},
                      Shape{"more_threads_than_keys", {"--num=3", "--threads=5"}},
                      Shape{"values_of_0", {"--num=500", "--value_size=0"}},
                      Shape{"values_of_1", {"--num=500", "--value_size=1"}},
                      Shape{"values_of_10", {"--num=500", "--value_size=10"}},
                      Shape{"values_of_15", {"--num=500", "--value_size=15"}},
                      Shape{"values_of_16", {"--num=500", "--value_size=16"}},
                      Shape{"values_of_17", {"--num=500", "--value_size=17"}},
                      Shape{"values_of_100000", {"--num=40", "--value_size=100000"}},
                      Shape{"keys_of_24", {"--num=500", "--key_size=24"}},
                      Shape{"keys_of_400", {"--num=200", "--key_size=400"}},
                      Shape{"keys_of_1", {"--num=10", "--key_size=1"}},
                      Shape{"keys_of_3", {"--num=1000", "--key_size=3"}},
                      Shape{"keys_of_8", {"--num=500", "--key_size=8"}},
                      Shape{"hex_keys", {"--num=500", "--key_format=hex"}},
                      Shape{"hex_keys_of_4", {"--num=5000", "--key_format=hex", "--key_size=4"}},
                      Shape{"prefixed_keys", {"--num=500", "--key_prefix=100"}},
                      Shape{"prefixed_hex_keys",
                            {"--num=500", "--key_prefix=3", "--key_format=hex", "--key_size=5"}}),
    [](const auto& test) { return test.param.name; });

TEST_F(Numbers, of_integer_keys_are_right) {
  const Result result =
      ResultOf({"--num=1000", "--engine=lmdb", "--key_format=integer",
                "--benchmarks=fillrandom,readrandom,readmissing,seekrandom,readseq,"
                "readreverse,overwrite,deleterandom,fillbatch"});
  const RunResult& run = RunOf(result, "lmdb");
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
  }
  EXPECT_EQ(PhaseOf(run, "readmissing").roles.at(0).lanes.at(0).misses, 1000u);
  EXPECT_EQ(PhaseOf(run, "readseq").roles.at(0).lanes.at(0).bytes, 1000u * 108);
  EXPECT_THAT(Run({"report", ResultPath()}).out, HasSubstr("1,000 integer keys of 8 bytes"));
}

TEST_F(Numbers, of_eight_thousand_million_keys_need_no_memory_for_each) {
  WriteFile("reads.workload",
            "summary = reads\nfamily = reads\nneeds = any store\n[reader]\nop = get\n"
            "keys = uniform\nstop = after $reads operations\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--benchmarks=./reads.workload", "--reads=100k"},
        std::vector<std::string>{"--benchmarks=fillrandom", "--duration=0.5"}}) {
    std::vector<std::string> all = {"run", "--engine=null", "--num=8000000000"};
    all.insert(all.end(), words.begin(), words.end());
    const Ending ending = Run(all);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    if (!LEVELFIELD_SANITIZED) {  // Which takes more itself.
      EXPECT_LT(ending.most_rss_bytes, 64u << 20) << words[0];
    }
    EXPECT_GT(ending.most_rss_bytes, 1u << 20);
  }
}

// Checking them went through all of the range for each: longer than --stall allows.
TEST_F(Numbers, of_seeks_in_a_store_that_was_emptied_are_checked_in_time) {
  const Result result = ResultOf({"--num=100000", "--stall=2", "--engine=memory",
                                  "--benchmarks=fillrandom,deleterandom,seekrandom"});
  const PhaseResult& phase = PhaseOf(RunOf(result, "memory"), "seekrandom");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(phase.roles.at(0).lanes.at(0).misses, 100'000u);
}

TEST_F(Numbers, are_kept_apart_for_a_workload_of_ones_own) {
  WriteFile("mine.workload",
            "summary = mine\nfamily = of my own\nneeds = loaded store\n[reader]\nop = get\n"
            "keys = uniform of the first 10%\nthreads = 2\nstop = after 100 operations\n");
  const Result result = ResultOf({"--num=1000", "--engine=lmdb", "--benchmarks=./mine.workload"});
  const RunResult& run = RunOf(result, "lmdb");
  ASSERT_EQ(run.phases.size(), 2u);
  EXPECT_TRUE(run.phases[0].implicit);
  EXPECT_EQ(run.phases[1].roles.at(0).Operations(), 100u);
  EXPECT_THAT(Run({"report", ResultPath()}).out,
              AllOf(HasSubstr("of my own, ops/s"), Not(HasSubstr("fillrandom"))));
}

}  // namespace
}  // namespace levelfield
