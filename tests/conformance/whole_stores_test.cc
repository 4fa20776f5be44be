// What may be asked of a whole store: whether it is there, to go, to be repaired, to be compacted
// in part, how large a part is, and what it looked like before. An engine may answer each with
// LF_UNSUPPORTED and a reason, or not have it at all.
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/whole_file.h"
#include "conformance.h"
#include "engine/description.h"

namespace levelfield {
namespace {

class WholeStoresConformance : public AnswersConformance {
 protected:
  bool RecognizesStores() const {
    const auto recognize = engine().table().recognize;
    if (recognize == nullptr) return false;
    const lf_code code = recognize((directory() / "none").c_str());
    return code == LF_NOT_FOUND || WorksOrSaysWhyNot(code, "recognize");
  }
};

CONFORMANCE_SUITE(WholeStores, WholeStoresConformance);

// Closed again.
void Fill(Store store, int keys) {
  {
    TestSession session(store);
    for (int i = 0; i < keys; ++i) ASSERT_EQ(session.Put(Key(i), Noise(100)), LF_OK);
  }
  Must(store.Close());
}

std::set<std::string> NamesIn(const std::filesystem::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.insert(entry.path().filename());
  }
  return names;
}

// Files by name, with all that is in them.
Model BytesIn(const std::filesystem::path& directory) {
  Model bytes;
  for (const std::string& name : NamesIn(directory)) {
    bytes[name] = ReadAll(directory / name);
  }
  return bytes;
}

TEST_P(WholeStores, AStoreIsRecognizedByItsEngineAndByNoOther) {
  if (!RecognizesStores()) GTEST_SKIP() << "recognizes nothing";
  const lf_engine& table = engine().table();
  EXPECT_EQ(table.recognize(directory().c_str()), LF_NOT_FOUND) << "an empty directory";
  EXPECT_EQ(table.recognize((directory() / "none").c_str()), LF_NOT_FOUND);
  if (Has(LF_VOLATILE)) return;
  Fill(Open(), 10);
  const std::set<std::string> before = NamesIn(directory());
  for (const std::string& name : FindEngines(EnginePlaces())) {
    // One that does not load is no fault of this one.
    const StatusOr<Engine> loaded = LoadEngine(Must(ParseEngineSpec(name)), EnginePlaces());
    if (!loaded.ok() || loaded->table().recognize == nullptr) continue;
    const lf_code code = loaded->table().recognize(directory().c_str());
    const bool is_own = loaded->spec().name == engine().spec().name;
    EXPECT_TRUE(code == (is_own ? LF_OK : LF_NOT_FOUND) || (!is_own && code == LF_UNSUPPORTED))
        << "asked of " << name << ": " << ::testing::PrintToString(code);
  }
  EXPECT_EQ(NamesIn(directory()), before) << "asking leaves nothing behind";
}

TEST_P(WholeStores, WhatIsNoStoreIsNotRecognized) {
  if (!RecognizesStores()) GTEST_SKIP() << "recognizes nothing";
  for (const char* name : {"CURRENT", "data.mdb", "x.db", "x.kct", "levelfield.sqlite3"}) {
    std::ofstream(directory() / name) << "SQLite for people who read text";
  }
  EXPECT_EQ(engine().table().recognize(directory().c_str()), LF_NOT_FOUND);
  EXPECT_EQ(engine().table().recognize((directory() / "x.db").c_str()), LF_NOT_FOUND);
}

TEST_P(WholeStores, WhatIsRecognizedByItsFileOpensByItsFile) {
  if (!RecognizesStores()) GTEST_SKIP() << "recognizes nothing";
  if (Has(LF_VOLATILE)) GTEST_SKIP() << "closing loses it, as it says";
  Fill(Open(), 10);
  int files = 0;
  for (const std::string& name : NamesIn(directory())) {
    const std::filesystem::path file = directory() / name;
    if (engine().table().recognize(file.c_str()) != LF_OK) continue;
    ++files;
    auto store = Must(Store::Open(engine(), file, BaseSettings(WeakestClass())));
    TestSession session(store);
    EXPECT_EQ(session.Get(Key(3)), Value(Noise(100)));
    EXPECT_EQ(session.Everything().size(), 10u);
  }
  EXPECT_LE(files, 1) << "a store that is one file is that file only";
}

TEST_P(WholeStores, DestroyRemovesItsFilesAndNothingElse) {
  if (engine().table().destroy == nullptr) GTEST_SKIP() << "cannot be destroyed";
  const lf_engine& table = engine().table();
  if (!WorksOrSaysWhyNot(table.destroy(directory().c_str()), "destroy, where there is none"))
    return;
  ASSERT_TRUE(std::filesystem::is_directory(directory()));
  // Alone in its directory, which stays; and among files that are not its own.
  for (const bool has_neighbours : {false, true}) {
    if (has_neighbours) {
      std::ofstream(directory() / "notes.txt") << "keep";
      std::ofstream(directory() / "archive.db") << "keep";
      std::filesystem::create_directory(directory() / "plots");
    }
    const std::set<std::string> neighbours = NamesIn(directory());
    Fill(Open(), 100);
    ASSERT_EQ(table.destroy(directory().c_str()), LF_OK) << table.last_error();
    ASSERT_TRUE(std::filesystem::is_directory(directory()));
    EXPECT_EQ(NamesIn(directory()), neighbours);
  }
  Store again = Open();
  TestSession session(again);
  EXPECT_EQ(session.Everything(), Model());
}

TEST_P(WholeStores, RepairingASoundStoreLosesNothing) {
  if (engine().table().repair == nullptr) GTEST_SKIP() << "cannot be repaired";
  if (Has(LF_VOLATILE)) GTEST_SKIP() << "closing loses it, as it says";
  Fill(Open(), 100);
  const SettingList base = BaseSettings(WeakestClass());
  std::vector<lf_setting> settings;
  for (const auto& [name, value] : base) settings.push_back({name.c_str(), value.c_str()});
  const lf_code code =
      engine().table().repair(directory().c_str(), settings.data(), settings.size());
  (void)WorksOrSaysWhyNot(code, "repair");
  StoreSession session(Open());
  EXPECT_EQ(session.Everything().size(), 100u);
}

TEST_P(WholeStores, CompactingARangeLosesNothing) {
  if (engine().table().compact_range == nullptr) GTEST_SKIP() << "compacts no range";
  StoreSession session(Open());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(session.Put(Key(i), Noise(100)), LF_OK);
  for (int i = 0; i < 1000; i += 2) ASSERT_EQ(session.Erase(Key(i)), LF_OK);
  const auto compact = engine().table().compact_range;
  const std::string from = Key(100);
  const std::string to = Key(500);
  if (!WorksOrSaysWhyNot(compact(session.store().get(), Bytes(from), Bytes(to)), "compact_range"))
    return;
  EXPECT_EQ(session.Everything().size(), 500u);
  (void)WorksOrSaysWhyNot(compact(session.store().get(), {}, Bytes(to)), "compact_range to");
  (void)WorksOrSaysWhyNot(compact(session.store().get(), Bytes(from), {}), "compact_range from");
  EXPECT_EQ(session.Everything().size(), 500u);
}

TEST_P(WholeStores, ALargerRangeHasMoreBytes) {
  const auto approximate = engine().table().approximate_bytes;
  if (approximate == nullptr) GTEST_SKIP() << "knows no sizes of ranges";
  Store store = Open();
  {
    TestSession session(store);
    for (int i = 0; i < 4000; ++i) {
      ASSERT_EQ(session.Put(Key(i), Noise(100, static_cast<uint64_t>(i))), LF_OK);
    }
  }
  // What is still in a buffer takes no disk, and goes there when the store is closed at the latest.
  if (!WorksOrSaysWhyNot(engine().table().compact(store.get()), "compact") && !Has(LF_VOLATILE)) {
    ASSERT_TRUE(store.Close().ok());
    store = Open();
  }
  bool is_told = true;
  const auto bytes = [&](const std::string& from, const std::string& to) {
    uint64_t counted = 0;
    const lf_bytes begin = from.empty() ? lf_bytes{} : Bytes(from);
    const lf_bytes end = to.empty() ? lf_bytes{} : Bytes(to);
    const lf_code code = approximate(store.get(), begin, end, &counted);
    is_told = WorksOrSaysWhyNot(code, "approximate_bytes from " + from + " to " + to) && is_told;
    return counted;
  };
  const std::string middle = Key(2000);
  const uint64_t all = bytes("", "");
  const uint64_t below = bytes("", middle);
  const uint64_t above = bytes(middle, "");
  const uint64_t none = bytes("z", "");
  if (!is_told) return;  // An engine may know the sizes of some ranges only.
  EXPECT_GT(all, 4000u * 100 / 2) << "4,000 values of 100 bytes that do not compress";
  EXPECT_LT(all, 4000u * 100 * 4);
  EXPECT_GT(below, all / 5);
  EXPECT_GT(above, all / 5);
  EXPECT_LE(below, all);
  EXPECT_LE(above, all);
  EXPECT_LT(none, all / 5) << "no key is there";
}

// The settings that make snapshots possible, where an engine has such an option.
SettingList ForSnapshots(const Engine& engine) {
  for (const lf_option* option = engine.table().options; option->name != nullptr; ++option) {
    if (std::string(option->name) == "multiversion") return {{"multiversion", "1"}};
  }
  return {};
}

TEST_P(WholeStores, ASnapshotReadsWhatWasThereWhenItWasTaken) {
  const lf_engine& table = engine().table();
  if (table.take_snapshot == nullptr) GTEST_SKIP() << "has no snapshots";
  StoreSession session(Open(ForSnapshots(engine())));
  ASSERT_EQ(session.Put("kept", "old"), LF_OK);
  ASSERT_EQ(session.Put("erased", "old"), LF_OK);
  ASSERT_EQ(session.Put("empty", ""), LF_OK);
  lf_snapshot* snapshot = nullptr;
  if (!WorksOrSaysWhyNot(table.take_snapshot(session.get(), &snapshot), "take_snapshot")) return;
  ASSERT_NE(snapshot, nullptr);
  ASSERT_EQ(session.Put("kept", "new"), LF_OK);
  ASSERT_EQ(session.Erase("erased"), LF_OK);
  ASSERT_EQ(session.Put("added", "new"), LF_OK);
  {
    TestSession other(session.store());
    ASSERT_EQ(other.Put("added too", "new"), LF_OK);
  }
  const auto at = [&](std::string_view key) {
    lf_bytes value{"", 0};
    const lf_code code = table.get_at(session.get(), snapshot, Bytes(key), &value);
    return code == LF_OK ? Value(std::string(value.data, value.size))
                         : Answer{.code = code, .key = "", .value = ""};
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(at("kept"), Value("old"));
    EXPECT_EQ(at("erased"), Value("old"));
    EXPECT_EQ(at("empty"), Value(""));
    EXPECT_EQ(at("added"), NotFound());
    EXPECT_EQ(at("added too"), NotFound());
    EXPECT_EQ(session.Get("kept"), Value("new")) << "outside of the snapshot";
    EXPECT_EQ(session.Get("erased"), NotFound());
  }
  table.release_snapshot(session.get(), snapshot);
  EXPECT_EQ(session.Get("kept"), Value("new"));
  EXPECT_EQ(session.Everything().size(), 4u);
}

// Where one store cannot be opened so, the reason is an answer; its files stay as they are anyhow.
TEST_P(WholeStores, AStoreThatIsOpenedReadOnlyIsReadAndKeepsEveryByte) {
  const EngineDescription description = Must(Describe(engine()));
  if (description.Fact("read_only").empty()) GTEST_SKIP() << "opens no store read-only";
  Fill(Open(), 1000);
  const Model before = BytesIn(directory());
  SettingList settings = BaseSettings(WeakestClass());
  settings.emplace_back("read_only", "1");
  auto store = Store::Open(engine(), directory(), settings);
  if (store.ok()) {
    TestSession session(*store);
    EXPECT_EQ(session.Get(Key(3)), Value(Noise(100)));
    EXPECT_EQ(session.Get(Key(1000)), NotFound());
    EXPECT_EQ(session.Seek(LF_AT_OR_AFTER, Key(998)), Entry(Key(998), Noise(100)));
    EXPECT_EQ(session.Everything().size(), 1000u);
    EXPECT_EQ(session.EverythingBackwards().size(), 1000u);
  } else {
    EXPECT_EQ(store.status().kind(), ErrorKind::kUsage) << store.status().message();
    RecordProperty("refused", store.status().message());
  }
  EXPECT_EQ(BytesIn(directory()), before) << "while it is open";
  if (store.ok()) {
    EXPECT_TRUE(store->Close().ok());
  }
  EXPECT_EQ(BytesIn(directory()), before) << "when it is closed";
  // It was no harm to those who write.
  Store again = Open();
  EXPECT_EQ(TestSession(again).Put(Key(0), "more"), LF_OK);
}

TEST_P(WholeStores, StatsAndSstablesAreAnsweredOrRefusedWithAReason) {
  if (engine().table().property == nullptr) GTEST_SKIP() << "has no properties";
  Store store = Open();
  {
    TestSession session(store);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(session.Put(Key(i), Noise(100)), LF_OK);
  }
  (void)WorksOrSaysWhyNot(engine().table().compact(store.get()), "compact");
  for (const char* name : {"stats", "sstables"}) {
    const char* text = nullptr;
    if (!WorksOrSaysWhyNot(engine().table().property(store.get(), name, &text), name)) continue;
    ASSERT_NE(text, nullptr) << name;
    EXPECT_STRNE(text, "") << name;
  }
}

// 4 and 8 bytes in the machine's order, ascending as numbers: not as bytes.
TEST_P(WholeStores, IntegerKeysAreOrderedAsNumbers) {
  if (!Has(LF_INTEGER_KEYS)) GTEST_SKIP() << "takes no integer keys";
  for (const size_t key_bytes : {size_t{4}, size_t{8}}) {
    const TemporaryDirectory own;
    SettingList settings = BaseSettings(WeakestClass());
    Set(settings, "integer_keys", "1");
    const auto key = [&](uint64_t number) {
      return std::string(reinterpret_cast<const char*>(&number), key_bytes);
    };
    for (int round = 0; round < 2; ++round) {  // The second finds it as the first left it.
      auto store = Must(Store::Open(engine(), own.path(), settings));
      TestSession session(store);
      for (const uint64_t number : {70'000u, 1u, 256u, 255u, 2u}) {
        ASSERT_EQ(session.Put(key(number), std::to_string(number)), LF_OK) << Reason();
      }
      std::vector<std::string> order;
      for (Answer answer = session.Seek(LF_FIRST); answer.code == LF_OK; answer = session.Next()) {
        order.push_back(answer.value);
      }
      EXPECT_EQ(order, (std::vector<std::string>{"1", "2", "255", "256", "70000"}));
      EXPECT_EQ(session.Get(key(256)), Value("256"));
      EXPECT_EQ(session.Seek(LF_AT_OR_AFTER, key(3)), Entry(key(255), "255"));
      EXPECT_EQ(session.Seek(LF_AT_OR_BEFORE, key(300)), Entry(key(256), "256"));
      EXPECT_EQ(session.Erase(key(2)), LF_OK);
      EXPECT_EQ(session.Get(key(2)), NotFound());
      for (const std::string& wrong : {std::string("123"), std::string(key_bytes == 4 ? 8 : 4, 'x'),
                                       std::string("0000000000000001")}) {
        EXPECT_EQ(session.Put(wrong, "v"), LF_UNSUPPORTED) << wrong.size() << " bytes";
        EXPECT_FALSE(Reason().empty());
        EXPECT_EQ(session.Get(wrong).code, LF_UNSUPPORTED);
      }
    }
    const auto as_bytes = Store::Open(engine(), own.path(), BaseSettings(WeakestClass()));
    ASSERT_FALSE(as_bytes.ok()) << "a store of integer keys is not one of bytes";
    EXPECT_EQ(as_bytes.status().kind(), ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace levelfield
