// The names of RocksDB's db_bench that ask more of an engine than LevelDB's do: each runs and is
// checked where the engine has what it needs, and says what is missing where it has not.
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class RocksDbNames : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    fs::remove_all(path() + "/results");
    ending_ = Run(words);
    EXPECT_EQ(ending_.exit_code, 0) << ::testing::PrintToString(words) << ending_.err;
    return ReadResult();
  }
  static const LaneResult& LaneOf(const RunResult& run, const std::string& workload, size_t i = 0) {
    return PhaseOf(run, workload).roles.at(0).lanes.at(i);
  }
  static void ExpectUnsupported(const RunResult& run, const std::string& workload,
                                const std::string& why) {
    EXPECT_EQ(PhaseOf(run, workload).outcome, Outcome::kUnsupported) << run.engine << workload;
    EXPECT_THAT(PhaseOf(run, workload).message, HasSubstr(why)) << run.engine << workload;
  }

  Ending ending_;
};

constexpr const char* kEngines = "--engine=rocksdb,rocksdb@system,leveldb,lmdb,memory";
bool IsRocksDb(const RunResult& run) { return run.engine.starts_with("rocksdb"); }

TEST_F(RocksDbNames, of_merges_leave_what_the_operands_say) {
  const Result result =
      ResultOf({"--num=5000", "--threads=2", kEngines, "--histogram=0",
                "--benchmarks=fillrandom,mergerandom,readrandom,readrandommergerandom,"
                "readwhilemerging,seekrandomwhilemerging,readseq"});
  for (const RunResult& run : result.runs) {
    for (const char* const name :
         {"mergerandom", "readrandommergerandom", "readwhilemerging", "seekrandomwhilemerging"}) {
      if (!IsRocksDb(run)) {
        ExpectUnsupported(run, name, run.engine == "memory" ? "no merges" : "no merge operators");
        continue;
      }
      EXPECT_EQ(PhaseOf(run, name).outcome, Outcome::kOk) << name << PhaseOf(run, name).message;
      EXPECT_EQ(PhaseOf(run, name).verified_entries, 5000u) << name;
    }
    // The reads in between are those of what was merged.
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed");
    EXPECT_EQ(PhaseOf(run, "readseq").checked, "replayed");
    EXPECT_EQ(LaneOf(run, "readrandom").hits, 5000u);
    if (!IsRocksDb(run)) continue;
    EXPECT_EQ(LaneOf(run, "mergerandom").operation, "merge");
    EXPECT_EQ(LaneOf(run, "mergerandom").bytes, 5000u * 116);
    EXPECT_EQ(PhaseOf(run, "readwhilemerging").checked, "in the loop, verified");
    EXPECT_EQ(PhaseOf(run, "readwhilemerging").roles.at(1).lanes.at(0).operation, "merge");
    EXPECT_EQ(LaneOf(run, "readwhilemerging").hits, 5000u);
    EXPECT_EQ(LaneOf(run, "readrandommergerandom", 1).operation, "merge");
    EXPECT_NEAR(static_cast<double>(LaneOf(run, "readrandommergerandom", 1).operations), 3500, 200);
    EXPECT_THAT(PhaseOf(run, "seekrandomwhilemerging").check_detail,
                HasSubstr("what a scan reads while others write is not known"));
  }
}

TEST_F(RocksDbNames, of_merges_are_not_measured_where_the_model_does_not_know_the_operator) {
  const Result result =
      ResultOf({"--num=500", "--engine=rocksdb", "--rocksdb.merge_operator=stringappend",
                "--benchmarks=fillrandom,mergerandom,readrandom"});
  ExpectUnsupported(RunOf(result, "rocksdb"), "mergerandom", "merge operator");
  EXPECT_EQ(LaneOf(RunOf(result, "rocksdb"), "readrandom").hits, 500u) << "and nothing was merged";
}

TEST_F(RocksDbNames, of_merges_take_the_keys_and_the_share_that_they_are_given) {
  const Result result = ResultOf(
      {"--num=2000", "--threads=2", "--engine=rocksdb", "--merge_keys=300", "--mergereadpercent=20",
       "--benchmarks=fillrandom,mergerandom,readrandom,readrandommergerandom,readseq"});
  const RunResult& run = RunOf(result, "rocksdb");
  EXPECT_EQ(LaneOf(run, "mergerandom").operations, 2000u) << "of 300 keys, seven rounds";
  EXPECT_EQ(PhaseOf(run, "mergerandom").outcome, Outcome::kOk)
      << PhaseOf(run, "mergerandom").message;
  EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed");
  EXPECT_NEAR(static_cast<double>(LaneOf(run, "readrandommergerandom", 1).operations), 400, 100);
  EXPECT_EQ(PhaseOf(run, "readrandommergerandom").verified_entries, 2000u);
  EXPECT_EQ(LaneOf(run, "readseq").hits, 4000u);
}

TEST_F(RocksDbNames, of_deletions_take_an_amount_and_a_batch_on_every_engine) {
  const Result result = ResultOf({"--num=2000", kEngines, "--deletes=700", "--batch_size=64",
                                  "--benchmarks=fillseq,deleteseq,readrandom,fillseq,deleterandom,"
                                  "readseq"});
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"deleteseq", "deleterandom"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.verified_entries, 1300u) << run.engine << name;
      EXPECT_EQ(phase.roles.at(0).batch, 64u);
      EXPECT_EQ(LaneOf(run, name).operations, 700u);
      EXPECT_EQ(LaneOf(run, name).latency_ns->Count(), 11u) << "one for each call";
    }
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed");
    EXPECT_GT(LaneOf(run, "readrandom").misses, 500u);
    EXPECT_EQ(LaneOf(run, "readseq").hits, 1300u);
  }
  const Result again =
      ResultOf({"--num=500", "--engine=leveldb,lmdb", "--deletes=1200", "--batch_size=7",
                "--threads=2", "--benchmarks=fillseq,deleterandom,readseq"});
  for (const RunResult& run : again.runs) {
    EXPECT_EQ(LaneOf(run, "deleterandom").operations, 1200u) << "what is gone is deleted again";
    EXPECT_EQ(PhaseOf(run, "deleterandom").outcome, Outcome::kOk) << run.engine;
    EXPECT_EQ(LaneOf(run, "readseq").hits, 0u) << run.engine;
  }
}

TEST_F(RocksDbNames, of_readers_end_with_the_writer_where_that_is_asked_for) {
  const Result result = ResultOf({"--num=2000", kEngines, "--threads=2", "--reads=5",
                                  "--writes=300", "--bgwriter_num=40", "--finish_after_writes",
                                  "--benchmarks=fillseq,readwhilewriting,seekrandomwhilewriting"});
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"readwhilewriting", "seekrandomwhilewriting"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.roles.at(1).Operations(), 300u) << run.engine;
      EXPECT_GE(phase.roles.at(0).Operations(), 1u) << run.engine;
      EXPECT_EQ(phase.verified_entries, 300u) << run.engine << ": no more were loaded";
    }
    EXPECT_EQ(PhaseOf(run, "readwhilewriting").checked, "in the loop, verified") << run.engine;
  }
}

TEST_F(RocksDbNames, of_gets_of_many_keys_read_what_gets_read) {
  WriteFile("odd.workload",
            "summary = s\nfamily = reads\nneeds = loaded store\n[reader]\nop = multi_get\n"
            "threads = 2\nkeys = uniform missing\nbatch = 7\nstop = after $num operations\n");
  WriteFile("one.workload",
            "summary = s\nfamily = reads\nneeds = loaded store\n[reader]\nop = multi_get\n"
            "keys = shuffled\nseed = 5\nbatch = 10\nstop = after $num operations\n");
  WriteFile("single.workload",
            "summary = s\nfamily = reads\nneeds = loaded store\n[reader]\nop = get\n"
            "keys = shuffled\nseed = 5\nstop = after $num operations\n");
  const Result result =
      ResultOf({"--num=5000", kEngines, "--threads=2",
                "--benchmarks=fillrandom,multireadrandom,./odd.workload,./one.workload,"
                "./single.workload,multireadwhilewriting"});
  for (const RunResult& run : result.runs) {
    if (!IsRocksDb(run)) {
      for (const char* const name : {"multireadrandom", "multireadwhilewriting"}) {
        ExpectUnsupported(run, name, "one key a call");
      }
      continue;
    }
    EXPECT_EQ(PhaseOf(run, "multireadrandom").checked, "replayed");
    EXPECT_EQ(LaneOf(run, "multireadrandom").hits, 5000u);
    EXPECT_EQ(PhaseOf(run, "multireadrandom").roles.at(0).batch, 10u);
    EXPECT_EQ(LaneOf(run, "multireadrandom").latency_ns->Count(), 500u) << "one for each call";
    EXPECT_EQ(LaneOf(run, "odd").misses, 5000u);
    EXPECT_EQ(LaneOf(run, "one").digest, LaneOf(run, "single").digest);
    EXPECT_EQ(PhaseOf(run, "multireadwhilewriting").checked, "in the loop, verified");
    EXPECT_EQ(LaneOf(run, "multireadwhilewriting").hits, 5000u);
  }
}

TEST_F(RocksDbNames, of_updates_read_and_write_on_every_engine) {
  const Result result = ResultOf({"--num=3000", kEngines, "--threads=2",
                                  "--benchmarks=filluniquerandom,updaterandom,readrandom,"
                                  "readtocache,seekrandomwhilewriting"});
  std::set<uint64_t> digests;
  for (const RunResult& run : result.runs) {
    const PhaseResult& update = PhaseOf(run, "updaterandom");
    EXPECT_EQ(update.outcome, Outcome::kOk) << run.engine << update.message;
    EXPECT_EQ(update.checked, "in the loop, verified");
    EXPECT_EQ(update.verified_entries, 3000u);
    EXPECT_EQ(LaneOf(run, "updaterandom").operations, 3000u);
    EXPECT_EQ(LaneOf(run, "updaterandom").hits, 3000u);
    EXPECT_EQ(LaneOf(run, "updaterandom").bytes, 3000u * 2 * 116) << "what was read and written";
    digests.insert(LaneOf(run, "readrandom").digest);
    EXPECT_EQ(LaneOf(run, "readtocache").operations, 3000u);
    EXPECT_EQ(PhaseOf(run, "readtocache").roles.at(0).threads, 1u);
    EXPECT_EQ(PhaseOf(run, "seekrandomwhilewriting").outcome, Outcome::kOk);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(RocksDbNames, of_maintenance_work_or_say_what_the_engine_lacks) {
  const Result result =
      ResultOf({"--num=3000", kEngines,
                "--benchmarks=fillrandom,flush,waitforcompaction,verifychecksum,readrandom"});
  for (const RunResult& run : result.runs) {
    for (const char* const name : {"flush", "waitforcompaction", "verifychecksum"}) {
      const bool has = (run.engine == "rocksdb") ||
                       (IsRocksDb(run) && std::string(name) != "verifychecksum") ||
                       (run.engine == "lmdb" && std::string(name) == "flush");
      const PhaseResult& phase = PhaseOf(run, name);
      EXPECT_EQ(phase.outcome, has ? Outcome::kOk : Outcome::kUnsupported)
          << run.engine << name << phase.message;
      if (has) {
        EXPECT_EQ(LaneOf(run, name).operations, 1u);
        EXPECT_EQ(phase.verified_entries, 3000u);
      }
      if (!has) {
        EXPECT_GT(phase.message.size(), 30u);
      }
    }
    EXPECT_EQ(LaneOf(run, "readrandom").hits, 3000u) << "and the store goes on";
  }
}

TEST_F(RocksDbNames, of_the_machine_are_verified) {
  const Result result = ResultOf({"--num=1000", "--duration=0.02", "--engine=memory",
                                  "--benchmarks=xxhash,xxhash64,xxh3,compress,uncompress"});
  std::set<uint64_t> hashes;
  for (const char* const name : {"xxhash", "xxhash64", "xxh3", "compress", "uncompress"}) {
    const RunResult& run = RunOf(result, "memory");
    EXPECT_EQ(PhaseOf(run, name).outcome, Outcome::kOk) << name << PhaseOf(run, name).message;
    EXPECT_EQ(PhaseOf(run, name).checked, "recomputed");
    EXPECT_GT(LaneOf(run, name).operations, 0u);
    EXPECT_EQ(LaneOf(run, name).bytes, LaneOf(run, name).operations * 4096);
    if (std::string(name).starts_with("xx")) hashes.insert(LaneOf(run, name).digest);
  }
  EXPECT_EQ(hashes.size(), 3u) << "three hashes of one block";
}

}  // namespace
}  // namespace levelfield
