// The names of the db_bench family that are more than a get or a put: each runs, does what its name
// says, and says so where it cannot.
#include <map>
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

using ::testing::StartsWith;

class FamilyNames : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words, int exit_code = 0) {
    words.insert(words.begin(), "run");
    fs::remove_all(path() + "/results");
    ending_ = Run(words);
    EXPECT_EQ(ending_.exit_code, exit_code) << ::testing::PrintToString(words) << ending_.err;
    return ReadResult();
  }
  static const LaneResult& LaneOf(const RunResult& run, const std::string& workload) {
    return PhaseOf(run, workload).roles.at(0).lanes.at(0);
  }

  Ending ending_;
};

TEST_F(FamilyNames, of_fills_write_as_much_as_they_say_and_are_read_back) {
  const Result result =
      ResultOf({"--num=20000", "--batch=300", "--threads=2", "--engine=memory,leveldb,lmdb",
                "--benchmarks=fillseqsync,fillrandsync,fillseqbatch,overwritebatch,fillrandbatch,"
                "fillseq100K,readseq100K,readrand100K,fillrand100K"});
  for (const RunResult& run : result.runs) {
    for (const auto& [name, operations, range, value_size] :
         std::vector<std::tuple<const char*, uint64_t, uint64_t, uint64_t>>{
             {"fillseqsync", 200, 200, 100},
             {"fillrandsync", 200, 200, 100},
             {"fillseqbatch", 20'000, 20'000, 100},
             {"overwritebatch", 20'000, 20'000, 100},
             {"fillrandbatch", 20'000, 20'000, 100},
             {"fillseq100K", 20, 20, 100'000},
             {"fillrand100K", 20, 20, 100'000}}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << ", " << name << phase.message;
      EXPECT_EQ(LaneOf(run, name).operations, operations) << name;
      EXPECT_EQ(LaneOf(run, name).bytes, operations * (16 + value_size)) << name;
      EXPECT_EQ(phase.verified_entries, range) << name;
    }
    EXPECT_EQ(PhaseOf(run, "fillseqbatch").roles.at(0).batch, 300u);
    // Shares of 10,000 are 33 batches of 300 and one of 100.
    EXPECT_EQ(LaneOf(run, "fillrandbatch").latency_ns->Count(), 2 * 34u);
    for (const char* const name : {"fillseqsync", "fillrandsync"}) {
      EXPECT_EQ(PhaseOf(run, name).durability, "synced");
    }
    EXPECT_EQ(LaneOf(run, "readseq100K").operations, 40u) << "each of two threads all of it";
    EXPECT_EQ(LaneOf(run, "readseq100K").bytes, 40u * 100'016);
    EXPECT_EQ(LaneOf(run, "readrand100K").hits, 20u);
    EXPECT_EQ(PhaseOf(run, "readrand100K").checked, "replayed");
  }
}

TEST_F(FamilyNames, of_reads_are_replayed_and_alike_on_every_engine) {
  const Result result =
      ResultOf({"--num=5000", "--reads=4000", "--threads=2", "--engine=memory,leveldb,lmdb",
                "--benchmarks=fillrandom,readrandomsmall,seekordered,readwhilescanning"});
  std::map<std::string, std::set<uint64_t>> digests;
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"readrandomsmall", "seekordered", "readwhilescanning"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << ", " << name << phase.message;
      EXPECT_EQ(phase.checked, "replayed") << name;
      const LaneResult& lane = LaneOf(run, name);
      EXPECT_EQ(lane.operations, std::string(name) == "readrandomsmall" ? 4u : 4000u) << name;
      EXPECT_EQ(lane.misses, 0u) << name;
      digests[name].insert(lane.digest);
    }
    const PhaseResult& scanning = PhaseOf(run, "readwhilescanning");
    ASSERT_EQ(scanning.roles.size(), 2u);
    EXPECT_EQ(scanning.roles[1].name, "scanner");
    EXPECT_EQ(scanning.roles[1].threads, 1u);
  }
  for (const auto& [name, values] : digests) EXPECT_EQ(values.size(), 1u) << name;
}

// It scans until the readers end, so it has to begin again: the store has a hundredth of it.
TEST_F(FamilyNames, readwhilescanning_scans_again_and_again) {
  const Result result = ResultOf({"--num=100", "--reads=300000", "--engine=memory,lmdb",
                                  "--benchmarks=fillrandom,readwhilescanning"});
  for (const RunResult& run : result.runs) {
    EXPECT_GT(PhaseOf(run, "readwhilescanning").roles.at(1).Operations(), 1000u) << run.engine;
  }
}

TEST_F(FamilyNames, of_integer_keys_are_for_engines_that_have_them) {
  const Result result = ResultOf({"--num=1000", "--batch=10", "--engine=memory,leveldb",
                                  "--benchmarks=fillrandint,readrandom,fillrandibatch"},
                                 1);
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"fillrandint", "fillrandibatch"}) {
      EXPECT_EQ(PhaseOf(run, name).outcome, Outcome::kUnsupported) << run.engine;
      EXPECT_THAT(PhaseOf(run, name).message, HasSubstr("no integer keys")) << run.engine;
    }
    // What was never filled gives no number: it would be one of a thousand misses.
    EXPECT_EQ(PhaseOf(run, "readrandom").outcome, Outcome::kNotRun) << run.engine;
    EXPECT_THAT(PhaseOf(run, "readrandom").message, HasSubstr("fillrandint"));
    EXPECT_TRUE(PhaseOf(run, "readrandom").roles.empty());
  }
  // A store that was filled before is still there.
  const Result filled =
      ResultOf({"--num=1000", "--engine=leveldb", "--benchmarks=fillseq,fillrandint,readrandom"});
  EXPECT_EQ(LaneOf(RunOf(filled, "leveldb"), "readrandom").hits, 1000u);
}

TEST_F(FamilyNames, a_writer_keeps_to_its_rate) {
  const Result result = ResultOf({"--num=1000", "--engine=memory,lmdb", "--writes_per_second=200",
                                  "--duration=0.5", "--benchmarks=fillrandom,readwhilewriting"});
  for (const RunResult& run : result.runs) {
    const RoleResult& writer = PhaseOf(run, "readwhilewriting").roles.at(1);
    EXPECT_EQ(writer.rate, 200u);
    EXPECT_GE(writer.Operations(), 2u);
    // Never ahead of its schedule: the n-th is due n/200 s after the first.
    EXPECT_LE(static_cast<double>(writer.Operations() - 1), writer.seconds * 200) << run.engine;
    EXPECT_EQ(PhaseOf(run, "readwhilewriting").roles.at(0).rate, 0u);
  }
  EXPECT_THAT(Run({"report", ResultPath()}).out, HasSubstr("  [writer] of 200"));
}

class MachineNames : public FamilyNames {};

TEST_F(MachineNames, measure_and_verify_without_opening_a_store) {
  const std::vector<std::string> names = {"crc32c",   "acquireload", "snappycomp", "snappyuncomp",
                                          "zstdcomp", "zstduncomp",  "lz4comp",    "lz4uncomp"};
  std::string list;
  for (const std::string& name : names) list += "," + name;
  const Result result = ResultOf({"--num=1000", "--duration=0.02", "--engine=memory,leveldb",
                                  "--threads=2", "--benchmarks=" + list});
  for (const RunResult& run : result.runs) {
    EXPECT_EQ(run.phases.size(), names.size()) << "nothing was loaded for them";
    for (const std::string& name : names) {
      const PhaseResult& phase = PhaseOf(run, name);
      ASSERT_EQ(phase.outcome, Outcome::kOk) << name << phase.message;
      EXPECT_EQ(phase.checked, "recomputed");
      EXPECT_EQ(phase.level, "");
      EXPECT_EQ(phase.open_seconds, 0);
      EXPECT_EQ(phase.disk_bytes, 0u);
      const LaneResult& lane = phase.roles.at(0).lanes.at(0);
      EXPECT_GT(lane.operations, 0u) << name;
      EXPECT_EQ(lane.bytes, name == "acquireload" ? 0 : lane.operations * 4096) << name;
      EXPECT_THAT(phase.note, StartsWith(name == "crc32c"        ? "4K per op"
                                         : name == "acquireload" ? "each op is 1000 loads"
                                                                 : "output: "));
      if (name != "acquireload") {
        EXPECT_THAT(phase.check_detail, HasSubstr("/lib"));
      }
    }
  }
  EXPECT_THAT(ending_.out, AllOf(HasSubstr("machine, ops/s"), HasSubstr("\n  MiB/s  "),
                                 HasSubstr("output: "), Not(HasSubstr("durability  "))));
}

TEST_F(MachineNames, do_a_fixed_amount_without_a_duration) {
  const Result result = ResultOf(
      {"--num=1000", "--engine=memory", "--histogram=0", "--benchmarks=acquireload,crc32c"});
  EXPECT_EQ(LaneOf(RunOf(result, "memory"), "acquireload").operations, 100'000u);
  EXPECT_EQ(LaneOf(RunOf(result, "memory"), "crc32c").bytes, 500u << 20);
}

TEST_F(MachineNames, compress_as_far_as_the_ratio_says) {
  const auto output = [&](const std::string& ratio) {
    const Result result = ResultOf({"--num=1000", "--duration=0.01", "--engine=memory",
                                    "--compression_ratio=" + ratio, "--benchmarks=zstdcomp"});
    return std::stod(PhaseOf(RunOf(result, "memory"), "zstdcomp").note.substr(8));
  };
  EXPECT_LT(output("0.2"), 35);
  EXPECT_GT(output("1"), 85);
}

TEST_F(MachineNames, of_libraries_that_lie_or_fail_give_no_number) {
  options_.environment["LD_LIBRARY_PATH"] = LEVELFIELD_LYING_LIBRARIES;
  const std::vector<std::string> words = {"run", "--num=1000", "--engine=memory", "--duration=0.05",
                                          "--benchmarks=lz4comp,lz4uncomp"};
  for (const std::string lie : {"wrong", "fails"}) {
    options_.environment["LYING_LZ4"] = lie;
    fs::remove_all(path() + "/results");
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 1) << ending.err;
    const Result result = ReadResult();
    for (const char* const name : {"lz4comp", "lz4uncomp"}) {
      const PhaseResult& phase = PhaseOf(RunOf(result, "memory"), name);
      EXPECT_EQ(phase.outcome, lie == "wrong" ? Outcome::kWrong : Outcome::kUnsupported) << name;
      EXPECT_THAT(phase.message,
                  HasSubstr(lie == "wrong" ? "wrong answer: 1 of " : "liblz4.so.1 failed to"));
    }
  }
}

TEST_F(MachineNames, of_libraries_that_are_missing_say_which) {
  fs::create_directory(path() + "/broken");
  for (const char* const name : {"libzstd.so.1", "libcrc32c.so.1", "libisal.so.2"}) {
    WriteFile(std::string("broken/") + name,
              "this is no library, but long enough to look at it " + std::string(100, '.'));
  }
  options_.environment["LD_LIBRARY_PATH"] = path() + "/broken";
  const Ending ending = Run({"run", "--num=1000", "--engine=memory", "--duration=0.01",
                             "--benchmarks=zstdcomp,crc32c,snappycomp"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  const RunResult& run = RunOf(result, "memory");
  EXPECT_EQ(PhaseOf(run, "zstdcomp").outcome, Outcome::kUnsupported);
  EXPECT_THAT(PhaseOf(run, "zstdcomp").message, StartsWith("libzstd.so.1 cannot be loaded: /"));
  EXPECT_EQ(PhaseOf(run, "crc32c").outcome, Outcome::kUnsupported);
  EXPECT_THAT(PhaseOf(run, "crc32c").message,
              AllOf(HasSubstr("libcrc32c.so.1"), HasSubstr("libisal.so.2")));
  EXPECT_EQ(PhaseOf(run, "snappycomp").outcome, Outcome::kOk) << "the others go on";
  EXPECT_THAT(ending.out, HasSubstr("unsupported[1]"));
}

class TextNames : public FamilyNames {};

TEST_F(TextNames, give_what_the_engine_says_behind_the_tables) {
  WriteFile("own.workload",
            "summary = s\nfamily = maintenance\nneeds = any store\n[asker]\nop = property\n"
            "property = leveldb.stats\nstop = after 1 operation\n");
  const Result result = ResultOf(
      {"--num=1000", "--engine=leveldb,memory", "--benchmarks=fillrandom,compact,./own.workload"});
  const PhaseResult& phase = PhaseOf(RunOf(result, "leveldb"), "own");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_THAT(phase.text, HasSubstr("Level"));
  EXPECT_TRUE(phase.roles.empty()) << "it is no measurement";
  EXPECT_THAT(ending_.out, AllOf(HasSubstr("\nleveldb, own:\n"), HasSubstr("\nLevel  Files")));
  EXPECT_THAT(CellsOf(ending_.out, "own"), ElementsAre("below", "unsupported[1]"));
  EXPECT_EQ(PhaseOf(RunOf(result, "memory"), "own").outcome, Outcome::kUnsupported);
}

TEST_F(TextNames, stats_and_sstables_give_a_text_or_a_reason) {
  const Result result = ResultOf({"--num=1000", "--engine=leveldb,lmdb,memory",
                                  "--benchmarks=fillrandom,stats,sstables,readrandom"});
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"stats", "sstables"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      const bool has_text = phase.outcome == Outcome::kOk && !phase.text.empty();
      const bool has_reason =
          phase.outcome == Outcome::kUnsupported && phase.message.size() > run.engine.size() + 5;
      EXPECT_TRUE(has_text || has_reason) << run.engine << ", " << name << phase.message;
    }
    EXPECT_EQ(LaneOf(run, "readrandom").hits, 1000u) << "and the store goes on";
  }
}

class HeapProfiles : public FamilyNames {
 protected:
  std::vector<std::string> Profiles() const {
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(ResultPath())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("heap-")) files.push_back(name);
    }
    std::ranges::sort(files);
    return files;
  }
  const std::vector<std::string> words_ = {"--num=2000", "--engine=memory,leveldb",
                                           "--benchmarks=fillrandom,heapprofile,heapprofile"};
};

TEST_F(HeapProfiles, need_an_allocator_and_say_how_to_get_one) {
  const Result result = ResultOf(words_);
  const PhaseResult& phase = PhaseOf(RunOf(result, "leveldb"), "heapprofile");
  EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
  EXPECT_THAT(phase.message, HasSubstr("LD_PRELOAD="));
  EXPECT_THAT(Profiles(), IsEmpty());
}

TEST_F(HeapProfiles, are_written_by_tcmalloc) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "the sanitizer is the allocator";
  options_.environment["LD_PRELOAD"] = "libtcmalloc.so.4";
  const Result off = ResultOf(words_);
  EXPECT_THAT(PhaseOf(RunOf(off, "leveldb"), "heapprofile").message, HasSubstr("HEAPPROFILE="));
  EXPECT_THAT(Profiles(), IsEmpty());

  options_.environment["HEAPPROFILE"] = path() + "/tcmalloc";
  const Result result = ResultOf(words_);
  EXPECT_THAT(Profiles(), ElementsAre("heap-0001", "heap-0002", "heap-0003", "heap-0004"));
  std::set<std::string> named;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.workload != "heapprofile") continue;
      ASSERT_EQ(phase.outcome, Outcome::kOk) << phase.message;
      named.insert(phase.text);
      const std::string file = phase.text.substr(phase.text.rfind('/') + 1, 9);
      const std::string profile =
          ReadFile(fs::path(ResultPath()).lexically_relative(path()).string() + "/" + file);
      EXPECT_THAT(profile, AllOf(StartsWith("heap profile: "), HasSubstr("MAPPED_LIBRARIES")));
    }
  }
  EXPECT_EQ(named.size(), 4u) << "each says which is its own";
}

TEST_F(HeapProfiles, are_written_by_jemalloc) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "the sanitizer is the allocator";
  options_.environment["LD_PRELOAD"] = "libjemalloc.so.2";
  const Result off = ResultOf(words_);
  EXPECT_THAT(PhaseOf(RunOf(off, "memory"), "heapprofile").message,
              HasSubstr("MALLOC_CONF=prof:true"));
  EXPECT_THAT(Profiles(), IsEmpty());

  options_.environment["MALLOC_CONF"] = "prof:true,lg_prof_sample:10";
  const Result result = ResultOf(words_);
  EXPECT_EQ(PhaseOf(RunOf(result, "memory"), "heapprofile").outcome, Outcome::kOk);
  ASSERT_THAT(Profiles(), ElementsAre("heap-0001", "heap-0002", "heap-0003", "heap-0004"));
  const std::string directory = fs::path(ResultPath()).lexically_relative(path()).string();
  for (const std::string& file : Profiles()) {
    EXPECT_THAT(ReadFile(directory + "/" + file), StartsWith("heap_v2/1024"));
  }
}

}  // namespace
}  // namespace levelfield
