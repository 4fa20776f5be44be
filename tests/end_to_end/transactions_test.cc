// randomtransaction, newiterator and backups on every engine that is here: each runs and is checked
// where the engine has what it needs, and says what is missing where it has not.
#include "end_to_end.h"

namespace levelfield {
namespace {

// Those that are measured, without the broken ones of the tests.
constexpr const char* kEngines =
    "--engine=rocksdb,leveldb,sqlite3,treedb,lmdb,berkeleydb,memory,null";

class TransactionRuns : public EndToEnd {
 protected:
  Result ResultOf(std::vector<std::string> words, int exit_code = 0) {
    words.insert(words.begin(), "run");
    fs::remove_all(path() + "/results");
    ending_ = Run(words);
    EXPECT_EQ(ending_.exit_code, exit_code) << ::testing::PrintToString(words) << ending_.err;
    return ReadResult();
  }
  Ending ending_;
};

TEST_F(TransactionRuns, AddUpToWhatWasAcknowledgedOnEveryEngine) {
  const Result result =
      ResultOf({"--num=500", "--threads=3", kEngines, "--transaction_sets=3",
                "--rocksdb.transactions=optimistic",
                "--benchmarks=randomtransaction,fillrandom,randomtransaction,readrandom"});
  for (const RunResult& run : result.runs) {
    const PhaseResult& phase = PhaseOf(run, "randomtransaction");
    if (run.engine == "leveldb") {
      EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
      EXPECT_THAT(phase.message, HasSubstr("has no transactions"));
      continue;
    }
    ASSERT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
    if (run.engine == "null") continue;
    EXPECT_EQ(phase.checked, "in the loop, verified") << run.engine;
    const auto& lanes = phase.roles.at(0).lanes;
    EXPECT_EQ(lanes.at(0).operation, "transaction");
    EXPECT_EQ(lanes.at(1).operation, "conflict");
    EXPECT_EQ(lanes.at(0).operations + lanes.at(1).operations, 500u) << run.engine;
    EXPECT_EQ(phase.roles.at(0).Operations(), lanes.at(0).operations) << "what was done";
    EXPECT_EQ(PhaseOf(run, "readrandom").checked, "replayed") << run.engine;
  }
}

TEST_F(TransactionRuns, OfAnEngineThatLosesAnUpdateOrKeepsOneThatItRefusedAreWrong) {
  for (const char* const fault : {"lose_puts", "keep_conflicts"}) {
    const std::string engine = std::string("misbehaving@") + fault;
    const Result result =
        ResultOf({"--num=2000", "--engine=" + engine, "--benchmarks=randomtransaction"}, 1);
    const PhaseResult& phase = PhaseOf(RunOf(result, engine), "randomtransaction");
    EXPECT_EQ(phase.outcome, Outcome::kWrong) << fault << phase.message;
  }
  const Result sound =
      ResultOf({"--num=2000", "--engine=misbehaving@none", "--benchmarks=randomtransaction"});
  EXPECT_EQ(PhaseOf(RunOf(sound, "misbehaving@none"), "randomtransaction").outcome, Outcome::kOk);
}

TEST_F(TransactionRuns, AreABatchOfOneThreadWhereRocksDbHasNone) {
  const std::vector<std::string> batches = {"run", "--engine=rocksdb", "--num=300",
                                            "--transaction_batches",
                                            "--benchmarks=randomtransaction"};
  std::vector<std::string> words = batches;
  words.push_back("--threads=2");
  const Ending refused = Run(words);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("they lose each other's updates"));
  const Ending ending = Run(batches);
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(PhaseOf(RunOf(ReadResult(), "rocksdb"), "randomtransaction").checked,
            "in the loop, verified");
}

TEST_F(TransactionRuns, LeaveAStoreThatIsThereAsItIsButForTheirCounters) {
  const std::vector<std::string> words = {"--num=300", "--engine=lmdb", "--db=" + path() + "/D",
                                          "--keep"};
  std::vector<std::string> fill = words;
  fill.push_back("--benchmarks=fillrandom");
  ResultOf(fill);
  std::vector<std::string> use = words;
  use.insert(use.end(), {"--use_existing_db", "--benchmarks=randomtransaction,readrandom"});
  const Result result = ResultOf(use);
  EXPECT_EQ(PhaseOf(RunOf(result, "lmdb"), "randomtransaction").checked, "in the loop, verified");
  EXPECT_EQ(PhaseOf(RunOf(result, "lmdb"), "readrandom").roles.at(0).lanes.at(0).hits, 300u);
}

TEST_F(TransactionRuns, IteratorsAreMadeByEveryEngineThatMakesSome) {
  const Result result = ResultOf(
      {"--num=300", "--threads=2", kEngines, "--benchmarks=newiterator,newiteratorwhilewriting"});
  for (const RunResult& run : result.runs) {
    if (run.engine.starts_with("misbehaving")) continue;
    for (const char* const name : {"newiterator", "newiteratorwhilewriting"}) {
      const PhaseResult& phase = PhaseOf(run, name);
      if (run.engine == "memory") {
        EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
        continue;
      }
      ASSERT_EQ(phase.outcome, Outcome::kOk) << run.engine << phase.message;
      EXPECT_EQ(phase.roles.at(0).lanes.at(0).operations, 300u) << run.engine;
      EXPECT_THAT(phase.checked, HasSubstr("none")) << "there is no answer to check";
    }
  }
}

TEST_F(TransactionRuns, ARestoredBackupIsTheStoreAsItWas) {
  const Result result = ResultOf(
      {"--num=300", kEngines, "--benchmarks=restore,backup,overwrite,deleterandom,restore"});
  for (const RunResult& run : result.runs) {
    if (run.floor) continue;
    std::vector<const PhaseResult*> phases;
    for (const PhaseResult& phase : run.phases) {
      if (!phase.implicit) phases.push_back(&phase);
    }
    ASSERT_EQ(phases.size(), 5u);
    EXPECT_EQ(phases[0]->outcome, Outcome::kUnsupported);
    if (phases[1]->outcome == Outcome::kUnsupported) {
      EXPECT_FALSE(phases[1]->message.empty()) << run.engine;
      continue;
    }
    EXPECT_THAT(phases[0]->message, HasSubstr("no backup of this run")) << run.engine;
    EXPECT_EQ(phases[1]->outcome, Outcome::kOk) << run.engine << phases[1]->message;
    EXPECT_THAT(phases[1]->note, HasSubstr("MB/s")) << run.engine;
    EXPECT_EQ(phases[4]->outcome, Outcome::kOk) << run.engine << phases[4]->message;
    EXPECT_EQ(phases[4]->verified_entries, 300u) << run.engine << ": though all are erased since";
  }
  for (const std::string& file : Listing()) {
    EXPECT_THAT(file, Not(HasSubstr(".backup"))) << "they are removed at the end";
    EXPECT_THAT(file, Not(HasSubstr(".restored")));
  }
}

TEST_F(TransactionRuns, ABackupGoesNowhereWhereSomebodysFilesAre) {
  fs::create_directories(path() + "/mine/lmdb");
  WriteFile("mine/lmdb/letter", "dear");
  const std::vector<std::string> words = {"--num=300", "--engine=lmdb", "--db=" + path() + "/D",
                                          "--keep", "--benchmarks=fillrandom,backup,readrandom"};
  for (const std::string& taken : {path() + "/mine", path() + "/D"}) {
    std::vector<std::string> with = words;
    with.push_back("--backup_dir=" + taken);
    const Result result = ResultOf(with);
    const RunResult& run = RunOf(result, "lmdb");
    EXPECT_EQ(PhaseOf(run, "backup").outcome, Outcome::kUnsupported) << taken;
    EXPECT_THAT(PhaseOf(run, "backup").message, HasSubstr(taken));
    EXPECT_EQ(PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).hits, 300u)
        << "the store is what it was";
    fs::remove_all(path() + "/D");
  }
  EXPECT_EQ(ReadFile("mine/lmdb/letter"), "dear");
}

TEST_F(TransactionRuns, RocksDbsOwnNamesSayWhyTheyAreNotRun) {
  const Ending ending = Run({"run", "--engine=memory", "--benchmarks=compact0"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("CompactFiles"));
}

}  // namespace
}  // namespace levelfield
