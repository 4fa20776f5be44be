// --use_existing_db: the store that is there is measured, whoever made it; nothing in it is
// destroyed, what is known of it is checked, and what is not known is not judged.

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <map>

#include "end_to_end.h"
#include "store/store_users.h"

namespace levelfield {
namespace {

class ExistingStores : public EndToEnd {
 protected:
  using Words = std::vector<std::string>;

  // Files below it with their content, but for the engine's own log of messages.
  std::map<std::string, std::string> Content(const std::string& name) const {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(path() + "/" + name)) {
      const std::string file = entry.path().lexically_relative(path()).string();
      if (!file.ends_with("LOG") && !file.ends_with("LOG.old")) {
        content[file] = entry.is_regular_file() ? ReadFile(file) : "";
      }
    }
    return content;
  }

  void Fill(const std::string& engine, const Words& more = {}) {
    Words words = {"run",   "--engine=" + engine, "--benchmarks=fillrandom", "--num=1000", "--db=D",
                   "--keep"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = Run(words);
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    fs::remove_all(path() + "/results");
  }

  // A store of LevelDB's at `name` that Levelfield knows nothing of.
  void MakeForeign(const std::string& name) {
    Fill("leveldb");
    fs::rename(path() + "/D/leveldb/db", path() + "/" + name);
    fs::remove_all(path() + "/D");
  }

  // Another text in its marker, which stays as long as it is.
  void ChangeMarker(const std::string& from, const std::string& to) {
    std::string marker = ReadFile("D/leveldb/LEVELFIELD");
    const size_t at = marker.find(from);
    ASSERT_NE(at, marker.npos) << marker;
    marker.replace(at, from.size(), to);
    marker.resize(511, ' ');
    std::ofstream(path() + "/D/leveldb/LEVELFIELD") << marker << "\n";
  }

  Ending RunOnExisting(const std::string& engine, const std::string& db, const std::string& names,
                       const Words& more = {}) {
    fs::remove_all(path() + "/results");
    Words words = {"run",        "--engine=" + engine, "--use_existing_db",
                   "--db=" + db, "--num=1000",         "--benchmarks=" + names};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  }

  const PhaseResult& Phase(const std::string& engine, const std::string& workload) {
    result_ = ReadResult();
    return PhaseOf(RunOf(result_, engine), workload);
  }

  static uint64_t Hits(const PhaseResult& phase) {
    return phase.roles.empty() || phase.roles[0].lanes.empty() ? 0 : phase.roles[0].lanes[0].hits;
  }

 private:
  Result result_;
};

TEST_F(ExistingStores, that_were_kept_are_read_again_and_every_value_is_checked) {
  Fill("leveldb,sqlite3");
  const Ending ending = RunOnExisting("leveldb,sqlite3", "D", "readrandom,readseq,seekrandom,open");
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  for (const char* const engine : {"leveldb", "sqlite3"}) {
    for (const char* const workload : {"readrandom", "readseq", "seekrandom"}) {
      const PhaseResult& phase = Phase(engine, workload);
      EXPECT_EQ(phase.outcome, Outcome::kOk);
      EXPECT_EQ(Hits(phase), 1000u) << workload;
      EXPECT_EQ(phase.checked, "in the loop");
      EXPECT_THAT(phase.check_detail,
                  AllOf(HasSubstr("1000 found, 0 not found"), HasSubstr("whole and its key's")));
      EXPECT_FALSE(phase.implicit);
    }
    EXPECT_EQ(Phase(engine, "open").outcome, Outcome::kOk);
    EXPECT_TRUE(fs::exists(path() + "/D/" + engine + "/LEVELFIELD"));
  }
  // By the store's own directory, and by the database in it.
  for (const char* const place : {"D/leveldb", "D/leveldb/db"}) {
    EXPECT_EQ(RunOnExisting("leveldb", place, "readrandom").exit_code, 0) << place;
    EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u);
    EXPECT_EQ(Phase("leveldb", "readrandom").checked, "in the loop");
  }
}

TEST_F(ExistingStores, are_not_destroyed_by_workloads_that_want_an_empty_one) {
  Fill("leveldb");
  const Ending ending = RunOnExisting("leveldb", "D", "fillseq,fillsync,readseq,fillbatch");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  for (const char* const workload : {"fillseq", "fillsync", "fillbatch"}) {
    EXPECT_EQ(Phase("leveldb", workload).outcome, Outcome::kSkipped);
    EXPECT_EQ(Phase("leveldb", workload).message, "--use_existing_db is true");
  }
  EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 1000u);
  EXPECT_THAT(ending.out, AllOf(HasSubstr("skipped[1]"), HasSubstr("--use_existing_db is true")));
  EXPECT_THAT(Run({"report", ResultPath()}).out, HasSubstr("skipped[1]"));
}

TEST_F(ExistingStores, may_be_written_to_and_what_was_written_is_read_back) {
  Fill("leveldb");
  ASSERT_EQ(RunOnExisting("leveldb", "D", "overwrite,readrandom,readrandomwriterandom,readseq",
                          {"--value_size=300"})
                .exit_code,
            0);
  EXPECT_EQ(Phase("leveldb", "overwrite").checked, "verified");
  EXPECT_THAT(Phase("leveldb", "overwrite").check_detail,
              HasSubstr("1000 keys that this run wrote or erased, all of them"));
  EXPECT_EQ(Phase("leveldb", "readrandomwriterandom").checked, "in the loop, verified");
  // The larger values are known to the next run, too.
  ASSERT_EQ(RunOnExisting("leveldb", "D", "readrandom,deleterandom,readseq").exit_code, 0);
  EXPECT_EQ(Phase("leveldb", "readrandom").checked, "in the loop");
  EXPECT_THAT(Phase("leveldb", "deleterandom").check_detail, HasSubstr("wrote or erased"));
  EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 0u);
  // Values that are cut within their header cannot be told from others.
  ASSERT_EQ(RunOnExisting("leveldb", "D", "overwrite,readrandom", {"--value_size=4"}).exit_code, 0);
  EXPECT_EQ(Phase("leveldb", "readrandom").checked, "counted");
  EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u);
}

// A marker without a format's number is of a store whose values are slices of the pool as they are.
TEST_F(ExistingStores, of_an_older_format_are_checked_and_keep_it) {
  const std::string now = "\"values_as\":[2,100,100,0.5]";
  const std::string before = "\"values\":[100,100,0.5]";
  Fill("leveldb");
  ChangeMarker(now, before);
  // The control: values that are kept apart are no slices.
  EXPECT_EQ(RunOnExisting("leveldb", "D", "readrandom").exit_code, 1);
  EXPECT_EQ(Phase("leveldb", "readrandom").outcome, Outcome::kWrong);
  fs::remove_all(path() + "/D");
  Fill("leveldb");
  ChangeMarker(now, before);
  // What is written to such a store is of its format, and is found right by it.
  const Ending ending = RunOnExisting("leveldb", "D", "overwrite,readrandom,readseq");
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(Phase("leveldb", "readseq").checked, "in the loop");
  ASSERT_EQ(RunOnExisting("leveldb", "D", "readrandom").exit_code, 0);
  EXPECT_EQ(Phase("leveldb", "readrandom").checked, "in the loop");
  EXPECT_NE(ReadFile("D/leveldb/LEVELFIELD").find(before), std::string::npos);
  // A later format's values are counted, not called wrong.
  ChangeMarker(before, "\"values_as\":[3,100,100,0.5]");
  ASSERT_EQ(RunOnExisting("leveldb", "D", "readrandom").exit_code, 0);
  EXPECT_EQ(Phase("leveldb", "readrandom").checked, "counted");
}

TEST_F(ExistingStores, say_what_their_keys_are) {
  Fill("leveldb",
       {"--key_format=hex", "--key_size=6", "--key_prefix=4", "--compression_ratio=0.3"});
  ASSERT_EQ(RunOnExisting("leveldb", "D", "readrandom").exit_code, 0);
  EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u);
  for (const char* const flag :
       {"--key_format=decimal", "--key_size=16", "--key_prefix=0", "--compression_ratio=0.5"}) {
    const Ending ending = RunOnExisting("leveldb", "D", "readrandom", {flag});
    EXPECT_EQ(ending.exit_code, 2) << flag;
    EXPECT_THAT(ending.err, AllOf(HasSubstr(flag), HasSubstr("was filled with")));
    EXPECT_FALSE(fs::exists(path() + "/results"));
  }
}

TEST_F(ExistingStores, of_an_engine_that_answers_wrongly_are_found_wrong) {
  Fill("misbehaving");
  for (const std::string fault : {"flip_bit", "keep_old"}) {
    const std::string workload = fault == "flip_bit" ? "readrandom" : "overwrite";
    const Ending ending = RunOnExisting("misbehaving@" + fault, "D/misbehaving", workload);
    EXPECT_EQ(ending.exit_code, 1) << fault;
    const PhaseResult& phase = Phase("misbehaving@" + fault, workload);
    EXPECT_EQ(phase.outcome, Outcome::kWrong);
    EXPECT_THAT(phase.message,
                HasSubstr(fault == "flip_bit" ? "not as Levelfield wrote them" : "where version"));
    // It is evidence now; a run on a new store of the same directory makes it usable again.
    EXPECT_THAT(RunOnExisting("misbehaving", "D/misbehaving", workload).err, HasSubstr("tainted"));
    fs::remove_all(path() + "/results");
    Fill("misbehaving");
  }
}

TEST_F(ExistingStores, of_another_engine_are_named_and_untouched) {
  Fill("leveldb");
  const auto before = Content("D");
  const Ending ours = RunOnExisting("sqlite3", "D/leveldb", "readrandom");
  EXPECT_EQ(ours.exit_code, 2);
  EXPECT_THAT(ours.err, AllOf(HasSubstr("a store of leveldb, not of sqlite3"),
                              HasSubstr("say --engine=leveldb")));
  const Ending both = RunOnExisting("leveldb,sqlite3", "D", "readrandom");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("only leveldb has a store in it; say --engine=leveldb"));
  EXPECT_EQ(Content("D"), before);
  fs::rename(path() + "/D/leveldb/db", path() + "/foreign");
  const auto foreign = Content("foreign");
  const Ending theirs = RunOnExisting("rocksdb", "foreign", "readrandom");
  EXPECT_EQ(theirs.exit_code, 2);
  EXPECT_THAT(theirs.err, AllOf(HasSubstr("a store of leveldb, not of rocksdb"),
                                HasSubstr("say --engine=leveldb")));
  EXPECT_EQ(Content("foreign"), foreign);
  EXPECT_FALSE(fs::exists(path() + "/results"));
}

TEST_F(ExistingStores, of_others_are_counted_and_get_no_marker) {
  MakeForeign("foreign");
  const Ending ending =
      RunOnExisting("leveldb", "foreign", "readrandom,readmissing,readseq,fillseq");
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u);
  EXPECT_EQ(Phase("leveldb", "readrandom").checked, "counted");
  EXPECT_THAT(Phase("leveldb", "readrandom").check_detail,
              AllOf(HasSubstr("1000 found"), HasSubstr("is not known")));
  EXPECT_EQ(Phase("leveldb", "readmissing").roles[0].lanes[0].misses, 1000u);
  EXPECT_THAT(Phase("leveldb", "readseq").check_detail, HasSubstr("order of the keys was checked"));
  EXPECT_EQ(Phase("leveldb", "fillseq").outcome, Outcome::kSkipped);
  EXPECT_THAT(ending.out, HasSubstr("unchecked"));
  EXPECT_FALSE(fs::exists(path() + "/foreign/LEVELFIELD"));
  // The second time as the first, with writes, and nothing is removed.
  ASSERT_EQ(RunOnExisting("leveldb", "foreign", "overwrite,readrandomwriterandom",
                          {"--allow_writes_to_foreign_store"})
                .exit_code,
            0);
  EXPECT_EQ(Phase("leveldb", "overwrite").checked, "verified");
  EXPECT_EQ(Phase("leveldb", "readrandomwriterandom").outcome, Outcome::kOk);
  ASSERT_EQ(RunOnExisting("leveldb", "foreign", "readseq").exit_code, 0);
  EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 1000u);
}

TEST_F(ExistingStores, of_others_are_no_place_for_new_ones) {
  MakeForeign("foreign");
  const auto before = Content("foreign");
  for (const Words& more : {Words{}, Words{"--single_db"}}) {
    Words words = {"run", "--engine=sqlite3", "--db=foreign", "--benchmarks=fillseq", "--num=10"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2);
    EXPECT_THAT(ending.err, AllOf(HasSubstr("a store of leveldb that Levelfield did not make"),
                                  HasSubstr("--use_existing_db")));
    EXPECT_EQ(Content("foreign"), before);
  }
  Fill("leveldb");
  const Ending within = Run({"run", "--engine=leveldb", "--db=D/leveldb", "--benchmarks=fillseq"});
  EXPECT_EQ(within.exit_code, 2);
  EXPECT_THAT(within.err, HasSubstr("this is a store, and no directory that stores are made in"));
  EXPECT_FALSE(fs::exists(path() + "/D/leveldb/leveldb"));
}

TEST_F(ExistingStores, that_are_locked_end_the_run_with_who_has_them) {
  MakeForeign("foreign");
  Fill("leveldb");
  const auto theirs = Start({"run", "--engine=leveldb", "--use_existing_db", "--db=foreign",
                             "--benchmarks=overwrite", "--num=1000", "--duration=30", "--price=0",
                             "--allow_writes_to_foreign_store", "--results=first"});
  const auto ours =
      Start({"run", "--engine=leveldb", "--use_existing_db", "--db=D", "--benchmarks=readrandom",
             "--num=1000", "--duration=30", "--price=0", "--results=second"});
  const auto has_started = [&](const std::string& results) {
    for (const auto& entry : fs::recursive_directory_iterator(path() + "/" + results)) {
      if (entry.path().filename() == "results.jsonl") return true;
    }
    return false;
  };
  for (const char* const results : {"first", "second"}) {
    for (int i = 0; i < 500 && !(fs::exists(path() + "/" + results) && has_started(results)); ++i) {
      usleep(10'000);
    }
  }
  // Until the worker has it open, behind an audit on a store of its own.
  for (int i = 0; i < 2000 && CheckNobodyUses(path() + "/foreign").ok(); ++i) usleep(10'000);
  const Ending second = RunOnExisting("leveldb", "foreign", "readrandom,readseq");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, AllOf(HasSubstr("cannot use "), HasSubstr("/foreign/")));
  const Ending third = RunOnExisting("leveldb", "D", "readrandom");
  EXPECT_EQ(third.exit_code, 1);
  EXPECT_THAT(third.err, HasSubstr("process " + std::to_string(ours->pid()) + " is using it"));
  for (const auto& running : {&theirs, &ours}) {
    (*running)->Signal(SIGINT);
    EXPECT_EQ((*running)->Finish().exit_code, 130);
  }
  // Nothing was harmed.
  EXPECT_EQ(RunOnExisting("leveldb", "foreign", "readseq").exit_code, 0);
  EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 1000u);
  EXPECT_EQ(RunOnExisting("leveldb", "D", "readseq").exit_code, 0);
  EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 1000u);
}

TEST_F(ExistingStores, that_may_only_be_read_are_read_and_not_written_to) {
  MakeForeign("foreign");
  Fill("leveldb");
  // Root may write wherever it likes, but for what is taken from it.
  if (geteuid() == 0) {
    options_.shell = "exec setpriv --bounding-set=-dac_override,-dac_read_search -- \"$@\"";
  }
  for (const char* const place : {"foreign", "D/leveldb"}) {
    const auto before = Content(place);
    const std::string directory = path() + "/" + place;
    fs::permissions(directory, fs::perms::owner_write, fs::perm_options::remove);
    const Ending ending = RunOnExisting("leveldb", place, "readrandom,overwrite",
                                        {"--allow_writes_to_foreign_store"});
    EXPECT_EQ(ending.exit_code, 1) << ending.err;
    EXPECT_THAT(ending.err, AllOf(HasSubstr(place), HasSubstr("Permission denied"),
                                  HasSubstr("copy it to where you may write")));
    EXPECT_EQ(RunOnExisting("leveldb", place, "readrandom").exit_code, 0);
    EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u) << "of a copy";
    EXPECT_EQ(Content(place), before);
    fs::permissions(directory, fs::perms::none, fs::perm_options::replace);
    EXPECT_EQ(RunOnExisting("leveldb", place, "readrandom").exit_code, 1);
    fs::permissions(directory, fs::perms::owner_all, fs::perm_options::replace);
    EXPECT_EQ(Content(place), before);
  }
}

TEST_F(ExistingStores, that_another_program_has_changed_are_wrong_answers_and_kept) {
  Fill("leveldb", {"--value_size=100"});
  // The database of a store of other values takes the place of this one's.
  fs::rename(path() + "/D", path() + "/E");
  Fill("leveldb", {"--seed=2"});
  fs::remove_all(path() + "/D/leveldb/db");
  fs::rename(path() + "/E/leveldb/db", path() + "/D/leveldb/db");
  for (const char* const workload : {"readrandom", "readseq", "seekrandom"}) {
    const Ending ending = RunOnExisting("leveldb", "D", workload);
    if (std::string(workload) == "readrandom") {
      EXPECT_EQ(ending.exit_code, 1);
      EXPECT_EQ(Phase("leveldb", workload).outcome, Outcome::kWrong);
      EXPECT_THAT(Phase("leveldb", workload).message,
                  AllOf(HasSubstr("1000 of 1000 entries"), HasSubstr("another program")));
    } else {
      EXPECT_EQ(ending.exit_code, 1) << "it is tainted";
      EXPECT_THAT(ending.err, HasSubstr("tainted"));
    }
  }
  EXPECT_TRUE(fs::exists(path() + "/D/leveldb/db/CURRENT"));
}

TEST_F(ExistingStores, of_one_engine_are_made_and_made_again_at_db_itself) {
  const Words words = {"run",          "--engine=leveldb", "--single_db",
                       "--db=dbbench", "--num=1000",       "--benchmarks=fillseq,readseq"};
  for (int times = 0; times < 2; ++times) {
    fs::remove_all(path() + "/results");
    ASSERT_EQ(Run(words).exit_code, 0);
    EXPECT_EQ(Hits(Phase("leveldb", "readseq")), 1000u);
    EXPECT_TRUE(fs::exists(path() + "/dbbench/LEVELFIELD")) << "it is kept";
    EXPECT_TRUE(fs::exists(path() + "/dbbench/db/CURRENT"));
  }
  EXPECT_EQ(RunOnExisting("leveldb", "dbbench", "readrandom", {"--single_db"}).exit_code, 0);
  EXPECT_EQ(Hits(Phase("leveldb", "readrandom")), 1000u);
  // Another engine empties it: it is ours.
  fs::remove_all(path() + "/results");
  Words other = words;
  other[1] = "--engine=sqlite3";
  ASSERT_EQ(Run(other).exit_code, 0);
  EXPECT_FALSE(fs::exists(path() + "/dbbench/db/CURRENT"));
  EXPECT_EQ(RunOnExisting("leveldb", "dbbench", "readrandom").exit_code, 2);
}

}  // namespace
}  // namespace levelfield
