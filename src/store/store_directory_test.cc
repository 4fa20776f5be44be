#include "store/store_directory.h"

#include <filesystem>
#include <iterator>
#include <string>

#include "base/files_for_test.h"
#include "base/kill_at_syscall_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "store/stores_for_test.h"

namespace levelfield::store_directory_test {

namespace fs = std::filesystem;
using StoreDirectoryTest = TestOfStores;

TEST_F(StoreDirectoryTest, ReopensWithTheSaltAndTheStateItWasLeftIn) {
  const uint64_t salt = 0xfedcba9876543210;
  std::string id;
  {
    auto store = Must(StoreDirectory::Create(At("s"), WithSalt(salt)));
    EXPECT_EQ(store.state(), StoreState::kDirty);
    id = store.id();
    Write(store.path() + "/data", "data");
    ASSERT_TRUE(store.MarkDirty().ok());
  }
  {
    auto store = Must(StoreDirectory::Reopen(At("s")));
    EXPECT_EQ(store.salt(), salt);
    EXPECT_EQ(store.id(), id);
    EXPECT_EQ(store.state(), StoreState::kDirty);
    EXPECT_EQ(Read(store.path() + "/data"), "data");
    ASSERT_TRUE(store.MarkClean().ok());
  }
  EXPECT_THAT(ErrorOf(StoreDirectory::Create(At("s"), WithSalt(1))),
              HasSubstr("--use_existing_db"));
  auto store = Must(StoreDirectory::Create(At("s"), Fresh()));
  EXPECT_EQ(store.salt(), 7u);
  EXPECT_NE(store.id(), id);
  EXPECT_TRUE(fs::is_empty(store.path()));
}

TEST_F(StoreDirectoryTest, ATaintedStoreIsKeptUntilItIsEmptied) {
  {
    auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
    Write(store.path() + "/evidence", "e");
    ASSERT_TRUE(store.MarkTainted().ok());
  }
  EXPECT_THAT(UsageErrorOf(StoreDirectory::Reopen(At("s"))), HasSubstr("tainted"));
  EXPECT_EQ(Read(At("s/db/evidence")), "e");
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), Fresh()).ok()); }
  auto store = Must(StoreDirectory::Reopen(At("s")));
  EXPECT_EQ(store.state(), StoreState::kDirty);
}

TEST_F(StoreDirectoryTest, IsDirtyFromItsFirstByteUntilItIsSaidToBeClean) {
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  EXPECT_EQ(MarkerAt("s")->state, StoreState::kDirty);
  ASSERT_TRUE(store.Wipe().ok());
  EXPECT_EQ(MarkerAt("s")->state, StoreState::kDirty) << "it is wiped to be filled";
  ASSERT_TRUE(store.MarkClean().ok());
  EXPECT_EQ(MarkerAt("s")->state, StoreState::kClean);
  ASSERT_TRUE(store.Wipe().ok());
  EXPECT_EQ(MarkerAt("s")->state, StoreState::kDirty);
}

TEST_F(StoreDirectoryTest, ThatWasLeftDirtyIsKnownAsCutOffForGood) {
  StoreContent content{.engine = "leveldb", .keys = KeyShape(16, KeyKind::kDecimal, 0)};
  content.entries = 7;
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), {.salt = 1, .content = content}).ok()); }
  {
    auto store = Must(StoreDirectory::Reopen(At("s")));
    EXPECT_TRUE(store.content().cut_off);
    EXPECT_EQ(store.content().entries, 0u) << "how many it has to have is not known any more";
    ASSERT_TRUE(store.MarkClean().ok());
  }
  auto again = Must(StoreDirectory::Reopen(At("s")));
  EXPECT_EQ(again.state(), StoreState::kClean);
  EXPECT_TRUE(again.content().cut_off) << "what it has lost does not come back";
}

TEST_F(StoreDirectoryTest, ThatWasClosedInGoodOrderIsNotCutOff) {
  StoreContent content{.engine = "leveldb", .keys = KeyShape(16, KeyKind::kDecimal, 0)};
  content.entries = 7;
  {
    auto store = StoreDirectory::Create(At("s"), {.salt = 1, .content = content});
    ASSERT_TRUE(store.ok() && store->MarkClean().ok());
  }
  const auto store = Must(StoreDirectory::Reopen(At("s")));
  EXPECT_FALSE(store.content().cut_off);
  EXPECT_EQ(store.content().entries, 7u);
}

// As benchmark_compare.sh does: find $dbdir -type f -exec rm {} \;
TEST_F(StoreDirectoryTest, WhatOthersHaveEmptiedOfAllFilesIsUsableAgain) {
  {
    auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
    Write(store.path() + "/LOG", "log");
    fs::create_directories(store.path() + "/archive/below");
    ASSERT_TRUE(store.Link({"LOG*"}).ok());
  }
  EXPECT_EQ(Read(At("s/LOG")), "log");
  fs::remove(At("s/db/LOG"));
  fs::remove(At("s/LEVELFIELD"));
  EXPECT_TRUE(StoreDirectory::Check(At("s")).ok());
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(2)));
  EXPECT_EQ(store.salt(), 2u);
  EXPECT_TRUE(fs::is_empty(store.path()));
  EXPECT_FALSE(fs::is_symlink(At("s/LOG")));
}

TEST_F(StoreDirectoryTest, WithAFileOrALinkOfSomebodyElsesItIsNotEmptied) {
  fs::create_directories(At("file/db/below"));
  Write(At("file/db/below/photo"), "cat");
  EXPECT_FALSE(StoreDirectory::Create(At("file"), WithSalt(1)).ok());
  EXPECT_EQ(Read(At("file/db/below/photo")), "cat");
  EXPECT_FALSE(fs::exists(At("file/LEVELFIELD")));
  fs::create_directories(At("link/db"));
  fs::create_symlink("/somewhere", At("link/LOG"));
  EXPECT_FALSE(StoreDirectory::Create(At("link"), WithSalt(1)).ok());
  EXPECT_TRUE(fs::is_symlink(At("link/LOG")));
  fs::create_directories(At("other/mine"));
  EXPECT_FALSE(StoreDirectory::Create(At("other"), WithSalt(1)).ok());
}

TEST_F(StoreDirectoryTest, LinksLeadToFilesOfTheDatabaseAndGoWithIt) {
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  for (const char* const name : {"LOG", "LOG.old.1", "OPTIONS-7", "CURRENT"}) {
    Write(store.path() + "/" + name, name);
  }
  Write(At("s/LOG.old.1"), "mine");
  ASSERT_TRUE(store.Link({"LOG*", "OPTIONS-*"}).ok());
  EXPECT_EQ(Read(At("s/LOG")), "LOG");
  EXPECT_EQ(Read(At("s/OPTIONS-7")), "OPTIONS-7");
  EXPECT_EQ(Read(At("s/LOG.old.1")), "mine");
  EXPECT_FALSE(fs::exists(At("s/CURRENT")));
  // The next one in place of it.
  fs::rename(store.path() + "/OPTIONS-7", store.path() + "/OPTIONS-8");
  ASSERT_TRUE(store.Link({"OPTIONS-*"}).ok());
  EXPECT_FALSE(fs::is_symlink(At("s/OPTIONS-7")));
  EXPECT_TRUE(fs::exists(At("s/OPTIONS-8")));
  fs::remove(At("s/LOG.old.1"));
  ASSERT_TRUE(store.Remove().ok());
  EXPECT_FALSE(fs::exists(At("s")));
}

TEST_F(StoreDirectoryTest, WipeRefusesADatabaseThatBecameASymlink) {
  Write(At("photos/cat"), "cat");
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  fs::remove(store.path());
  fs::create_symlink(At("photos"), store.path());
  EXPECT_FALSE(store.Wipe().ok());
  EXPECT_FALSE(store.Remove().ok());
  EXPECT_EQ(Read(At("photos/cat")), "cat");
}

TEST_F(StoreDirectoryTest, RemoveKeepsWhatSomebodyElsePutBesideTheDatabase) {
  auto store = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  Write(store.path() + "/data", "data");
  Write(At("s/notes.txt"), "mine");
  EXPECT_THAT(ErrorOf(store.Remove()), HasSubstr("notes.txt"));
  EXPECT_EQ(Read(At("s/notes.txt")), "mine");
  EXPECT_FALSE(fs::exists(At("s/db")));
}

TEST_F(StoreDirectoryTest, RemoveKeepsADirectoryThatItDidNotMake) {
  fs::create_directory(At("given"));
  auto store = Must(StoreDirectory::Create(At("given"), WithSalt(1)));
  ASSERT_TRUE(store.Remove().ok());
  EXPECT_TRUE(fs::is_directory(At("given")));
  EXPECT_TRUE(fs::is_empty(At("given")));
}

TEST_F(StoreDirectoryTest, AKillAnywhereInCreateLeavesSomethingTheNextCreateHandles) {
  Write(At("neighbour"), "n");
  int accepted = 0;
  int refused = 0;
  for (int stop = 1;; ++stop) {
    const KillResult result = KillAtSyscallStop(stop, [this] {
      auto store = StoreDirectory::Create(At("p/s"), WithSalt(1));
      _exit(store.ok() ? 0 : 1);
    });
    if (result == KillResult::kNoPtrace) GTEST_SKIP() << "this machine allows no ptrace";
    ASSERT_NE(result, KillResult::kCrashed);
    {
      const auto next = StoreDirectory::Create(At("p/s"), WithSalt(2));
      ++(next.ok() ? accepted : refused);
      if (!next.ok()) {
        EXPECT_EQ(next.status().kind(), ErrorKind::kUsage);
        EXPECT_THAT(next.status().message(), HasSubstr("there is a store in it already"));
      }
    }
    auto fresh = StoreDirectory::Create(At("p/s"), Fresh());
    ASSERT_TRUE(fresh.ok()) << "stop " << stop << ": " << fresh.status().message();
    ASSERT_TRUE(fresh->Remove().ok());
    ASSERT_EQ(Read(At("neighbour")), "n");
    fs::remove_all(At("p"));
    if (result == KillResult::kRanToItsEnd) break;
  }
  EXPECT_GT(accepted, 20);
  EXPECT_GT(refused, 5);
}

TEST_F(StoreDirectoryTest, AKillAnywhereInWipeNeverLeavesAHalfWipedStoreThatOpens) {
  constexpr int kFiles = 3;
  int whole = 0;
  int tainted = 0;
  int empty = 0;
  for (int stop = 1;; ++stop) {
    {
      auto store = Must(StoreDirectory::Create(At("s"), Fresh()));
      for (int i = 0; i < kFiles; ++i) Write(store.path() + "/" + std::to_string(i), "x");
    }
    const KillResult result = KillAtSyscallStop(stop, [this] {
      auto store = StoreDirectory::Reopen(At("s"));
      _exit(store.ok() && store->Wipe().ok() ? 0 : 1);
    });
    if (result == KillResult::kNoPtrace) GTEST_SKIP() << "this machine allows no ptrace";
    ASSERT_NE(result, KillResult::kCrashed);
    const auto store = StoreDirectory::Reopen(At("s"));
    if (store.ok()) {
      const auto left = std::distance(fs::directory_iterator(store->path()), {});
      ASSERT_TRUE(left == 0 || left == kFiles) << left << " files at stop " << stop;
      ++(left == 0 ? empty : whole);
    } else {
      ASSERT_NE(store.status().message().find("tainted"), std::string::npos)
          << store.status().message();
      ++tainted;
    }
    if (result == KillResult::kRanToItsEnd) break;
  }
  EXPECT_GT(whole, 5);
  EXPECT_GT(tainted, 10);
  EXPECT_GT(empty, 0);
}

}  // namespace levelfield::store_directory_test
