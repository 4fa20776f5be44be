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
// TreeDB has no snapshots.
constexpr const char* kSnapshots = "--engine=rocksdb,leveldb,lmdb,memory,treedb";
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

TEST_F(Histories, of_three_keys_written_together_are_read_together) {
  const Result result = ResultOf({"--num=2000", kSnapshots, "--threads=2", "--numdistinct=100",
                                  "--readwritepercent=50", "--deletepercent=10",
                                  "--benchmarks=filluniquerandom,randomwithverify,overwrite,"
                                  "randomwithverify,readrandom"});
  std::set<uint64_t> digests;
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "randomwithverify");
    if (run.engine == "treedb") {
      EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
      EXPECT_THAT(phase.message, HasSubstr("half of this engine's batches"));
      continue;
    }
    for (const PhaseResult& each : run.phases) {
      EXPECT_EQ(each.outcome, Outcome::kOk) << run.engine << each.workload << each.message;
    }
    EXPECT_EQ(phase.checked, "in the loop, verified");
    ASSERT_EQ(phase.roles.at(0).lanes.size(), 3u);
    EXPECT_EQ(LaneOf(run, "randomwithverify", 0).operations, 1000u);
    EXPECT_EQ(LaneOf(run, "randomwithverify", 1).operations, 800u);
    EXPECT_EQ(LaneOf(run, "randomwithverify", 2).operations, 200u);
    EXPECT_GT(LaneOf(run, "randomwithverify", 0).hits, 400u);
    EXPECT_THAT(phase.note, HasSubstr("800 puts, 200 erases"));
    EXPECT_EQ(phase.verified_entries % 3, 2000u % 3) << "whole groups are gone";
    EXPECT_LT(phase.verified_entries, 2000u);
    digests.insert(LaneOf(run, "readrandom").digest);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(Histories, of_replaced_keys_are_those_of_their_last_places) {
  const Result result = ResultOf({"--num=5000", kSnapshots, "--numdistinct=50", "--stddev=5",
                                  "--benchmarks=randomreplacekeys,readseq"});
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "randomreplacekeys");
    EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
    EXPECT_EQ(phase.verified_entries, 50u);
    EXPECT_EQ(LaneOf(run, "randomreplacekeys").operations, 5000u);
    const bool has_snapshots = run.engine != "treedb";
    EXPECT_EQ(phase.checked, has_snapshots ? "in the loop, verified" : "verified") << run.engine;
    EXPECT_EQ(phase.note, has_snapshots ? "a snapshot is held" : "no snapshot is held");
    EXPECT_EQ(LaneOf(run, "readseq").hits, 50u);
  }
}

TEST_F(Histories, of_entries_that_are_disposed_of_end_with_those_that_stay) {
  const Result result = ResultOf(
      {"--num=5000", kEngines, "--disposable_entries_batch_size=100",
       "--persistent_entries_batch_size=50", "--disposable_entries_value_size=200",
       "--persistent_entries_value_size=300", "--benchmarks=fillanddeleteuniquerandom,readseq"});
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "fillanddeleteuniquerandom");
    EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
    // Twenty cycles of 100 puts, 50 puts and 100 erases.
    EXPECT_EQ(phase.note, "2000 disposable put, 1000 persistent, 2000 erased");
    EXPECT_EQ(phase.verified_entries, 1000u);
    EXPECT_EQ(LaneOf(run, "fillanddeleteuniquerandom", 0).bytes,
              3000u * 16 + 2000 * 200 + 1000 * 300);
    EXPECT_EQ(LaneOf(run, "readseq").bytes, 1000u * 316);
  }
}

TEST_F(Histories, of_entries_that_are_there_for_a_while_are_known_whenever_that_is_over) {
  const Result result =
      ResultOf({"--num=20000", kEngines, "--disposable_entries_batch_size=64",
                "--persistent_entries_batch_size=7", "--disposable_entries_delete_delay=2000",
                "--benchmarks=fillanddeleteuniquerandom,readseq,fillanddeleteuniquerandom"});
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.workload << phase.message;
    }
    EXPECT_GT(PhaseOf(run, "readseq").roles.at(0).lanes.at(0).hits, 0u);
  }
}

TEST_F(Histories, of_impossible_shares_are_refused_before_anything_runs) {
  const Ending ending = Run({"run", "--engine=lmdb", "--benchmarks=randomwithverify",
                             "--readwritepercent=95", "--deletepercent=6"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("--deletepercent"));
  const Ending small =
      Run({"run", "--engine=lmdb", "--benchmarks=randomwithverify", "--value_size=15"});
  EXPECT_EQ(small.exit_code, 2);
  EXPECT_THAT(small.err, HasSubstr("16 bytes"));
}

TEST_F(Histories, of_series_of_times_are_scanned_while_they_grow) {
  const Result result = ResultOf({"--num=5000", kSnapshots, "--threads=2", "--key_id_range=200",
                                  "--benchmarks=timeseries,readseq,readreverse,seekrandom"});
  std::set<uint64_t> digests;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.workload << phase.message;
    }
    const PhaseResult& phase = PhaseOf(run, "timeseries");
    EXPECT_EQ(phase.checked, "in the loop, verified");
    EXPECT_EQ(phase.verified_entries, 5000u);
    ASSERT_EQ(phase.roles.size(), 2u) << "nobody erases";
    EXPECT_EQ(phase.roles.at(0).lanes.at(0).operation, "scan");
    EXPECT_EQ(phase.roles.at(0).threads, 2u);
    EXPECT_EQ(phase.roles.at(1).lanes.at(0).operations, 5000u);
    EXPECT_THAT(phase.note, HasSubstr("entries read"));
    EXPECT_EQ(LaneOf(run, "readseq").hits, 2 * 5000u) << "each thread all of them";
    EXPECT_EQ(LaneOf(run, "readreverse").hits, 2 * 5000u) << "each thread all of them";
    digests.insert(LaneOf(run, "readseq").digest);
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(Histories, of_series_lose_what_has_expired_and_nothing_else) {
  const Result result = ResultOf({"--num=5000", kSnapshots, "--key_id_range=100",
                                  "--time_range=1000", "--expire_style=delete",
                                  "--num_deletion_threads=2", "--benchmarks=timeseries,readseq"});
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "timeseries");
    EXPECT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
    ASSERT_EQ(phase.roles.size(), 3u);
    EXPECT_EQ(phase.roles.at(2).threads, 2u);
    EXPECT_GE(phase.verified_entries, 1000u);
    EXPECT_LE(phase.verified_entries, 5000u);
    EXPECT_EQ(LaneOf(run, "readseq").hits, phase.verified_entries);
    EXPECT_THAT(phase.note, HasSubstr("entries erased"));
  }
}

TEST_F(Histories, of_series_that_cannot_be_are_refused_before_anything_runs) {
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"--expire_style=compaction_filter", "which entries are gone"},
      {"--expire_style=often", "none or delete"},
      {"--num=1e13", "--key_id_range"}};
  for (const auto& [flag, why] : refusals) {
    const Ending ending = Run({"run", "--engine=lmdb", "--benchmarks=timeseries", flag});
    EXPECT_EQ(ending.exit_code, 2) << flag;
    EXPECT_THAT(ending.err, HasSubstr(why)) << flag;
  }
}

}  // namespace
}  // namespace levelfield
