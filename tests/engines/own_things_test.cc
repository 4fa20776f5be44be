// What one engine has and no other, asked of its table: its repair, above all. Its options are in
// tests/cases/engine_options.case.
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/child_for_test.h"
#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "engine/engine.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr int kKeys = 2000;

class OwnThings : public ::testing::Test {
 protected:
  fs::path directory() const { return directory_.path(); }

  static Engine Load(const std::string& name) {
    auto engine = LoadEngine(*ParseEngineSpec(name), {{ENGINES, true}});
    if (!engine.ok()) throw std::runtime_error(engine.status().message());
    return *engine;
  }

  static SettingList With(SettingList settings, const std::string& durability = "process") {
    settings.emplace_back("durability", durability);
    settings.emplace_back("expected_keys", std::to_string(kKeys));
    settings.emplace_back("expected_value_bytes", "100");
    return settings;
  }

  StatusOr<Store> Open(const std::string& engine, const SettingList& settings = {}) {
    return Store::Open(Load(engine), directory(), With(settings));
  }

  static std::string Key(int number) { return std::to_string(100'000 + number); }

  static void Put(Store& store) {
    auto session = Must(store.BeginSession());
    const std::string value(100, 'v');
    for (int i = 0; i < kKeys; ++i) {
      const std::string key = Key(i);
      ASSERT_EQ(store.engine().table().put(session.get(), {key.data(), key.size()},
                                           {value.data(), value.size()}),
                LF_OK);
    }
  }

  void Fill(const std::string& engine) {
    auto store = Must(Open(engine));
    Put(store);
    Must(store.Close());
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

 private:
  const TemporaryDirectory directory_;
};

// Until the log has a commit, SQLite asks the kernel for the file's size at each get.
TEST_F(OwnThings, SqliteReadsAStoreThatIsOpenedAgainWithALogThatHasBegun) {
  Fill("sqlite3");
  EXPECT_FALSE(fs::exists(directory() / "levelfield.sqlite3-wal"));
  auto store = Must(Open("sqlite3"));
  Must(store.BeginSession());
  EXPECT_GT(fs::file_size(directory() / "levelfield.sqlite3-wal"), 0u);
}

TEST_F(OwnThings, RocksDbMergesAsTheOptionSays) {
  const std::string one("\1\0\0\0\0\0\0\0", 8);
  const std::string two("\2\0\0\0\0\0\0\0", 8);
  const std::string three("\3\0\0\0\0\0\0\0", 8);
  for (const auto& [name, first, second, merged] :
       std::vector<std::array<std::string, 4>>{{"put", "b", "a", "a"},
                                               {"max", "b", "a", "b"},
                                               {"stringappend", "b", "a", "b,a"},
                                               {"uint64add", one, two, three}}) {
    fs::remove_all(directory());
    fs::create_directory(directory());
    auto store = Must(Open("rocksdb", {{"merge_operator", name}}));
    const lf_engine& table = store.engine().table();
    auto session = store.BeginSession();
    const lf_bytes key = {"key", 3};
    ASSERT_EQ(table.put(session->get(), key, {first.data(), first.size()}), LF_OK);
    ASSERT_EQ(table.merge(session->get(), key, {second.data(), second.size()}), LF_OK);
    lf_bytes value{};
    ASSERT_EQ(table.get(session->get(), key, &value), LF_OK) << table.last_error();
    EXPECT_EQ(std::string(value.data, value.size), merged) << name;
  }
}

TEST_F(OwnThings, RepairBringsBackAnLsmTreeThatHasLostItsManifest) {
  for (const char* engine : {"leveldb", "rocksdb"}) {
    fs::remove_all(directory());
    fs::create_directory(directory());
    Fill(engine);
    for (const auto& entry : fs::directory_iterator(directory())) {
      if (entry.path().filename().string().starts_with("MANIFEST-")) fs::remove(entry.path());
    }
    EXPECT_FALSE(Open(engine).ok()) << engine;
    Must(Load(engine).Repair(directory(), With({})));
    auto store = Must(Open(engine));
    EXPECT_EQ(Count(store), kKeys) << engine;
  }
}

// Killed while it was open without a log of transactions, in a process that is not this one.
void FillAndDie(const Engine& engine, const fs::path& directory, const SettingList& settings,
                void (*put)(Store&)) {
  const auto fill = [&] {
    auto store = Store::Open(engine, directory, settings);
    if (!store.ok()) return 1;
    put(*store);
    (void)store->Sync();
    return raise(SIGKILL);
  };
  ASSERT_EQ(InChild(fill), 128 + SIGKILL);
}

TEST_F(OwnThings, RepairTakesAwayTheMarkOfATreeThatWasLeftOpen) {
  const Engine treedb = Load("treedb");
  FillAndDie(treedb, directory(), With({}, "none"), Put);
  ASSERT_FALSE(Open("treedb").ok()) << "it would be rebuilt in silence";
  Must(treedb.Repair(directory(), With({})));
  auto store = Must(Open("treedb"));
  EXPECT_EQ(Count(store), kKeys) << "they were synced";
}

// What a killed process leaves beside the database goes with it.
TEST_F(OwnThings, DestroyRemovesTheLogsOfAProcessThatWasKilled) {
  for (const char* name : {"treedb", "sqlite3", "lmdb", "berkeleydb", "leveldb", "rocksdb"}) {
    const Engine engine = Load(name);
    FillAndDie(engine, directory(), With({}), Put);
    Must(engine.Destroy(directory()));
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
  Must(Load("berkeleydb").Destroy(directory()));
  EXPECT_TRUE(fs::is_empty(directory()));
}

TEST_F(OwnThings, BerkeleyDbsRepairSaysWhatNoLogCanRepair) {
  Fill("berkeleydb");
  const Engine engine = Load("berkeleydb");
  Must(engine.Repair(directory(), With({})));
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
