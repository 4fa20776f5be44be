// Opening, closing, syncing, compacting, dying: what is kept over each.
#include <fstream>
#include <optional>
#include <string>

#include "conformance.h"
#include "write_until_killed.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(Lifecycle, AnswersConformance);

uint64_t BytesIn(const std::filesystem::path& directory) {
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

TEST_P(Lifecycle, WhatWasWrittenIsThereAfterReopening) {
  if (Has(LF_VOLATILE)) GTEST_SKIP() << "closing loses it, as it says";
  Model model;
  for (int round = 0; round < 4; ++round) {
    Store store = Open();
    {
      TestSession session(store);
      ASSERT_TRUE(session.Everything() == model) << "round " << round;
      for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string((i * 37 + round * 11) % 500);
        if (i % 5 == round) {
          ASSERT_EQ(session.Erase(key), LF_OK);
          model.erase(key);
        } else {
          model[key] = Noise(static_cast<size_t>(i), static_cast<uint64_t>(round));
          ASSERT_EQ(session.Put(key, model[key]), LF_OK);
        }
      }
    }
    Must(store.Close());
  }
}

TEST_P(Lifecycle, AStoreThatWasNeverWrittenToReopensEmpty) {
  for (int round = 0; round < 2; ++round) {
    StoreSession session(Open());
    EXPECT_EQ(session.Everything(), Model());
  }
}

TEST_P(Lifecycle, ASecondLoadOfThePlugInReadsTheSameStore) {
  {
    StoreSession session(Open());
    ASSERT_EQ(session.Put("k", "v"), LF_OK);
  }
  auto store =
      Must(Store::Open(LoadOrThrow(GetParam()), directory(), BaseSettings(WeakestClass())));
  TestSession session(store);
  EXPECT_EQ(session.Get("k"), Has(LF_VOLATILE) ? NotFound() : Value("v"));
}

TEST_P(Lifecycle, TwoStoresInTwoDirectoriesAreApart) {
  const TemporaryDirectory other_directory;
  Store store = Open();
  auto other = Must(Store::Open(engine(), other_directory.path(), BaseSettings(WeakestClass())));
  TestSession session(store);
  TestSession other_session(other);
  ASSERT_EQ(session.Put("k", "here"), LF_OK);
  EXPECT_EQ(other_session.Get("k"), NotFound());
  ASSERT_EQ(other_session.Put("k", "there"), LF_OK);
  EXPECT_EQ(session.Get("k"), Value("here"));
}

// Asked with sessions open and without: an engine may be able to only without.
TEST_P(Lifecycle, SyncAndCompactLoseNothing) {
  Model model;
  {
    Store store = Open();
    std::optional<TestSession> session(std::in_place, store);
    for (int i = 0; i < 300; ++i) {
      const std::string key = std::to_string(i);
      model[key] = Noise(200, static_cast<uint64_t>(i));
      ASSERT_EQ(session->Put(key, model[key]), LF_OK);
      if (i % 3 != 0) continue;
      ASSERT_EQ(session->Erase(key), LF_OK);
      model.erase(key);
    }
    for (const bool is_in_session : {true, false, true}) {
      const std::string when = is_in_session ? " in a session" : " without a session";
      if (!is_in_session) session.reset();
      (void)WorksOrSaysWhyNot(engine().table().sync(store.get()), "sync" + when);
      (void)WorksOrSaysWhyNot(engine().table().compact(store.get()), "compact" + when);
      if (!is_in_session) session.emplace(store);
      EXPECT_TRUE(session->Everything() == model) << when;
      ASSERT_EQ(session->Put("when", when), LF_OK) << "writing goes on";
      model["when"] = when;
    }
  }
  if (Has(LF_VOLATILE)) return;
  StoreSession session(Open());
  EXPECT_TRUE(session.Everything() == model) << "after reopening";
}

TEST_P(Lifecycle, SyncAndCompactOfAnEmptyStoreAreNoError) {
  Store store = Open();
  (void)WorksOrSaysWhyNot(engine().table().compact(store.get()), "compact of an empty store");
  (void)WorksOrSaysWhyNot(engine().table().sync(store.get()), "sync of an empty store");
  TestSession session(store);
  EXPECT_EQ(session.Everything(), Model());
}

TEST_P(Lifecycle, ItsSizeOnDiskIsPlausible) {
  if (engine().table().size_on_disk == nullptr) GTEST_SKIP() << "the harness counts blocks";
  constexpr uint64_t kEntries = 500;
  constexpr uint64_t kValueBytes = 4000;
  StoreSession session(Open());
  for (uint64_t i = 0; i < kEntries; ++i) {
    ASSERT_EQ(session.Put(std::to_string(10000 + i), Noise(kValueBytes, i)), LF_OK);
  }
  (void)engine().table().compact(session.store().get());
  (void)engine().table().sync(session.store().get());
  uint64_t bytes = 0;
  const lf_code code = engine().table().size_on_disk(session.store().get(), &bytes);
  if (!WorksOrSaysWhyNot(code, "size_on_disk")) return;
  // Noise does not compress, and what is allocated is not more than the files are long, but for
  // rounding and for what the engine does between the two looks.
  EXPECT_GE(bytes, kEntries * kValueBytes);
  EXPECT_LE(bytes, 2 * BytesIn(directory()) + (1 << 20));
}

TEST_P(Lifecycle, EveryDurabilityClassWorksOrIsRefusedWithAReason) {
  for (const std::string name : {"none", "process", "synced"}) {
    const lf_durability& row = Durability(name);
    const TemporaryDirectory own;
    auto opened = Store::Open(engine(), own.path(), BaseSettings(name));
    if (row.level == LF_REFUSED) {
      ASSERT_FALSE(opened.ok()) << name << " is refused in the table and opens nevertheless";
      EXPECT_EQ(opened.status().kind(), ErrorKind::kUsage) << opened.status().message();
      EXPECT_FALSE(engine().CheckSettings(BaseSettings(name)).ok()) << name;
      continue;
    }
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    EXPECT_TRUE(engine().CheckSettings(BaseSettings(name)).ok()) << name;
    Model model;
    {
      TestSession session(*opened);
      for (int i = 0; i < 20; ++i) {
        const std::string key = "k" + std::to_string(i);
        model[key] = Noise(100, static_cast<uint64_t>(i));
        ASSERT_EQ(session.Put(key, model[key]), LF_OK) << name;
      }
      ASSERT_EQ(session.Erase("k3"), LF_OK) << name;
      ASSERT_EQ(session.Write({PutEntry("b", "1"), EraseEntry("k4")}), LF_OK) << name;
      model.erase("k3");
      model.erase("k4");
      model["b"] = "1";
      EXPECT_EQ(session.Everything(), model) << name;
    }
    Must(opened->Close());
    if (Has(LF_VOLATILE)) continue;
    auto reopened = Must(Store::Open(engine(), own.path(), BaseSettings(name)));
    TestSession session(reopened);
    EXPECT_EQ(session.Everything(), model) << name;
  }
}

TEST_P(Lifecycle, EveryDurabilityClassStatesALevelOfItsOwn) {
  if (Has(LF_FLOOR)) GTEST_SKIP() << "a floor keeps nothing in any class";
  const lf_level none = Durability("none").level;
  EXPECT_TRUE(none == LF_D0_NONE || none == LF_REFUSED)
      << "`none` is what kill -9 may lose; an engine without such a setting refuses it";
  const lf_level process = Durability("process").level;
  EXPECT_NE(process, LF_D0_NONE) << "`process` survives kill -9";
  const lf_level synced = Durability("synced").level;
  EXPECT_TRUE(synced == LF_D4_SYNCED || synced == LF_REFUSED)
      << "`synced` is D4, every acknowledged commit survives a power cut, and nothing less";
}

TEST_P(Lifecycle, WhatWasAcknowledgedSurvivesKill9) {
  if (Has(LF_VOLATILE)) GTEST_SKIP() << "closing loses it, as it says";
  for (const std::string name : {"process", "synced"}) {
    if (Durability(name).level == LF_REFUSED) continue;
    const TemporaryDirectory own;
    ASSERT_EQ(AcknowledgedWritesUntilKilled(GetParam(), own.path(), name), kWritesUntilKilled)
        << name;
    auto store = Must(Store::Open(engine(), own.path(), BaseSettings(name)));
    Model model;
    for (int n = 1; n <= kWritesUntilKilled; ++n) {
      const auto [key, value] = KilledWrite(n);
      model[key] = value;
      if (KilledWriteIsBatch(n)) model[key + "+"] = value;
    }
    TestSession session(store);
    const Model found = session.Everything();
    EXPECT_TRUE(found == model) << name << ": " << found.size() << " of " << model.size()
                                << " entries are there";
  }
}

TEST_P(Lifecycle, ADirectoryThatIsNoneIsAFailureWithAReason) {
  if (Has(LF_VOLATILE)) GTEST_SKIP() << "uses no directory";
  const auto file = directory() / "file";
  std::ofstream(file) << "not a directory";
  ASSERT_FALSE(Store::Open(engine(), file, BaseSettings(WeakestClass())).ok());
  EXPECT_FALSE(Reason().empty());
}

}  // namespace
}  // namespace levelfield
