// Stores that Levelfield did not make are measured and stay byte for byte as they were: their
// owners' own tools make them, and read them again afterwards. What writes to them has to be
// allowed, or named on a db_bench's command line.

#include <cstdio>

#include "end_to_end.h"

namespace levelfield {
namespace {

using Words = std::vector<std::string>;

// A store that its owner's own program fills and reads.
struct Owner {
  const char* name;    // Of the test.
  const char* engine;  // That measures it.
  const char* fill;    // A shell's words, in a new directory `theirs`. 1000 keys of 16 digits.
  const char* store;   // What --db names.
  const char* read;    // Says `whole` where all is there.
  const char* whole;
  const char* how;  // It is measured.
  Words more = {};
};

constexpr const char* kKeys = "for i in $(seq -f %016.0f 0 999); do ";

std::string NameOf(const ::testing::TestParamInfo<Owner>& owner) { return owner.param.name; }
void PrintTo(const Owner& owner, std::ostream* out) { *out << owner.name; }

class Foreign : public EndToEnd {
 protected:
  // What a shell prints on both streams, in the directory of the test.
  std::string Shell(const std::string& command) const {
    const std::string words = "cd " + path() + " && ORIGINALS=" + LEVELFIELD_ORIGINALS +
                              " TEST_TMPDIR=" + path() + "/theirs; (" + command + ") 2>&1";
    std::string text;
    std::FILE* const pipe = popen(words.c_str(), "r");
    if (pipe == nullptr) return "";
    char block[4096];
    while (const size_t bytes = fread(block, 1, sizeof(block), pipe)) text.append(block, bytes);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
    return text;
  }

  // Every file below the directory: its name, size, hash, and when it was last written.
  std::string StateOf(const std::string& name = "theirs") const {
    return Shell("find " + name + " -exec stat -c '%n %s %.9Y' {} + | sort; find " + name +
                 " -type f -exec sha256sum {} + | sort");
  }

  // The program by another name, as a shell's words.
  std::string Program(const std::string& name) const {
    if (!fs::exists(path() + "/" + name)) {
      fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/" + name);
    }
    return std::string("LEVELFIELD_ENGINES=") + LEVELFIELD_ENGINE_DIRECTORY + " ./" + name +
           " --price=0 --num=1000 ";
  }

  void MakeLevelDb() {
    fs::create_directory(path() + "/theirs");
    Shell("$ORIGINALS/db_bench --benchmarks=fillseq --num=1000 --db=theirs/app");
  }

  Ending Measure(const std::string& engine, const std::string& db, const Words& more) {
    fs::remove_all(path() + "/results");
    Words words = {"run", "--engine=" + engine, "--use_existing_db", "--db=" + db,
                   "--num=1000", "--price=0"};
    words.insert(words.end(), more.begin(), more.end());
    return Run(words);
  }

  // Of a run of one engine.
  const RunResult& TheRun() {
    result_ = ReadResult();
    EXPECT_EQ(result_.runs.size(), 1u);
    return result_.runs.front();
  }

  void ExpectReadsAll(const RunResult& run, const std::string& workload) {
    const PhaseResult& phase = PhaseOf(run, workload);
    EXPECT_EQ(phase.outcome, Outcome::kOk) << workload << ": " << phase.message;
    EXPECT_EQ(phase.roles.at(0).lanes.at(0).hits, 1000u) << workload;
  }

  static void ExpectSkipped(const RunResult& run, const std::string& workload,
                            const std::string& reason) {
    const PhaseResult& phase = PhaseOf(run, workload);
    EXPECT_EQ(phase.outcome, Outcome::kSkipped) << workload;
    EXPECT_THAT(phase.message, HasSubstr(reason)) << workload;
  }

  // The one note about the store, and nothing of it in the results but what is said.
  std::string NoteOf(const RunResult& run) const {
    for (const std::string& note : run.notes) {
      if (note.find("the store ") != note.npos) return note;
    }
    return "";
  }

 private:
  Result result_;
};

class ForeignStores : public Foreign, public ::testing::WithParamInterface<Owner> {};

TEST_P(ForeignStores, stay_byte_for_byte_as_they_were_and_their_owners_read_them) {
  const Owner& owner = GetParam();
  fs::create_directory(path() + "/theirs");
  Shell(owner.fill);
  const std::string before = StateOf();
  Words words = {"--benchmarks=readrandom,readseq,overwrite,open,compact,seekrandom,deleterandom,"
                 "readwhilewriting,fillseq,readreverse"};
  words.insert(words.end(), owner.more.begin(), owner.more.end());
  const Ending ending = Measure(owner.engine, owner.store, words);
  EXPECT_EQ(StateOf(), before);
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const RunResult& run = TheRun();
  for (const char* const reads : {"readrandom", "readseq", "seekrandom", "readreverse"}) {
    ExpectReadsAll(run, reads);
  }
  EXPECT_EQ(PhaseOf(run, "open").outcome, Outcome::kOk) << PhaseOf(run, "open").message;
  for (const char* const writes : {"overwrite", "compact", "deleterandom", "readwhilewriting"}) {
    ExpectSkipped(run, writes, "it is not Levelfield's");
  }
  ExpectSkipped(run, "fillseq", "--use_existing_db");
  EXPECT_THAT(NoteOf(run), AllOf(HasSubstr("stays byte for byte as it is"), HasSubstr(owner.how),
                                 HasSubstr("--allow_writes_to_foreign_store")));
  EXPECT_THAT(InOneLine(ending.out), HasSubstr(owner.how));
  for (const auto& entry : fs::recursive_directory_iterator(path() + "/results")) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("copy_"))) << "a copy is gone with its run";
  }
  EXPECT_THAT(Shell(owner.read), HasSubstr(owner.whole));
}

const std::string kLmdbFill =
    std::string("(printf 'VERSION=3\\nformat=print\\ntype=btree\\nHEADER=END\\n'; ") + kKeys +
    "printf ' %s\\n v\\n' $i; done; echo DATA=END) > entries && mdb_load -f entries theirs";
const std::string kBerkeleyFill =
    std::string("(") + kKeys +
    "printf '%s\\nv\\n' $i; done) | db5.3_load -T -t btree theirs/app.db";
const std::string kTreeFill = std::string("(") + kKeys +
                              "printf '%s\\tv\\n' $i; done) > entries && "
                              "kctreemgr create theirs/app.kct && kctreemgr import "
                              "theirs/app.kct entries";
const std::string kSqliteRows =
    "create table kv(key blob primary key, value blob); with recursive n(i) as (select 0 union all "
    "select i+1 from n where i<999) insert into kv select cast(printf('%016d',i) as blob), x'76' "
    "from n;";
const std::string kSqliteFill = "sqlite3 theirs/app.db \"" + kSqliteRows + "\"";
const std::string kSqliteWalFill =
    "sqlite3 theirs/app.db \"pragma journal_mode=wal;" + kSqliteRows + "\"";
// As a program leaves it that is killed: the rows are in the log alone.
const std::string kSqliteCutFill =
    "sqlite3 made.db \"pragma journal_mode=wal;" + kSqliteRows +
    "\" '.shell cp made.db theirs/app.db; cp made.db-wal theirs/app.db-wal'";
constexpr const char* kSqliteRead =
    "sqlite3 theirs/app.db 'pragma journal_mode; select count(*) from kv; pragma integrity_check'";

INSTANTIATE_TEST_SUITE_P(
    OfEachEngine, ForeignStores,
    ::testing::Values(
        Owner{"leveldb", "leveldb",
              "$ORIGINALS/db_bench --benchmarks=fillseq --num=1000 --db=theirs/app", "theirs/app",
              "$ORIGINALS/db_bench --benchmarks=readrandom --num=1000 --use_existing_db=1 "
              "--db=theirs/app",
              "(1000 of 1000 found)", "a copy of it is measured"},
        // An older version, whose data are in its log: a newer one would write a manifest that it
        // cannot read.
        Owner{"rocksdb_of_another_version", "rocksdb",
              "/usr/bin/db_bench --benchmarks=fillseq --num=1000 --db=theirs/app", "theirs/app",
              "/usr/bin/db_bench --benchmarks=readrandom --num=1000 --use_existing_db=1 "
              "--db=theirs/app && ldb --db=theirs/app scan --no_value | wc -l",
              "(1000 of 1000 found)", "it is opened read-only (DB::OpenForReadOnly)",
              {"--key_format=rocksdb"}},
        Owner{"rocksdb_of_the_same_version", "rocksdb@system",
              "/usr/bin/db_bench --benchmarks=fillseq --num=1000 --db=theirs/app", "theirs/app",
              "/usr/bin/db_bench --benchmarks=readrandom --num=1000 --use_existing_db=1 "
              "--db=theirs/app",
              "(1000 of 1000 found)", "it is opened read-only (DB::OpenForReadOnly)",
              {"--key_format=rocksdb"}},
        Owner{"sqlite3", "sqlite3", kSqliteFill.c_str(), "theirs/app.db", kSqliteRead,
              "delete\n1000\nok", "it is opened read-only (SQLITE_OPEN_READONLY"},
        Owner{"sqlite3_in_wal_mode", "sqlite3", kSqliteWalFill.c_str(), "theirs/app.db",
              kSqliteRead, "wal\n1000\nok", "a copy of it is measured"},
        Owner{"sqlite3_with_its_rows_in_the_log", "sqlite3", kSqliteCutFill.c_str(),
              "theirs/app.db", kSqliteRead, "wal\n1000\nok", "a copy of it is measured"},
        Owner{"lmdb", "lmdb", kLmdbFill.c_str(), "theirs",
              "mdb_stat theirs && mdb_dump theirs | tail -1", "Entries: 1000",
              "it is opened read-only (MDB_RDONLY"},
        Owner{"berkeleydb", "berkeleydb", kBerkeleyFill.c_str(), "theirs/app.db",
              "db5.3_verify theirs/app.db && db5.3_dump -p theirs/app.db | grep -c '^ v'", "1000",
              "a copy of it is measured"},
        Owner{"treedb", "treedb", kTreeFill.c_str(), "theirs/app.kct",
              "kctreemgr check theirs/app.kct", "1000 records were checked successfully",
              "it is opened read-only (OREADER"}),
    NameOf);

TEST_F(Foreign, stores_are_not_erased_by_the_default_workloads) {
  MakeLevelDb();
  Shell(kSqliteFill);
  const std::string before = StateOf();
  for (const auto& [engine, store] :
       {std::pair("leveldb", "theirs/app"), std::pair("sqlite3", "theirs/app.db")}) {
    const Ending ending = Measure(engine, store, {});
    EXPECT_EQ(StateOf(), before) << engine;
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    EXPECT_EQ(PhaseOf(TheRun(), "readrandom").outcome, Outcome::kOk);
    for (const char* const writes : {"overwrite", "deleterandom", "deleteseq", "compact"}) {
      ExpectSkipped(TheRun(), writes, "it is not Levelfield's");
    }
  }
}

TEST_F(Foreign, stores_are_written_to_in_their_place_where_that_is_allowed) {
  MakeLevelDb();
  const std::string before = StateOf();
  const Ending ending = Measure("leveldb", "theirs/app",
                                {"--benchmarks=overwrite,readrandom,deleterandom",
                                 "--allow_writes_to_foreign_store"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(PhaseOf(TheRun(), "overwrite").checked, "verified");
  EXPECT_THAT(NoteOf(TheRun()),
              AllOf(HasSubstr("overwrite, deleterandom write to the store"),
                    HasSubstr("although it is not Levelfield's"),
                    HasSubstr("its owner's version may be unable to open it afterwards")));
  EXPECT_NE(StateOf(), before);
  EXPECT_THAT(Shell("$ORIGINALS/db_bench --benchmarks=readrandom --num=1000 --use_existing_db=1 "
                    "--db=theirs/app"),
              HasSubstr("(0 of 1000 found)"));
}

TEST_F(Foreign, stores_that_nothing_could_be_measured_of_are_a_mistake_of_the_command_line) {
  MakeLevelDb();
  const std::string before = StateOf();
  const Ending ending =
      Measure("leveldb", "theirs/app", {"--benchmarks=overwrite,fillseq,deleterandom"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err,
              AllOf(HasSubstr("overwrite, deleterandom"), HasSubstr("it is not Levelfield's"),
                    HasSubstr("--allow_writes_to_foreign_store")));
  EXPECT_EQ(StateOf(), before);
  EXPECT_FALSE(fs::exists(path() + "/results"));
  EXPECT_EQ(Run({"run", "--engine=leveldb", "--read_only"}).exit_code, 2);
  const Words both = {"--read_only", "--allow_writes_to_foreign_store"};
  EXPECT_THAT(Measure("leveldb", "theirs/app", both).err, HasSubstr("one undoes the other"));
  // Where its results would be put into it.
  const Ending within = Measure("leveldb", "theirs/app",
                                {"--benchmarks=readrandom", "--results=theirs/app/results"});
  EXPECT_EQ(within.exit_code, 2);
  EXPECT_THAT(within.err, HasSubstr("lies in the store"));
  EXPECT_EQ(StateOf(), before);
}

TEST_F(Foreign, stores_are_written_to_by_what_a_db_bench_is_told_by_name) {
  MakeLevelDb();
  const auto db_bench = [&](const std::string& words) {
    return Shell(Program("db_bench") + "--use_existing_db=1 --db=theirs/app " + words);
  };
  const std::string before = StateOf();
  // Its own list is nobody's word.
  EXPECT_THAT(db_bench(""),
              AllOf(HasSubstr("readrandom   :"), HasSubstr("a copy of it is measured"),
                    HasSubstr("it is not Levelfield's"), HasSubstr("skipped")));
  EXPECT_EQ(StateOf(), before);
  db_bench("--benchmarks=readrandom,readseq");
  EXPECT_EQ(StateOf(), before);
  EXPECT_THAT(db_bench("--benchmarks=overwrite,readrandom"),
              AllOf(HasSubstr("overwrite    :"), HasSubstr("(1000 of 1000 found)"),
                    HasSubstr("overwrite writes to the store")));
  EXPECT_NE(StateOf(), before);
}

TEST_F(Foreign, stores_are_only_read_by_a_db_bench_of_rocksdb_with_readonly) {
  fs::create_directory(path() + "/theirs");
  Shell("/usr/bin/db_bench --benchmarks=fillseq --num=1000 --db=theirs/app");
  const std::string before = StateOf();
  const std::string program = Program("db_bench_rocksdb");
  EXPECT_THAT(Shell(program + "--use_existing_db --db=theirs/app --readonly "
                              "--benchmarks=readrandom,overwrite,readseq"),
              AllOf(HasSubstr("(1000 of 1000 found)"), HasSubstr("skipped"),
                    HasSubstr("--read_only")));
  EXPECT_EQ(StateOf(), before);
  // One of ours as well, whose marker stays as it is too.
  Shell(program + "--db=ours --benchmarks=fillseq");
  const std::string ours = StateOf("ours");
  EXPECT_THAT(
      Shell(program + "--use_existing_db --db=ours --readonly=true "
                      "--benchmarks=readrandom,readseq"),
      AllOf(HasSubstr("(1000 of 1000 found)"), HasSubstr("checked: 2 of 2 figures")));
  EXPECT_EQ(StateOf("ours"), ours);
}

// Whoever opened a copy of it would recover the logs of the store itself.
TEST_F(Foreign, stores_of_berkeleydb_whose_logs_are_elsewhere_are_refused) {
  fs::create_directories(path() + "/theirs/env");
  fs::create_directories(path() + "/theirs/logs");
  Shell(kBerkeleyFill + " && mv theirs/app.db theirs/env/ && echo set_lg_dir " + path() +
        "/theirs/logs > theirs/env/DB_CONFIG");
  const std::string before = StateOf();
  for (const char* const db : {"theirs/env", "theirs/env/app.db"}) {
    const Ending ending = Measure("berkeleydb", db, {"--benchmarks=readrandom"});
    EXPECT_EQ(ending.exit_code, 1) << db;
    EXPECT_THAT(ending.err, HasSubstr("DB_CONFIG leads out of its directory")) << db;
    EXPECT_EQ(StateOf(), before) << db;
  }
}

TEST_F(Foreign, stores_are_also_ours_that_another_version_of_the_library_has_filled) {
  ASSERT_EQ(Run({"run", "--engine=rocksdb@system", "--benchmarks=fillrandom", "--num=1000",
                 "--single_db", "--db=theirs", "--price=0"})
                .exit_code,
            0);
  const std::string before = StateOf();
  const Ending ending =
      Measure("rocksdb", "theirs", {"--benchmarks=readrandom,overwrite,readseq", "--single_db"});
  EXPECT_EQ(StateOf(), before);
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  ExpectReadsAll(TheRun(), "readrandom");
  EXPECT_EQ(PhaseOf(TheRun(), "readrandom").checked, "in the loop") << "its values are known";
  ExpectSkipped(TheRun(), "overwrite", "version 7.8.3 has filled it, and this is ");
  EXPECT_EQ(Shell("ldb --db=theirs/db scan --no_value | wc -l"), "1000\n");
  // Its own version goes on as ever, and with leave the other one does and is then the last.
  const Words overwrite = {"--benchmarks=overwrite", "--single_db"};
  ASSERT_EQ(Measure("rocksdb@system", "theirs", overwrite).exit_code, 0);
  for (const char* const leave : {"--allow_writes_to_foreign_store", "--keep"}) {
    const Ending written =
        Measure("rocksdb", "theirs", {"--benchmarks=overwrite", "--single_db", leave});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    EXPECT_EQ(PhaseOf(TheRun(), "overwrite").checked, "verified");
  }
}

}  // namespace
}  // namespace levelfield
