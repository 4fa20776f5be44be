// What one engine has and no other: its own options, and what its repair can and cannot do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/engine.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int kKeys = 2000;

class OwnThings : public ::testing::Test {
 protected:
  OwnThings() {
    std::string path = (fs::temp_directory_path() / "levelfield_XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make " + path);
    directory_ = path;
  }
  ~OwnThings() override { fs::remove_all(directory_); }

  const fs::path& directory() const { return directory_; }

  static Engine Load(const std::string& name) {
    auto engine = LoadEngine(*ParseEngineSpec(name), ENGINES);
    if (!engine.ok()) throw std::runtime_error(engine.status().message());
    return *engine;
  }

  static SettingList With(SettingList settings, const std::string& durability = "process") {
    settings.emplace_back("durability", durability);
    settings.emplace_back("expected_keys", std::to_string(kKeys));
    settings.emplace_back("expected_value_bytes", "100");
    return settings;
  }

  StatusOr<Store> Open(const std::string& engine, const SettingList& settings = {},
                       const std::string& durability = "process") {
    return Store::Open(Load(engine), directory(), With(settings, durability));
  }

  static std::string Key(int number) { return std::to_string(100'000 + number); }

  static void Put(Store& store) {
    auto session = store.BeginSession();
    ASSERT_TRUE(session.ok()) << session.status().message();
    const std::string value(100, 'v');
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = Key(i);
      ASSERT_EQ(store.engine().table().put(session->get(), {key.data(), key.size()},
                                           {value.data(), value.size()}),
                LF_OK);
    }
  }

  void Fill(const std::string& engine, const SettingList& settings = {}) {
    auto store = Open(engine, settings);
    ASSERT_TRUE(store.ok()) << store.status().message();
    Put(*store);
    const Status closed = store->Close();
    ASSERT_TRUE(closed.ok()) << closed.message();
  }

  static int Count(Store& store) {
    auto session = store.BeginSession();
    int count = 0;
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = Key(i);
      lf_bytes value{};
      count +=
          store.engine().table().get(session->get(), {key.data(), key.size()}, &value) == LF_OK;
    }
    return count;
  }

  static uint64_t Counter(Store& store, const std::string& name) {
    std::map<std::string, uint64_t> counters;
    store.engine().table().counters(
        store.get(), &counters, [](void* context, const char* counter, uint64_t value) {
          (*static_cast<std::map<std::string, uint64_t>*>(context))[counter] = value;
        });
    return counters.contains(name) ? counters[name] : UINT64_MAX;
  }

  bool Exists(const std::string& name) const { return fs::exists(directory() / name); }

 private:
  fs::path directory_;
};

TEST_F(OwnThings, LevelDbCountsComparisonsWhereItIsAskedTo) {
  {
    auto store = Open("leveldb", {{"comparisons", "1"}});
    ASSERT_TRUE(store.ok()) << store.status().message();
    const uint64_t before = Counter(*store, "leveldb.comparisons");
    Put(*store);
    const uint64_t after = Counter(*store, "leveldb.comparisons");
    EXPECT_GT(after - before, uint64_t{kKeys}) << "at least one for each key that is inserted";
    EXPECT_LT(after - before, uint64_t{kKeys} * 100);
  }
  // A store is not bound to the comparator that counts.
  auto without = Open("leveldb");
  ASSERT_TRUE(without.ok()) << without.status().message();
  EXPECT_EQ(Count(*without), kKeys);
  EXPECT_EQ(Counter(*without, "leveldb.comparisons"), UINT64_MAX) << "no counter";
}

TEST_F(OwnThings, LmdbRefusesToLeaveTheMetaPageUnsyncedWhereThatWouldLoseACommit) {
  const auto synced = Open("lmdb", {{"metasync", "0"}}, "synced");
  ASSERT_FALSE(synced.ok());
  EXPECT_EQ(synced.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(synced.status().message(), HasSubstr("metasync=0"));
  EXPECT_TRUE(fs::is_empty(directory()));
  EXPECT_TRUE(Open("lmdb", {{"metasync", "0"}}, "process").ok());
}

// Until the log has a commit, SQLite asks the kernel for the file's size at each get.
TEST_F(OwnThings, SqliteReadsAStoreThatIsOpenedAgainWithALogThatHasBegun) {
  Fill("sqlite3");
  EXPECT_FALSE(Exists("levelfield.sqlite3-wal"));
  auto store = Open("sqlite3");
  ASSERT_TRUE(store.ok()) << store.status().message();
  auto session = store->BeginSession();
  ASSERT_TRUE(session.ok()) << session.status().message();
  EXPECT_GT(fs::file_size(directory() / "levelfield.sqlite3-wal"), 0u);
}

TEST_F(OwnThings, SqliteHasAWriteAheadLogUnlessAskedForNone) {
  {
    auto store = Open("sqlite3");
    ASSERT_TRUE(store.ok()) << store.status().message();
    Put(*store);
    EXPECT_TRUE(Exists("levelfield.sqlite3-wal"));
    EXPECT_THAT(*store->Property("stats"), HasSubstr("journal_mode=wal"));
  }
  auto store = Open("sqlite3", {{"journal_mode", "delete"}});
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_FALSE(Exists("levelfield.sqlite3-wal"));
  EXPECT_THAT(*store->Property("stats"), HasSubstr("journal_mode=delete"));
  EXPECT_EQ(Count(*store), kKeys);
  auto session = store->BeginSession();
  lf_snapshot* snapshot = nullptr;
  EXPECT_EQ(store->engine().table().take_snapshot(session->get(), &snapshot), LF_UNSUPPORTED);
  EXPECT_THAT(store->engine().table().last_error(), HasSubstr("journal_mode=wal"));
}

TEST_F(OwnThings, BerkeleyDbSaysWhatASnapshotNeeds) {
  auto store = Open("berkeleydb");
  ASSERT_TRUE(store.ok()) << store.status().message();
  auto session = store->BeginSession();
  lf_snapshot* snapshot = nullptr;
  EXPECT_EQ(store->engine().table().take_snapshot(session->get(), &snapshot), LF_UNSUPPORTED);
  EXPECT_THAT(store->engine().table().last_error(), HasSubstr("--berkeleydb.multiversion=1"));
}

TEST_F(OwnThings, RocksDbMergesAsTheOptionSays) {
  const std::string one("\1\0\0\0\0\0\0\0", 8);
  const std::string two("\2\0\0\0\0\0\0\0", 8);
  const std::string three("\3\0\0\0\0\0\0\0", 8);
  for (const auto& [name, first, second, merged] :
       std::vector<std::tuple<const char*, std::string, std::string, std::string>>{
           {"put", "b", "a", "a"},
           {"max", "b", "a", "b"},
           {"stringappend", "b", "a", "b,a"},
           {"uint64add", one, two, three}}) {
    fs::remove_all(directory());
    fs::create_directory(directory());
    auto store = Open("rocksdb", {{"merge_operator", name}});
    ASSERT_TRUE(store.ok()) << store.status().message();
    const lf_engine& table = store->engine().table();
    auto session = store->BeginSession();
    const lf_bytes key = {"key", 3};
    ASSERT_EQ(table.put(session->get(), key, {first.data(), first.size()}), LF_OK);
    ASSERT_EQ(table.merge(session->get(), key, {second.data(), second.size()}), LF_OK);
    lf_bytes value{};
    ASSERT_EQ(table.get(session->get(), key, &value), LF_OK) << table.last_error();
    EXPECT_EQ(std::string(value.data, value.size), merged) << name;
  }
}

// Options of the database, its column family and its tables, and the names that engines share.
const SettingList kOfAllKinds = {{"stats_dump_period_sec", "77"},
                                 {"compaction_style", "kCompactionStyleUniversal"},
                                 {"format_version", "4"},
                                 {"block_based_table_factory", "{block_restart_interval=8}"},
                                 {"compression_opts", "{level=3;max_dict_bytes=100}"},
                                 {"merge_operator", "max"},
                                 {"block_size", "8192"},
                                 {"bloom_bits", "7"},
                                 {"compression", "zstd"},
                                 {"max_background_jobs", "3"}};
const std::vector<std::string> kInEffect = {"stats_dump_period_sec=77",
                                            "compaction_style=kCompactionStyleUniversal",
                                            "format_version=4",
                                            "block_restart_interval=8",
                                            "max_dict_bytes=100;",
                                            "merge_operator=MaxOperator",
                                            "block_size=8192",
                                            "filter_policy=bloomfilter",
                                            "compression=kZSTD",
                                            "max_background_jobs=3",
                                            "cache_index_and_filter_blocks=true"};

TEST_F(OwnThings, RocksDbTakesAllItsOptionsByName) {
  for (const char* engine : {"rocksdb", "rocksdb@system"}) {
    fs::remove_all(directory());
    fs::create_directory(directory());
    auto store = Open(engine, kOfAllKinds);
    ASSERT_TRUE(store.ok()) << store.status().message();
    const auto options = store->Property("options");
    ASSERT_TRUE(options.ok()) << options.status().message();
    for (const std::string& option : kInEffect)
      EXPECT_TRUE(options->find(option) != std::string::npos) << engine << option;
    Put(*store);
    EXPECT_EQ(Count(*store), kKeys);
  }
}

TEST_F(OwnThings, RocksDbRefusesOptionsInItsOwnWordsBeforeThereIsAStore) {
  for (const auto& [name, text, why] :
       std::vector<std::tuple<const char*, const char*, const char*>>{
           {"nonsense", "3", "nonsense"},
           {"format_version", "x", "format_version=x"},
           {"block_based_table_factory", "{nonsense=1}", "nonsense"},
           {"max_open_file", "1;create_if_missing=0", "max_open_file"},
           {"wal_dir", "/tmp/elsewhere", "outside of its directory"},
           {"manual_wal_flush", "1", "--durability=none"},
           {"options_file", "/nowhere", "cannot be read"}}) {
    const auto store = Open("rocksdb", {{name, text}});
    ASSERT_FALSE(store.ok()) << name;
    EXPECT_EQ(store.status().kind(), ErrorKind::kUsage) << name;
    EXPECT_THAT(store.status().message(), HasSubstr(why)) << name;
    EXPECT_TRUE(fs::is_empty(directory())) << name;
  }
  EXPECT_TRUE(Open("rocksdb", {{"manual_wal_flush", "1"}}, "none").ok());
}

TEST_F(OwnThings, RocksDbBeginsWithAnOptionsFile) {
  const fs::path file = directory() / "wanted.ini";
  std::string options;
  {
    auto store = Open("rocksdb", kOfAllKinds);
    ASSERT_TRUE(store.ok()) << store.status().message();
    options = *store->Property("options");
  }
  fs::remove_all(directory());
  fs::create_directory(directory());
  std::ofstream(file) << options;
  const auto without_bits = Open("rocksdb", {{"options_file", file}});
  ASSERT_FALSE(without_bits.ok()) << "RocksDB would drop the filter in silence";
  EXPECT_THAT(without_bits.status().message(), HasSubstr("bloom_bits"));
  auto store =
      Open("rocksdb", {{"options_file", file}, {"block_size", "16384"}, {"bloom_bits", "7"}});
  ASSERT_TRUE(store.ok()) << store.status().message();
  const std::string effective = *store->Property("options");
  for (const std::string& option : kInEffect) {
    if (option == "block_size=8192") continue;
    EXPECT_TRUE(effective.find(option) != std::string::npos) << option;
  }
  EXPECT_TRUE(effective.find("block_size=16384") != std::string::npos)
      << "what is given beside it wins";
  ASSERT_TRUE(store->Close().ok());

  std::ofstream(file) << "not one of them";
  const auto none = Open("rocksdb", {{"options_file", file}});
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.status().message(), HasSubstr("no [DBOptions]"));
  std::ofstream(file)
      << "[DBOptions]\nmax_background_jobs=2\n[CFOptions \"other\"]\nnum_levels=3\n";
  const auto other = Open("rocksdb", {{"options_file", file}});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.status().message(), HasSubstr("\"other\""));
}

// ---- Repairs

TEST_F(OwnThings, RepairBringsBackAnLsmTreeThatHasLostItsManifest) {
  for (const char* engine : {"leveldb", "rocksdb"}) {
    fs::remove_all(directory());
    fs::create_directory(directory());
    Fill(engine);
    for (const auto& entry : fs::directory_iterator(directory())) {
      if (entry.path().filename().string().starts_with("MANIFEST-")) fs::remove(entry.path());
    }
    EXPECT_FALSE(Open(engine).ok()) << engine;
    const Status repaired = Load(engine).Repair(directory(), With({}));
    ASSERT_TRUE(repaired.ok()) << repaired.message();
    auto store = Open(engine);
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_EQ(Count(*store), kKeys) << engine;
  }
}

// Killed while it was open without a log of transactions, in a process that is not this one.
void FillAndDie(const Engine& engine, const fs::path& directory, const SettingList& settings,
                void (*put)(Store&)) {
  const pid_t child = fork();
  if (child == 0) {
    auto store = Store::Open(engine, directory, settings);
    if (!store.ok()) _exit(1);
    put(*store);
    (void)store->Sync();
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
}

TEST_F(OwnThings, RepairTakesAwayTheMarkOfATreeThatWasLeftOpen) {
  const Engine treedb = Load("treedb");
  FillAndDie(treedb, directory(), With({}, "none"), Put);
  const auto refused = Open("treedb");
  ASSERT_FALSE(refused.ok()) << "it would be rebuilt in silence";
  const Status repaired = treedb.Repair(directory(), With({}));
  ASSERT_TRUE(repaired.ok()) << repaired.message();
  auto store = Open("treedb");
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ(Count(*store), kKeys) << "they were synced";
}

// What a killed process leaves beside the database goes with it.
TEST_F(OwnThings, DestroyRemovesTheLogsOfAProcessThatWasKilled) {
  for (const char* name : {"treedb", "sqlite3", "lmdb", "berkeleydb", "leveldb", "rocksdb"}) {
    const Engine engine = Load(name);
    FillAndDie(engine, directory(), With({}), Put);
    const Status destroyed = engine.Destroy(directory());
    EXPECT_TRUE(destroyed.ok()) << destroyed.message();
    for (const auto& entry : fs::directory_iterator(directory())) {
      ADD_FAILURE() << name << " leaves " << entry.path().filename();
    }
  }
}

// As db_bench_bdb makes it: its regions are files, and its logs lie beside the database.
TEST_F(OwnThings, DestroyRemovesAnEnvironmentThatAnotherProgramHasMade) {
  const std::string path = directory().string();
  const std::string make = "db5.3_recover -e -h " + path + " && printf 'a\nb\n' | db5.3_load -h " +
                           path + " -T -t btree data.bdb";
  ASSERT_EQ(std::system(make.c_str()), 0);
  ASSERT_FALSE(fs::is_empty(directory()));
  const Status destroyed = Load("berkeleydb").Destroy(directory());
  EXPECT_TRUE(destroyed.ok()) << destroyed.message();
  EXPECT_TRUE(fs::is_empty(directory()));
}

TEST_F(OwnThings, BerkeleyDbsRepairSaysWhatNoLogCanRepair) {
  Fill("berkeleydb");
  const Engine engine = Load("berkeleydb");
  const Status sound = engine.Repair(directory(), With({}));
  EXPECT_TRUE(sound.ok()) << sound.message();
  {
    std::fstream file(directory() / "levelfield.db", std::ios::in | std::ios::out);
    file.seekp(4096 + 20);
    file << std::string(2000, 'x');
  }
  const Status damaged = engine.Repair(directory(), With({}));
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.kind(), ErrorKind::kFailed);
  EXPECT_THAT(damaged.message(), HasSubstr("db_dump -r"));
}

}  // namespace
}  // namespace levelfield
