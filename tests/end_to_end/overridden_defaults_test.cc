// What somebody else has stated wins over what nobody has asked for: a store keeps the pages, the
// table and the compression that its owner gave it, an options file its options, and each default
// that gave way is named. What is asked for and cannot be honoured is refused.
#include <db.h>

#include <cstdlib>
#include <fstream>

#include "end_to_end.h"

namespace levelfield {
namespace {

class OverriddenDefaults : public EndToEnd {
 protected:
  using Words = std::vector<std::string>;

  OverriddenDefaults() {
    for (const char* const name :
         {"db_bench", "db_bench_rocksdb", "db_bench_sqlite3", "db_bench_tree_db", "db_bench_mdb"}) {
      fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/" + name);
    }
    options_.environment["TEST_TMPDIR"] = path() + "/tmp";
  }

  Ending Shell(const std::string& command) {
    fs::remove_all(path() + "/results");
    options_.shell = command;
    const Ending ending = Run({});
    options_.shell.clear();
    return ending;
  }
  void Make(const std::string& command) {
    ASSERT_EQ(std::system(("cd " + path() + " && " + command + " >/dev/null").c_str()), 0)
        << command;
  }

  static std::string Keys() { return "seq -f %016.0f 0 999"; }
  void MakeSqlite(const std::string& file, const std::string& page_bytes) {
    Make("{ echo 'PRAGMA page_size=" + page_bytes +
         "; CREATE TABLE owners(key BLOB, value BLOB, PRIMARY KEY(key)) WITHOUT ROWID; BEGIN;'; " +
         Keys() +
         " | sed \"s/.*/INSERT INTO owners VALUES(CAST('&' AS BLOB),CAST('v' AS BLOB));/\"; "
         "echo 'COMMIT;'; } | sqlite3 " +
         file);
  }
  void MakeTree(const std::string& file, const std::string& how) {
    Make("kctreemgr create " + how + " " + file + " && " + Keys() +
         " | sed 's/$/\\tvalue/' | kctreemgr import " + file);
  }

  // Each key is there, and the note is printed and kept.
  void ExpectAllFound(const Ending& ending, const std::string& note) {
    ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
    EXPECT_THAT(ending.err, HasSubstr("note: " + note));
    const RunResult run = ReadResult().runs.at(0);
    EXPECT_THAT(run.notes, ::testing::Contains(HasSubstr(note)));
    EXPECT_EQ(PhaseOf(run, "readrandom").roles.at(0).lanes.at(0).hits, 1000u);
    for (const auto& [name, value] : run.settings) EXPECT_NE(name, "defaults") << "is no setting";
  }
};

TEST_F(OverriddenDefaults, of_sqlites_port_give_way_to_the_pages_of_a_file) {
  MakeSqlite("theirs.db", "4096");
  ExpectAllFound(Shell("./db_bench_sqlite3 --use_existing_db=1 --db=theirs.db --num=1000 "
                       "--benchmarks=readrandom"),
                 "sqlite3: block_size=4096 from the store, in place of 1024");
  const std::vector<std::string> notes = ReadResult().runs.at(0).notes;
  using ::testing::Contains;
  EXPECT_THAT(notes, Contains(HasSubstr("it is opened read-only")));
  EXPECT_THAT(notes, Contains(HasSubstr("journal_mode=delete from the store, in place of wal")));
  const Ending asked_wal = Shell(
      "./db_bench_sqlite3 --use_existing_db=1 --db=theirs.db --num=1000 --WAL_enabled=1 "
      "--benchmarks=readrandom");
  EXPECT_THAT(asked_wal.err, HasSubstr("a copy of it is measured (sqlite3: open: SQLite: "
                                       "journal_mode=wal would change the file"));
  const Ending asked = Shell(
      "./db_bench_sqlite3 --use_existing_db=1 --db=theirs.db --num=1000 --page_size=1024 "
      "--benchmarks=readrandom");
  EXPECT_EQ(asked.exit_code, 1) << "what was asked for is refused";
  EXPECT_THAT(asked.out + asked.err,
              AllOf(HasSubstr("has pages of 4096 bytes"), Not(HasSubstr("copy_"))));
}

TEST_F(OverriddenDefaults, of_treedbs_port_give_way_to_a_file_of_its_owners) {
  MakeTree("plain.kct", "");
  const Ending plain = Shell(
      "./db_bench_tree_db --use_existing_db=1 --db=plain.kct --num=1000 --benchmarks=readrandom");
  ExpectAllFound(plain, "treedb: block_size=8192 from the store, in place of 1024");
  EXPECT_THAT(plain.err, AllOf(HasSubstr("compression=none from the store, in place of lzo"),
                               HasSubstr("linear=0 from the store, in place of 1"),
                               HasSubstr("small=0 from the store, in place of 1")));
  MakeTree("other.kct", "-tc -ts -apow 10 -psiz 2048");
  const Ending other = Shell(
      "./db_bench_tree_db --use_existing_db=1 --db=other.kct --num=1000 --benchmarks=readrandom");
  ExpectAllFound(other, "treedb: block_size=2048 from the store, in place of 1024");
  EXPECT_THAT(other.err, HasSubstr("compression=zlib from the store, in place of lzo"));
  const Ending asked = Shell(
      "./db_bench_tree_db --use_existing_db=1 --db=other.kct --num=1000 --page_size=1K "
      "--benchmarks=readrandom");
  EXPECT_EQ(asked.exit_code, 1) << "what was asked for is refused";
  EXPECT_THAT(asked.out + asked.err, HasSubstr("was made with block_size=2048"));
}

TEST_F(OverriddenDefaults, of_a_plain_run_give_way_to_a_file_that_is_compressed) {
  MakeTree("theirs.kct", "-tc");
  ExpectAllFound(Run({"run", "--engine=treedb", "--use_existing_db", "--db=theirs.kct",
                      "--num=1000", "--benchmarks=readrandom"}),
                 "treedb: compression=zlib from the store, in place of none");
}

// As `db_bench_bdb` opens an environment, with prefix compression and pages of its own.
TEST_F(OverriddenDefaults, of_berkeleydb_give_way_to_a_file_that_is_compressed) {
  const std::string directory = path() + "/theirs";
  fs::create_directory(directory);
  DB_ENV* env = nullptr;
  DB* db = nullptr;
  ASSERT_EQ(db_env_create(&env, 0), 0);
  ASSERT_EQ(env->open(env, directory.c_str(),
                      DB_INIT_LOCK | DB_INIT_LOG | DB_INIT_TXN | DB_INIT_MPOOL | DB_CREATE, 0664),
            0);
  ASSERT_EQ(db_create(&db, env, 0), 0);
  ASSERT_EQ(db->set_pagesize(db, 2048), 0);
  ASSERT_EQ(db->set_bt_compress(db, nullptr, nullptr), 0);
  ASSERT_EQ(db->open(db, nullptr, "data.bdb", nullptr, DB_BTREE, DB_AUTO_COMMIT | DB_CREATE, 0664),
            0);
  for (int i = 0; i < 1000; ++i) {
    char key[17];
    std::snprintf(key, sizeof(key), "%016d", i);
    DBT k{}, v{};
    k.data = v.data = key;
    k.size = v.size = 16;
    ASSERT_EQ(db->put(db, nullptr, &k, &v, 0), 0);
  }
  ASSERT_EQ(db->close(db, 0), 0);
  ASSERT_EQ(env->close(env, 0), 0);
  ExpectAllFound(Run({"run", "--engine=berkeleydb", "--use_existing_db", "--db=theirs",
                      "--num=1000", "--benchmarks=readrandom"}),
                 "berkeleydb: compression=prefix from the store, in place of none");
  fs::remove_all(path() + "/results");
  const Ending asked =
      Run({"run", "--engine=berkeleydb", "--use_existing_db", "--db=theirs", "--num=1000",
           "--benchmarks=readrandom", "--block_size=4096"});
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_THAT(asked.out + asked.err, HasSubstr("has pages of 2048 bytes"));
}

TEST_F(OverriddenDefaults, of_rocksdb_give_way_to_an_options_file) {
  WriteFile("OPTIONS",
            "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n"
            "[DBOptions]\n  max_background_jobs=4\n"
            "[CFOptions \"default\"]\n  write_buffer_size=8388608\n  compression=kZSTD\n"
            "[TableOptions/BlockBasedTable \"default\"]\n  block_size=8192\n");
  const auto options_of = [&](const std::string& text, const std::string& name) {
    const size_t at = text.find(name + "=");
    return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
  };
  for (const std::string command :
       {"./db_bench_rocksdb --options_file=OPTIONS --num=1000 --benchmarks=fillseq,options",
        LEVELFIELD_PROGRAM
        " run --engine=rocksdb --rocksdb.options_file=OPTIONS --num=1000 "
        "--benchmarks=fillseq,options"}) {
    const Ending ending = Shell(command);
    ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
    const RunResult run = ReadResult().runs.at(0);
    const std::string& in_force = PhaseOf(run, "options").text;
    EXPECT_EQ(options_of(in_force, "  write_buffer_size"), "  write_buffer_size=8388608");
    EXPECT_EQ(options_of(in_force, "  compression"), "  compression=kZSTD");
    EXPECT_EQ(options_of(in_force, "  max_background_jobs"), "  max_background_jobs=4");
    EXPECT_EQ(options_of(in_force, "  block_size"), "  block_size=8192");
    EXPECT_THAT(run.notes,
                ::testing::Contains(HasSubstr("compression=kZSTD from options_file=OPTIONS")));
  }
  const Ending named = Shell(
      "./db_bench_rocksdb --options_file=OPTIONS --num=1000 --benchmarks=fillseq --statistics");
  EXPECT_THAT(named.err,
              AllOf(HasSubstr("rocksdb: write_buffer_size=8388608 from options_file=OPTIONS, in "
                              "place of 67108864, which nobody asked for"),
                    HasSubstr("rocksdb: max_background_jobs=4 from options_file=OPTIONS, in place "
                              "of 2")));
}

TEST_F(OverriddenDefaults, are_not_what_was_asked_for_beside_an_options_file) {
  WriteFile("OPTIONS",
            "[DBOptions]\n  max_background_jobs=4\n"
            "[CFOptions \"default\"]\n  write_buffer_size=8388608\n  compression=kZSTD\n");
  const Ending ending = Shell(
      "./db_bench_rocksdb --options_file=OPTIONS --num=1000 --benchmarks=fillseq,options "
      "--write_buffer_size=1M");
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("  write_buffer_size=1048576"));
  EXPECT_THAT(ending.err, Not(HasSubstr("write_buffer_size")));
}

// The marker of a store of ours tells its keys; LMDB's dialect would have other ones.
TEST_F(OverriddenDefaults, of_a_dialect_give_way_to_the_keys_of_a_store_of_ours) {
  ASSERT_EQ(Run({"run", "--engine=lmdb", "--benchmarks=fillrandom", "--num=1000", "--single_db",
                 "--db=ours"})
                .exit_code,
            0);
  const Ending read = Shell(
      "./db_bench_mdb --use_existing_db=1 --db=ours --num=1000 --benchmarks=readrandom");
  ASSERT_EQ(read.exit_code, 0) << read.err;
  EXPECT_THAT(read.out, HasSubstr("(1000 of 1000 found)"));
  const Ending asked = Shell(
      "./db_bench_mdb --use_existing_db=1 --db=ours --num=1000 --benchmarks=readrandom "
      "--key_format=hex");
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.err, HasSubstr("--key_format=hex: the store at"));
}

// The original keeps one store, which is in nobody's way.
TEST_F(OverriddenDefaults, of_a_dialect_do_not_keep_rounds_from_having_stores_of_their_own) {
  const Ending ending = Shell("./db_bench --benchmarks=fillrandom --num=1000 --repeat=2 --price=0");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(ReadResult().runs.size(), 2u);
}

}  // namespace
}  // namespace levelfield
