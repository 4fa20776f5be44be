// Stores go from program to program: those of LevelDB's db_bench and its ports open here, and each
// engine's own tool accepts ours.
#include <db.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kchashdb.h>
#include <lmdb.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/engine.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kKeys = 500;

// The sixteen digits of db_bench.
std::string Decimal(int number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016d", number);
  return text;
}
// Those of the ports in the branch `benches`.
std::string Hexadecimal(int number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%016x", static_cast<unsigned>(number));
  return text;
}
std::string ValueOf(int number) { return "value " + std::to_string(number * 7); }

struct Outcome {
  int exit_code = -1;
  std::string output;
};

// A tool that is not there fails the test, with the shell's words: packages/debian.txt names all.
Outcome Shell(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  char block[4096];
  while (const size_t bytes = fread(block, 1, sizeof(block), pipe)) {
    outcome.output.append(block, bytes);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

class Exchange : public ::testing::Test {
 protected:
  Exchange() {
    std::string path = (std::filesystem::temp_directory_path() / "levelfield_XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make " + path);
    directory_ = path;
  }
  ~Exchange() override { std::filesystem::remove_all(directory_); }

  const std::filesystem::path& directory() const { return directory_; }
  std::string Quoted(const std::string& name = "") const {
    return "'" + (name.empty() ? directory_ : directory_ / name).string() + "'";
  }

  static Engine Load(const std::string& name) {
    const auto spec = ParseEngineSpec(name);
    auto engine = LoadEngine(*spec, ENGINES);
    if (!engine.ok()) throw std::runtime_error(engine.status().message());
    return *engine;
  }

  static SettingList WithBase(SettingList settings) {
    settings.emplace_back("durability", "process");
    settings.emplace_back("expected_keys", std::to_string(kKeys));
    settings.emplace_back("expected_value_bytes", "16");
    return settings;
  }

  // Ours, closed again.
  void FillOurs(const std::string& engine, const SettingList& settings = {}) {
    auto store = Store::Open(Load(engine), directory(), WithBase(settings));
    ASSERT_TRUE(store.ok()) << store.status().message();
    {
      auto session = store->BeginSession();
      ASSERT_TRUE(session.ok()) << session.status().message();
      for (int i = 0; i < kKeys; ++i) {
        const std::string key = Decimal(i);
        const std::string value = ValueOf(i);
        ASSERT_EQ(store->engine().table().put(session->get(), {key.data(), key.size()},
                                              {value.data(), value.size()}),
                  LF_OK);
      }
    }
    const Status closed = store->Close();
    ASSERT_TRUE(closed.ok()) << closed.message();
  }

  // Every key is read, and what is written goes on in the same store.
  static void ExpectReadable(const std::string& engine, const std::filesystem::path& path,
                             std::string (*key_of)(int), const SettingList& settings = {}) {
    const Engine loaded = Load(engine);
    const auto recognized = loaded.Recognizes(path);
    ASSERT_TRUE(recognized.ok()) << recognized.status().message();
    EXPECT_TRUE(*recognized);
    for (const int written : {0, 1}) {
      auto store = Store::Open(loaded, path, WithBase(settings));
      ASSERT_TRUE(store.ok()) << store.status().message();
      auto session = store->BeginSession();
      ASSERT_TRUE(session.ok()) << session.status().message();
      const lf_engine& table = loaded.table();
      for (int i = 0; i < kKeys + written; ++i) {
        const std::string key = key_of(i);
        lf_bytes value{};
        ASSERT_EQ(table.get(session->get(), {key.data(), key.size()}, &value), LF_OK) << key;
        EXPECT_EQ(std::string(value.data, value.size), ValueOf(i));
      }
      lf_bytes key{};
      lf_bytes value{};
      ASSERT_EQ(table.seek(session->get(), LF_FIRST, {}, &key, &value), LF_OK);
      EXPECT_EQ(std::string(key.data, key.size), key_of(0));
      const std::string next = key_of(kKeys);
      const std::string its_value = ValueOf(kKeys);
      ASSERT_EQ(table.put(session->get(), {next.data(), next.size()},
                          {its_value.data(), its_value.size()}),
                LF_OK)
          << table.last_error();
    }
  }

 private:
  std::filesystem::path directory_;
};

// ---- LevelDB and RocksDB

TEST_F(Exchange, TwoBuildsOfLevelDbReadEachOther) {
  FillOurs("leveldb");
  ExpectReadable("leveldb@system", directory(), Decimal);
}

TEST_F(Exchange, TheDistributionsLevelDbIsReadByTheReleaseBuild) {
  FillOurs("leveldb@system");
  ExpectReadable("leveldb", directory(), Decimal);
}

TEST_F(Exchange, LdbReadsAndChecksOurRocksDb) {
  FillOurs("rocksdb@system");
  const Outcome scan = Shell("ldb --db=" + Quoted() + " scan --no_value | wc -l");
  EXPECT_EQ(scan.output, std::to_string(kKeys) + "\n");
  const Outcome get = Shell("ldb --db=" + Quoted() + " get " + Decimal(42));
  EXPECT_EQ(get.output, ValueOf(42) + "\n");
  const Outcome check = Shell("ldb --db=" + Quoted() + " checkconsistency");
  EXPECT_EQ(check.exit_code, 0) << check.output;
}

TEST_F(Exchange, WhatLdbHasWrittenIsRead) {
  {
    std::ofstream lines(directory() / "entries");
    for (int i = 0; i < kKeys; ++i) lines << Decimal(i) << " ==> " << ValueOf(i) << "\n";
  }
  const Outcome load =
      Shell("ldb --db=" + Quoted("store") + " --create_if_missing load < " + Quoted("entries"));
  ASSERT_EQ(load.exit_code, 0) << load.output;
  ExpectReadable("rocksdb@system", directory() / "store", Decimal);
}

// ---- SQLite

TEST_F(Exchange, TheSqliteShellReadsAndChecksOurs) {
  for (const char* rowids : {"0", "1"}) {
    std::filesystem::remove_all(directory());
    std::filesystem::create_directory(directory());
    FillOurs("sqlite3", {{"rowids", rowids}});
    const Outcome shell = Shell("sqlite3 " + Quoted("levelfield.sqlite3") +
                                " 'PRAGMA integrity_check; SELECT count(*) FROM test; SELECT value "
                                "FROM test WHERE key=CAST(\"" +
                                Decimal(42) + "\" AS BLOB)'");
    EXPECT_EQ(shell.output, "ok\n" + std::to_string(kKeys) + "\n" + ValueOf(42) + "\n");
  }
}

// db_bench_sqlite3: one file for each fresh benchmark, WITHOUT ROWID as a rule.
TEST_F(Exchange, TheSqlitePortsStoreOpensWithAndWithoutRowids) {
  for (const char* kind : {" WITHOUT ROWID", ""}) {
    const std::string file = std::string("dbbench_sqlite3-") + (*kind == '\0' ? "2" : "1") + ".db";
    {
      std::ofstream sql(directory() / "sql");
      sql << "PRAGMA journal_mode = WAL;\n"
             "CREATE TABLE test (key blob, value blob, PRIMARY KEY(key))"
          << kind << ";\nBEGIN;\n";
      for (int i = 0; i < kKeys; ++i) {
        sql << "REPLACE INTO test (key, value) VALUES (CAST('" << Decimal(i) << "' AS BLOB), CAST('"
            << ValueOf(i) << "' AS BLOB));\n";
      }
      sql << "END;\n";
    }
    const Outcome made = Shell("sqlite3 " + Quoted(file) + " < " + Quoted("sql"));
    ASSERT_EQ(made.exit_code, 0) << made.output;
    ExpectReadable("sqlite3", directory() / file, Decimal);
    if (*kind != '\0') ExpectReadable("sqlite3", directory(), Decimal);
  }
  const auto ambiguous = Store::Open(Load("sqlite3"), directory(), WithBase({}));
  ASSERT_FALSE(ambiguous.ok());
  EXPECT_EQ(ambiguous.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(ambiguous.status().message(),
              AllOf(HasSubstr("dbbench_sqlite3-1.db"), HasSubstr("dbbench_sqlite3-2.db")));
}

TEST_F(Exchange, ASqliteTableOfAnotherNameOpensAndOneOfOtherColumnsIsRefused) {
  const auto make = [&](const std::string& file, const std::string& sql) {
    const Outcome made = Shell("sqlite3 " + Quoted(file) + " '" + sql + "'");
    ASSERT_EQ(made.exit_code, 0) << made.output;
  };
  make("named.db", "CREATE TABLE \"my \"\"pairs\"\" @\" (Value BLOB, Key BLOB UNIQUE)");
  make("alien.db", "CREATE TABLE people(name TEXT, age INT)");
  make("loose.db", "CREATE TABLE test(key BLOB, value BLOB)");
  EXPECT_TRUE(Store::Open(Load("sqlite3"), directory() / "named.db", WithBase({})).ok());
  const Outcome before = Shell("cksum " + Quoted("alien.db"));
  const auto alien = Store::Open(Load("sqlite3"), directory() / "alien.db", WithBase({}));
  ASSERT_FALSE(alien.ok());
  EXPECT_THAT(alien.status().message(), HasSubstr("none whose columns are key and value"));
  const auto loose = Store::Open(Load("sqlite3"), directory() / "loose.db", WithBase({}));
  ASSERT_FALSE(loose.ok());
  EXPECT_THAT(loose.status().message(), HasSubstr("no PRIMARY KEY or UNIQUE"));
  EXPECT_EQ(Shell("cksum " + Quoted("alien.db")).output, before.output) << "nothing is changed";
  EXPECT_FALSE(std::filesystem::exists(directory() / "alien.db-wal"));
}

// ---- Kyoto Cabinet

TEST_F(Exchange, KctreemgrReadsAndChecksOurs) {
  FillOurs("treedb");
  const Outcome check = Shell("kctreemgr check " + Quoted("levelfield.kct"));
  EXPECT_EQ(check.exit_code, 0) << check.output;
  const Outcome get = Shell("kctreemgr get " + Quoted("levelfield.kct") + " " + Decimal(42));
  EXPECT_EQ(get.output, ValueOf(42) + "\n");
}

// db_bench_tree_db: TSMALL, TLINEAR, and compressed with LZO unless --compression=0.
TEST_F(Exchange, TheTreeDbPortsStoreOpensWithItsOwnTuning) {
  namespace kc = kyotocabinet;
  kc::LZOCompressor<kc::LZO::RAW> lzo;
  for (const bool compresses : {true, false}) {
    const std::filesystem::path file =
        directory() / (compresses ? "dbbench_polyDB-1.kct" : "2.kct");
    {
      kc::TreeDB db;
      int options = kc::TreeDB::TSMALL | kc::TreeDB::TLINEAR;
      if (compresses) {
        options |= kc::TreeDB::TCOMPRESS;
        db.tune_compressor(&lzo);
      }
      db.tune_options(static_cast<int8_t>(options));
      db.tune_page_cache(4 << 20);
      db.tune_page(1024);
      db.tune_map(256 << 20);
      ASSERT_TRUE(db.open(file, kc::TreeDB::OWRITER | kc::TreeDB::OCREATE));
      for (int i = 0; i < kKeys; ++i) ASSERT_TRUE(db.set(Decimal(i), ValueOf(i)));
      ASSERT_TRUE(db.close());
    }
    ExpectReadable("treedb", file, Decimal,
                   compresses ? SettingList{{"compression", "lzo"}} : SettingList{});
    if (!compresses) continue;
    ExpectReadable("treedb", file, Decimal, {});  // Nobody has asked for a compressor.
    const auto without = Store::Open(Load("treedb"), file, WithBase({{"compression", "none"}}));
    ASSERT_FALSE(without.ok());
    EXPECT_THAT(without.status().message(), HasSubstr("--compression=lzo"));
  }
}

// ---- LMDB

TEST_F(Exchange, MdbStatReadsOurs) {
  FillOurs("lmdb");
  const Outcome stat = Shell("mdb_stat " + Quoted());
  EXPECT_EQ(stat.exit_code, 0) << stat.output;
  EXPECT_THAT(stat.output, HasSubstr("Entries: " + std::to_string(kKeys)));
  const Outcome dump = Shell("mdb_dump -p " + Quoted());
  EXPECT_THAT(dump.output, HasSubstr(" " + Decimal(42) + "\n " + ValueOf(42) + "\n"));
}

void MakeLmdb(const std::filesystem::path& path, unsigned flags, unsigned database_flags,
              std::string (*key_of)(int)) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi dbi = 0;
  ASSERT_EQ(mdb_env_create(&env), 0);
  ASSERT_EQ(mdb_env_set_mapsize(env, 64 << 20), 0);
  ASSERT_EQ(mdb_env_open(env, path.c_str(), flags, 0664), 0);
  ASSERT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), 0);
  ASSERT_EQ(mdb_dbi_open(txn, nullptr, database_flags, &dbi), 0);
  for (int i = 0; i < kKeys; ++i) {
    std::string key = key_of(i);
    std::string value = ValueOf(i);
    MDB_val k{key.size(), key.data()};
    MDB_val v{value.size(), value.data()};
    ASSERT_EQ(mdb_put(txn, dbi, &k, &v, 0), 0);
  }
  ASSERT_EQ(mdb_txn_commit(txn), 0);
  mdb_env_close(env);
}

TEST_F(Exchange, TheLmdbPortsStoreOpensAsADirectoryAndAsAFile) {
  MakeLmdb(directory(), MDB_WRITEMAP, 0, Hexadecimal);
  ExpectReadable("lmdb", directory(), Hexadecimal);
  MakeLmdb(directory() / "single", MDB_NOSUBDIR, 0, Hexadecimal);
  ExpectReadable("lmdb", directory() / "single", Hexadecimal);
}

TEST_F(Exchange, TheLmdbPortsIntegerKeysAreOpenedAsSuchOnly) {
  const auto integer = [](int number) {
    const auto wide = static_cast<uint64_t>(number);
    return std::string(reinterpret_cast<const char*>(&wide), sizeof(wide));
  };
  MakeLmdb(directory(), 0, MDB_INTEGERKEY, integer);
  ExpectReadable("lmdb", directory(), integer, {{"integer_keys", "1"}});
  const auto as_bytes = Store::Open(Load("lmdb"), directory(), WithBase({}));
  ASSERT_FALSE(as_bytes.ok());
  EXPECT_THAT(as_bytes.status().message(), HasSubstr("MDB_INTEGERKEY"));
}

// ---- Berkeley DB

TEST_F(Exchange, Db53VerifyAcceptsOursAndDbDumpReadsIt) {
  FillOurs("berkeleydb");
  const Outcome verify = Shell("db5.3_verify " + Quoted("levelfield.db"));
  EXPECT_EQ(verify.exit_code, 0) << verify.output;
  const Outcome dump = Shell("db5.3_dump -p " + Quoted("levelfield.db"));
  EXPECT_THAT(dump.output, HasSubstr(" " + Decimal(42) + "\n " + ValueOf(42) + "\n"));
}

// db_bench_bdb: an environment whose regions are files, and data.bdb in it.
TEST_F(Exchange, TheBerkeleyDbPortsEnvironmentOpens) {
  {
    DB_ENV* env = nullptr;
    DB* db = nullptr;
    ASSERT_EQ(db_env_create(&env, 0), 0);
    ASSERT_EQ(env->set_cachesize(env, 0, 4 << 20, 1), 0);
    ASSERT_EQ(env->set_flags(env, DB_REGION_INIT | DB_TXN_WRITE_NOSYNC, 1), 0);
    ASSERT_EQ(env->log_set_config(env, DB_LOG_AUTO_REMOVE, 1), 0);
    ASSERT_EQ(
        env->open(env, directory().c_str(),
                  DB_INIT_LOCK | DB_INIT_LOG | DB_INIT_TXN | DB_INIT_MPOOL | DB_THREAD | DB_CREATE,
                  0664),
        0);
    ASSERT_EQ(db_create(&db, env, 0), 0);
    ASSERT_EQ(db->open(db, nullptr, "data.bdb", nullptr, DB_BTREE,
                       DB_AUTO_COMMIT | DB_CREATE | DB_THREAD, 0664),
              0);
    for (int i = 0; i < kKeys; ++i) {
      std::string key = Hexadecimal(i);
      std::string value = ValueOf(i);
      DBT k{};
      DBT v{};
      k.data = key.data();
      k.size = static_cast<u_int32_t>(key.size());
      v.data = value.data();
      v.size = static_cast<u_int32_t>(value.size());
      ASSERT_EQ(db->put(db, nullptr, &k, &v, 0), 0);
    }
    ASSERT_EQ(db->close(db, 0), 0);
    ASSERT_EQ(env->close(env, 0), 0);
  }
  ExpectReadable("berkeleydb", directory(), Hexadecimal);
  ExpectReadable("berkeleydb", directory() / "data.bdb", Hexadecimal);
  const Engine engine = Load("berkeleydb");
  const Status destroyed = engine.Destroy(directory());
  EXPECT_TRUE(destroyed.ok()) << destroyed.message();
  EXPECT_TRUE(std::filesystem::is_empty(directory()));
}

}  // namespace
}  // namespace levelfield
