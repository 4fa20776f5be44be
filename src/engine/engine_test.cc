#include "engine/engine.h"

#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::engine_test {

// Counts what begins and ends, and fails as told.
struct Counts {
  int open_stores = 0;
  int open_sessions = 0;
  lf_code next_code = LF_OK;
} counts;

Engine CountingEngine() {
  counts = {};
  lf_engine table{};
  table.last_error = [] { return "the disk\nis gone"; };
  table.open = [](const char* directory, const lf_setting*, size_t, lf_store** store) {
    if (counts.next_code != LF_OK || directory == nullptr) return counts.next_code;
    ++counts.open_stores;
    *store = reinterpret_cast<lf_store*>(&counts);
    return LF_OK;
  };
  table.close = [](lf_store*) {
    --counts.open_stores;
    return counts.next_code;
  };
  table.begin_session = [](lf_store*, lf_session** session) {
    ++counts.open_sessions;
    *session = reinterpret_cast<lf_session*>(&counts);
    return LF_OK;
  };
  table.end_session = [](lf_session*) { --counts.open_sessions; };
  table.sync = [](lf_store*) { return counts.next_code; };
  table.compact = [](lf_store*) { return counts.next_code; };
  return Engine({.name = "counting", .which = "2", .is_path = false, .text = "counting@2"}, "/p",
                table);
}

TEST(Engine, AFailureSaysWhichEngineDidWhatAndWhy) {
  const Engine engine = CountingEngine();
  counts.next_code = LF_FAILED;
  const auto store = Store::Open(engine, "/tmp", {});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.status().kind(), ErrorKind::kFailed);
  EXPECT_EQ(store.status().message(), "counting@2: open: the disk?is gone");
}

TEST(Engine, WhatItCannotDoIsAMistakeOfTheOneWhoAsked) {
  const Engine engine = CountingEngine();
  counts.next_code = LF_UNSUPPORTED;
  EXPECT_EQ(engine.CheckSettings({}).kind(), ErrorKind::kUsage);
  EXPECT_EQ(counts.open_stores, 0);
}

TEST(Engine, ACodeThatIsNoneIsAFailure) {
  const Engine engine = CountingEngine();
  EXPECT_TRUE(engine.StatusOf(LF_NOT_FOUND, "get").ok());
  EXPECT_EQ(engine.StatusOf(LF_FAILED, "get").kind(), ErrorKind::kFailed);

  // A plug-in in C may return an int that is no lf_code.
  lf_code (*seven)(lf_store*) = nullptr;
  unsigned (*returns_seven)(lf_store*) = [](lf_store*) { return 7u; };
  static_assert(sizeof(seven) == sizeof(returns_seven));
  std::memcpy(&seven, &returns_seven, sizeof(seven));
  EXPECT_EQ(engine.StatusOf(seven(nullptr), "sync").message(),
            "counting@2: sync: returned code 7, which is none");
}

TEST(Store, AnOpenWithoutAStoreIsAFailureNotACrash) {
  Engine engine = CountingEngine();
  lf_engine table = engine.table();
  table.open = [](const char*, const lf_setting*, size_t, lf_store**) { return LF_OK; };
  const auto store = Store::Open(Engine(engine.spec(), "/p", table), "/tmp", {});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.status().kind(), ErrorKind::kFailed);
}

// This process, and one that cannot be: neither works for the store beside this one.
TEST(Store, WhoTellsProcessesThatAreNoneIsNotOpened) {
  for (const int64_t told : {int64_t{0}, int64_t{-1}, int64_t{1} << 30}) {
    static int64_t process = 0;
    process = told == 0 ? getpid() : told;
    const Engine engine = CountingEngine();
    lf_engine table = engine.table();
    table.processes = [](lf_store*, void* context, void (*sink)(void*, int64_t)) {
      sink(context, process);
    };
    const auto store = Store::Open(Engine(engine.spec(), "/p", table), "/tmp", {});
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.status().message().find("which is no other process"), std::string::npos);
    EXPECT_EQ(counts.open_stores, 0);
  }
}

TEST(Store, EndsWhatItBeganExactlyOnceWhateverIsMoved) {
  const Engine engine = CountingEngine();
  {
    auto opened = Must(Store::Open(engine, "/tmp", {}));
    Store store = std::move(opened);
    Store other = std::move(store);
    auto begun = Must(other.BeginSession());
    Session session = std::move(begun);
    EXPECT_EQ(counts.open_stores, 1);
    EXPECT_EQ(counts.open_sessions, 1);
    auto second = other.BeginSession();
    session = std::move(*second);
    EXPECT_EQ(counts.open_sessions, 1);
  }
  EXPECT_EQ(counts.open_stores, 0);
  EXPECT_EQ(counts.open_sessions, 0);
}

TEST(Engine, WhatAnEngineMayLackIsAMistakeOfTheOneWhoAsksForIt) {
  const Engine engine = CountingEngine();
  EXPECT_EQ(engine.Recognizes("/x").status().kind(), ErrorKind::kUsage);
  EXPECT_EQ(engine.Repair("/x", {}).kind(), ErrorKind::kUsage);
  EXPECT_EQ(engine.Destroy("/x").message(),
            "counting@2: destroy: this engine offers no such thing");
  auto store = Must(Store::Open(engine, "/tmp", {}));
  EXPECT_EQ(store.Property("stats").status().message(),
            "counting@2: property stats: this engine offers no such thing");
  EXPECT_EQ(store.CompactRange({}, {}).kind(), ErrorKind::kUsage);
  EXPECT_EQ(store.ApproximateBytes({}, {}).status().kind(), ErrorKind::kUsage);
}

TEST(Store, AnEndOfARangeIsOpenOrAKeyEvenAnEmptyOne) {
  static std::vector<std::string> asked;
  lf_engine table = CountingEngine().table();
  table.compact_range = [](lf_store*, lf_bytes from, lf_bytes to) {
    for (const lf_bytes end : {from, to}) {
      asked.push_back(end.data == nullptr ? "open" : "'" + std::string(end.data, end.size) + "'");
    }
    return LF_OK;
  };
  const Engine engine({.name = "ranging", .which = "", .is_path = false, .text = "ranging"}, "/p",
                      table);
  auto store = Must(Store::Open(engine, "/tmp", {}));
  EXPECT_TRUE(store.CompactRange({}, "b").ok());
  EXPECT_TRUE(store.CompactRange(std::string_view(), {}).ok());
  EXPECT_EQ(asked, (std::vector<std::string>{"open", "'b'", "''", "open"}));
}

TEST(Store, SyncCompactAndCloseTellOfFailure) {
  const Engine engine = CountingEngine();
  auto store = Must(Store::Open(engine, "/tmp", {}));
  EXPECT_TRUE(store.Sync().ok());
  counts.next_code = LF_FAILED;
  EXPECT_EQ(store.Sync().message(), "counting@2: sync: the disk?is gone");
  EXPECT_EQ(store.Compact().message(), "counting@2: compact: the disk?is gone");
  EXPECT_EQ(store.Close().message(), "counting@2: close: the disk?is gone");
  EXPECT_EQ(counts.open_stores, 0);
}

// One that opens whatever it is asked for with pages of 512.
Engine EngineOfSmallPages() {
  lf_engine table = CountingEngine().table();
  table.in_force = [](lf_store*, void* context, void (*sink)(void*, const char*, const char*)) {
    sink(context, "pages", "512");
  };
  return Engine({.name = "small", .which = "", .is_path = false, .text = "small"}, "/p", table);
}

TEST(Store, ThatHasSomethingElseInForceThanWasAskedForIsClosedAndRefused) {
  const Engine engine = EngineOfSmallPages();
  EXPECT_EQ(UsageErrorOf(Store::Open(engine, "/tmp", {{"pages", "4096"}})),
            "small: open: pages=4096 was asked for, and 512 is in force: leave the option out, or "
            "ask for what is in force");
  EXPECT_EQ(counts.open_stores, 0);
}

TEST(Store, TellsWhatIsInForceAndWhichDefaultsAreNot) {
  const auto store = Must(
      Store::Open(EngineOfSmallPages(), "/tmp", {{"pages", "4096"}, {"defaults", "log,pages"}}));
  EXPECT_THAT(store.InForce(), ElementsAre(Pair("pages", "512")));
  EXPECT_THAT(store.Overridden(), ElementsAre(OverriddenDefault{"pages", "512", "", "4096"}));
}

TEST(Engine, IsNotGivenHintsThatAreNewerThanIt) {
  static std::vector<std::string> given;
  lf_engine table = CountingEngine().table();
  table.open = [](const char*, const lf_setting* settings, size_t count, lf_store**) {
    given.clear();
    for (size_t i = 0; i < count; ++i) given.emplace_back(settings[i].name);
    return LF_FAILED;
  };
  const SettingList settings = {{"defaults", "pages"}, {"pages", "1"}, {"expected_sessions", "1"}};
  const auto open = [&] {
    const Engine engine({.name = "a", .which = "", .is_path = false, .text = "a"}, "/p", table);
    EXPECT_FALSE(engine.CheckSettings(settings).ok());
    EXPECT_FALSE(Store::Open(engine, "/tmp", settings).ok());
    return given;
  };
  EXPECT_THAT(open(), ElementsAre("pages"));
  using Sink = void (*)(void*, const char*, const char*, const char*);
  table.overridden = [](lf_store*, void*, Sink) {};
  EXPECT_THAT(open(), ElementsAre("defaults", "pages"));
}

TEST(EngineSpec, ReadsNameVersionAndPath) {
  const EngineSpec specs[] = {
      {"rocksdb", "", false, "rocksdb"},
      {"rocksdb", "7.8.3", false, "rocksdb@7.8.3"},
      {"rocksdb", "/opt/a@b:c/librocksdb.so", true, "rocksdb:/opt/a@b:c/librocksdb.so"},
      {"a", "/x\n\xff\x1b.so", true, "a:/x\n\xff\x1b.so"}};
  for (const EngineSpec& spec : specs) {
    const EngineSpec read = Must(ParseEngineSpec(spec.text));
    EXPECT_EQ(read.name, spec.name);
    EXPECT_EQ(read.which, spec.which);
    EXPECT_EQ(read.is_path, spec.is_path);
    EXPECT_EQ(read.text, spec.text);
  }
}

TEST(EngineSpec, RefusesWhatIsNoEngineAndSaysWhatIs) {
  for (const std::string& text : std::vector<std::string>{
           "", "@1", ":/x", "RocksDB", "rocks-db", "../x", "a b", "rocksdb@",
           "rocksdb:", "rocksdb@../../etc/x", "rocksdb@.hidden", "rocksdb@a/b", "rocksdb@1@2",
           std::string("a\0b", 3), std::string("a@1\0", 4), std::string("a:/x\0y", 6),
           std::string(65, 'a'), "a@" + std::string(65, '1'), "a:" + std::string(4096, '/')}) {
    const auto spec = ParseEngineSpec(text);
    ASSERT_FALSE(spec.ok()) << text;
    EXPECT_EQ(spec.status().kind(), ErrorKind::kUsage);
    EXPECT_THAT(spec.status().message(), HasSubstr("name@version"));
    EXPECT_LT(spec.status().message().size(), 300u);
  }
}

}  // namespace levelfield::engine_test
