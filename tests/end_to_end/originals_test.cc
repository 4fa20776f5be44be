// Stores go back and forth between Levelfield and the programs that it succeeds: LevelDB's own
// db_bench and its ports for SQLite and Kyoto Cabinet, built from LevelDB's source
// (scripts/build_originals.sh), and RocksDB's ldb. What either fills the other reads whole. The
// ports for LMDB and Berkeley DB are not at hand; their stores are made with the engines' own
// libraries, as those ports make them: an unnamed database, data.bdb in an environment, keys of
// "%016lx".

#include <db.h>
#include <lmdb.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "end_to_end.h"

namespace levelfield {
namespace {

class Originals : public EndToEnd {
 protected:
  using Words = std::vector<std::string>;

  // What another program prints on both streams; "" where it fails.
  std::string Theirs(const std::string& program, const std::string& words) {
    const std::string command =
        "cd " + path() + " && TEST_TMPDIR=" + path() + " " + program + " " + words + " 2>&1";
    std::string text;
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "";
    char block[4096];
    while (const size_t bytes = fread(block, 1, sizeof(block), pipe)) text.append(block, bytes);
    const int status = pclose(pipe);
    EXPECT_EQ(status, 0) << command << "\n" << text;
    return text;
  }
  std::string Original(const std::string& program, const std::string& words) {
    const std::string file = std::string(LEVELFIELD_ORIGINALS) + "/" + program;
    EXPECT_TRUE(fs::exists(file)) << "scripts/build_originals.sh makes it";
    return Theirs(file, words);
  }

  void OursFills(const std::string& engine, const Words& more = {}) {
    Words words = {"run",        "--engine=" + engine, "--benchmarks=fillrandom",
                   "--num=1000", "--single_db",        "--db=ours"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = Run(words);
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }

  // Every key and nothing else is there, and so it is still after writing to it.
  void OursReadsAll(const std::string& engine, const std::string& db, const Words& more = {}) {
    for (const std::string names :
         {"readrandom,readseq,seekrandom", "overwrite,readrandom,readseq"}) {
      fs::remove_all(path() + "/results");
      Words words = {"run",        "--engine=" + engine, "--use_existing_db",
                     "--db=" + db, "--num=1000",         "--benchmarks=" + names,
                     "--allow_writes_to_foreign_store"};
      words.insert(words.end(), more.begin(), more.end());
      const Ending ending = Run(words);
      ASSERT_EQ(ending.exit_code, 0) << ending.err;
      const Result result = ReadResult();
      for (const PhaseResult& phase : RunOf(result, engine).phases) {
        ASSERT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
        const LaneResult& lane = phase.roles.at(0).lanes.at(0);
        EXPECT_EQ(lane.hits, 1000u) << phase.workload;
        EXPECT_EQ(lane.misses, 0u) << phase.workload;
        EXPECT_THAT(phase.check_detail, Not(HasSubstr("not in the order")));
      }
    }
  }
};

TEST_F(Originals, of_leveldb_fill_and_we_read) {
  Original("db_bench", "--benchmarks=fillseq --num=1000 --db=" + path() + "/theirs");
  OursReadsAll("leveldb", "theirs");
  EXPECT_THAT(Original("db_bench", "--benchmarks=readrandom --num=1000 --use_existing_db=1 --db=" +
                                       path() + "/theirs"),
              HasSubstr("(1000 of 1000 found)"));
}

TEST_F(Originals, of_leveldb_read_what_we_filled) {
  OursFills("leveldb");
  EXPECT_THAT(
      Original("db_bench", "--benchmarks=readrandom,readseq --num=1000 --use_existing_db=1 --db=" +
                               path() + "/ours/db"),
      AllOf(HasSubstr("(1000 of 1000 found)"), HasSubstr("readseq")));
  // It has written nothing, so ours still knows every value.
  fs::remove_all(path() + "/results");
  OursReadsAll("leveldb", "ours");
}

TEST_F(Originals, of_leveldb_put_a_prefix_before_their_keys_as_we_do) {
  Original("db_bench", "--benchmarks=fillseq --num=1000 --key_prefix=5 --db=" + path() + "/theirs");
  OursReadsAll("leveldb", "theirs", {"--key_prefix=5"});
  OursFills("leveldb", {"--key_prefix=7", "--results=r"});
  EXPECT_THAT(Original("db_bench",
                       "--benchmarks=readrandom --num=1000 --key_prefix=7 "
                       "--use_existing_db=1 --db=" +
                           path() + "/ours/db"),
              HasSubstr("(1000 of 1000 found)"));
}

TEST_F(Originals, of_sqlite_fill_and_we_read) {
  Original("db_bench_sqlite3", "--benchmarks=fillseq --num=1000");
  OursReadsAll("sqlite3", "dbbench_sqlite3-2.db");
}

TEST_F(Originals, of_treedb_fill_and_we_read) {
  Original("db_bench_tree_db", "--benchmarks=fillseq --num=1000 --compression=0");
  OursReadsAll("treedb", "dbbench_polyDB-2.kct");
}

TEST_F(Originals, of_treedb_compress_with_lzo_and_we_read_that_untold) {
  Original("db_bench_tree_db", "--benchmarks=fillseq --num=1000");
  OursReadsAll("treedb", "dbbench_polyDB-2.kct");
  fs::remove_all(path() + "/results");
  const Ending told = Run({"run", "--engine=treedb", "--use_existing_db", "--num=1000",
                           "--db=dbbench_polyDB-2.kct", "--compression=zlib",
                           "--benchmarks=readrandom,readseq"});
  EXPECT_EQ(told.exit_code, 1) << "what is asked for is not what the file has";
  EXPECT_THAT(told.err, HasSubstr("--compression=lzo"));
}

TEST_F(Originals, of_rocksdb_fill_and_we_read) {
  {
    std::ofstream lines(path() + "/entries");
    char key[32];
    for (int i = 0; i < 1000; ++i) {
      std::snprintf(key, sizeof(key), "%016d", i);
      lines << key << " ==> value" << i << "\n";
    }
  }
  Theirs("ldb", "--db=theirs --create_if_missing load <entries");
  OursReadsAll("rocksdb@system", "theirs");
  EXPECT_THAT(Theirs("ldb", "--db=theirs scan --no_value | wc -l"), HasSubstr("1000"));
}

TEST_F(Originals, of_rocksdb_read_what_we_filled) {
  OursFills("rocksdb@system");
  EXPECT_EQ(Theirs("ldb", "--db=ours/db scan --no_value | wc -l"), "1000\n");
  EXPECT_THAT(Theirs("ldb", "--db=ours/db scan --no_value --max_keys=2"),
              AllOf(HasSubstr("0000000000000000"), HasSubstr("0000000000000001")));
}

// The original of Debian's package rocksdb-tools, and the same library behind ours.
TEST_F(Originals, of_rocksdbs_db_bench_fill_and_we_read) {
  Theirs("/usr/bin/db_bench", "--benchmarks=fillseq --num=1000 --db=" + path() + "/theirs");
  OursReadsAll("rocksdb@system", "theirs", {"--key_format=rocksdb"});
}

TEST_F(Originals, of_rocksdbs_db_bench_read_all_of_what_we_filled) {
  OursFills("rocksdb@system", {"--key_format=rocksdb"});
  EXPECT_THAT(Theirs("/usr/bin/db_bench",
                     "--benchmarks=readrandom,readseq --num=1000 --use_existing_db=1 --db=" +
                         path() + "/ours/db"),
              AllOf(HasSubstr("(1000 of 1000 found)"), HasSubstr("1000 operations")));
}

std::string HexKey(unsigned long number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016lx", number);
  return text;
}

// As db_bench_mdb opens it; integers where its --intkey is given.
void MakeAsTheLmdbPort(const std::string& path, bool integers) {
  fs::create_directory(path);
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi dbi = 0;
  ASSERT_EQ(mdb_env_create(&env), 0);
  ASSERT_EQ(mdb_env_set_mapsize(env, 64 << 20), 0);
  ASSERT_EQ(mdb_env_open(env, path.c_str(), MDB_WRITEMAP | MDB_NOSYNC, 0664), 0);
  ASSERT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), 0);
  ASSERT_EQ(mdb_dbi_open(txn, nullptr, integers ? MDB_INTEGERKEY : 0, &dbi), 0);
  for (unsigned long i = 0; i < 1000; ++i) {
    std::string key = HexKey(i);
    std::string value(100, static_cast<char>('A' + i % 26));
    MDB_val k{key.size(), key.data()};
    if (integers) k = {sizeof(i), &i};
    MDB_val v{value.size(), value.data()};
    ASSERT_EQ(mdb_put(txn, dbi, &k, &v, MDB_APPEND), 0);
  }
  ASSERT_EQ(mdb_txn_commit(txn), 0);
  mdb_env_close(env);
}

TEST_F(Originals, of_lmdb_have_hex_keys_and_we_read_them) {
  MakeAsTheLmdbPort(path() + "/dbbench_mdb-1", false);
  OursReadsAll("lmdb", "dbbench_mdb-1", {"--key_format=hex"});
}

TEST_F(Originals, of_lmdb_have_integer_keys_and_we_read_them) {
  MakeAsTheLmdbPort(path() + "/dbbench_mdb-1", true);
  OursReadsAll("lmdb", "dbbench_mdb-1", {"--key_format=integer"});
}

TEST_F(Originals, of_lmdb_could_read_what_we_filled) {
  for (const std::string format : {"hex", "integer"}) {
    OursFills("lmdb", {"--key_format=" + format, "--results=" + format});
    MDB_env* env = nullptr;
    MDB_txn* txn = nullptr;
    MDB_dbi dbi = 0;
    const bool integers = format == "integer";
    ASSERT_EQ(mdb_env_create(&env), 0);
    ASSERT_EQ(mdb_env_open(env, (path() + "/ours/db").c_str(), MDB_RDONLY, 0664), 0);
    ASSERT_EQ(mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn), 0);
    ASSERT_EQ(mdb_dbi_open(txn, nullptr, integers ? MDB_INTEGERKEY : 0, &dbi), 0);
    for (unsigned long i = 0; i < 1000; ++i) {
      std::string key = HexKey(i);
      MDB_val k{key.size(), key.data()};
      if (integers) k = {sizeof(i), &i};
      MDB_val v{};
      ASSERT_EQ(mdb_get(txn, dbi, &k, &v), 0) << format << " " << i;
      EXPECT_EQ(v.mv_size, 100u);
    }
    mdb_txn_abort(txn);
    mdb_env_close(env);
  }
}

// As db_bench_bdb opens it.
class BerkeleyDb {
 public:
  explicit BerkeleyDb(const std::string& path, const char* file) {
    EXPECT_EQ(db_env_create(&env_, 0), 0);
    EXPECT_EQ(env_->set_cachesize(env_, 0, 4 << 20, 1), 0);
    EXPECT_EQ(env_->set_lk_max_locks(env_, 100000), 0);
    EXPECT_EQ(env_->set_lk_max_objects(env_, 100000), 0);
    EXPECT_EQ(env_->set_flags(env_, DB_REGION_INIT | DB_TXN_WRITE_NOSYNC, 1), 0);
    EXPECT_EQ(env_->log_set_config(env_, DB_LOG_AUTO_REMOVE, 1), 0);
    EXPECT_EQ(
        env_->open(env_, path.c_str(),
                   DB_INIT_LOCK | DB_INIT_LOG | DB_INIT_TXN | DB_INIT_MPOOL | DB_THREAD | DB_CREATE,
                   0664),
        0);
    EXPECT_EQ(db_create(&db_, env_, 0), 0);
    EXPECT_EQ(db_->open(db_, nullptr, file, nullptr, DB_BTREE,
                        DB_AUTO_COMMIT | DB_CREATE | DB_THREAD, 0664),
              0);
  }
  ~BerkeleyDb() {
    EXPECT_EQ(db_->close(db_, 0), 0);
    EXPECT_EQ(env_->close(env_, 0), 0);
  }
  int Put(std::string key, std::string value) {
    DBT k{}, v{};
    k.data = key.data();
    k.size = static_cast<u_int32_t>(key.size());
    v.data = value.data();
    v.size = static_cast<u_int32_t>(value.size());
    return db_->put(db_, nullptr, &k, &v, 0);
  }

 private:
  DB_ENV* env_ = nullptr;
  DB* db_ = nullptr;
};

TEST_F(Originals, of_berkeleydb_have_an_environment_and_hex_keys_and_we_read_them) {
  fs::create_directory(path() + "/dbbench_bdb-1");
  {
    BerkeleyDb theirs(path() + "/dbbench_bdb-1", "data.bdb");
    for (unsigned long i = 0; i < 1000; ++i) {
      ASSERT_EQ(theirs.Put(HexKey(i), std::string(100, 'x')), 0);
    }
  }
  OursReadsAll("berkeleydb", "dbbench_bdb-1", {"--key_format=hex"});
}

}  // namespace
}  // namespace levelfield
