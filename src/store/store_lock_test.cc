#include "store/store_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "base/child_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "store/store_directory.h"
#include "store/stores_for_test.h"

namespace levelfield::store_lock_test {

namespace fs = std::filesystem;
using StoreLockTest = TestOfStores;

struct Refusal {
  std::string message;
  double seconds;
};

Refusal TryToUse(const std::string& path) {
  const auto begin = std::chrono::steady_clock::now();
  const auto store = StoreDirectory::Create(path, Fresh());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {store.ok() ? "" : store.status().message(), took.count()};
}

// A child that holds the store until it is killed; it runs `then` once it has the lock.
pid_t Holder(const std::string& path, const std::function<void(StoreDirectory&)>& then) {
  return PausedChild([&] {
    static auto store = StoreDirectory::Create(path, WithSalt(1));
    if (!store.ok()) _exit(1);
    then(*store);
  });
}

TEST_F(StoreLockTest, ASecondRunIsToldThePidOfTheHolderWithinASecond) {
  const pid_t holder = Holder(At("s"), [](StoreDirectory&) {});
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Refusal refusal = TryToUse(At("s"));
    EXPECT_THAT(refusal.message, HasSubstr("process " + std::to_string(holder) + " is using it"));
    EXPECT_LT(refusal.seconds, 1.0);
  }
  const auto reopened = StoreDirectory::Reopen(At("s"));
  EXPECT_THAT(reopened.status().message(), HasSubstr(std::to_string(holder)));
  KillChild(holder);
  EXPECT_EQ(TryToUse(At("s")).message, "") << "the holder is dead";
}

TEST_F(StoreLockTest, TheSameProcessCannotTakeItTwiceEither) {
  const StoreDirectory held = Must(StoreDirectory::Create(At("s"), WithSalt(1)));
  EXPECT_THAT(TryToUse(At("s")).message, HasSubstr(std::to_string(getpid())));
}

TEST_F(StoreLockTest, TheLockLivesOnInAChildOfADeadHolder) {
  int pids[2];
  ASSERT_EQ(pipe2(pids, O_CLOEXEC), 0);
  const pid_t holder = Holder(At("s"), [&pids](StoreDirectory&) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      for (;;) pause();
    }
    if (write(pids[1], &grandchild, sizeof grandchild) != sizeof grandchild) _exit(3);
  });
  pid_t grandchild = 0;
  ASSERT_EQ(read(pids[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  close(pids[0]);
  close(pids[1]);
  KillChild(holder);
  const Refusal refusal = TryToUse(At("s"));
  EXPECT_THAT(refusal.message, HasSubstr("a child of process " + std::to_string(holder)));
  EXPECT_LT(refusal.seconds, 1.0);
  kill(grandchild, SIGKILL);
  // It is not our child, so there is nothing to wait for but the lock itself.
  std::string message = "not tried";
  for (int i = 0; i < 100 && !message.empty(); ++i) message = TryToUse(At("s")).message;
  EXPECT_EQ(message, "");
}

TEST_F(StoreLockTest, AnExecutedChildInheritsTheLockOnlyWhenItIsLetTo) {
  for (const bool inherit : {false, true}) {
    const std::string path = At(inherit ? "inherited" : "kept");
    pid_t child = 0;
    {
      auto store = Must(StoreDirectory::Create(path, WithSalt(1)));
      if (inherit) {
        ASSERT_TRUE(store.LetChildrenInheritLock().ok());
      }
      int executed[2];  // Closed by exec, which shows that exec happened.
      ASSERT_EQ(pipe2(executed, O_CLOEXEC), 0);
      child = fork();
      if (child == 0) {
        execlp("sleep", "sleep", "60", nullptr);
        _exit(1);
      }
      close(executed[1]);
      char byte;
      EXPECT_EQ(read(executed[0], &byte, 1), 0);
      close(executed[0]);
    }
    const std::string message = TryToUse(path).message;
    EXPECT_EQ(message.empty(), !inherit) << message;
    KillChild(child);
    EXPECT_EQ(TryToUse(path).message, "");
  }
}

TEST_F(StoreLockTest, OfManyWhoCreateAtOnceExactlyOneWins) {
  for (int round = 0; round < 20; ++round) {
    const std::string path = At("race" + std::to_string(round));
    int results[2];
    ASSERT_EQ(pipe(results), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        auto store = StoreDirectory::Create(path, Fresh());
        const bool clear = store.ok() ||
                           store.status().message().find("another process") != std::string::npos ||
                           store.status().message().find(" is using it") != std::string::npos;
        const char letter = store.ok() ? 'w' : clear ? 'r' : '?';
        if (write(results[1], &letter, 1) != 1) _exit(1);
        for (;;) pause();
      }
      children.push_back(child);
    }
    std::string letters;
    for (int i = 0; i < 4; ++i) {
      char letter = 0;
      ASSERT_EQ(read(results[0], &letter, 1), 1);
      letters += letter;
    }
    std::sort(letters.begin(), letters.end());
    EXPECT_EQ(letters, "rrrw");
    for (const pid_t child : children) KillChild(child);
    close(results[0]);
    close(results[1]);
  }
}

TEST_F(StoreLockTest, DeletesNothingOnceTheMarkerIsNotItsOwn) {
  using Tamper = std::function<void(const std::string& marker)>;
  struct Case {
    const char* what;
    const char* says;
    Tamper tamper;
  };
  const std::vector<Case> cases = {
      {"removed", "No such file", [](const std::string& m) { fs::remove(m); }},
      {"a symlink to the same bytes", "has become a symlink",
       [this](const std::string& m) {
         fs::rename(m, At("moved"));
         fs::create_symlink(At("moved"), m);
       }},
      {"another file with the same bytes", "replaced by another file",
       [this](const std::string& m) {
         fs::copy_file(m, At("copy"));
         fs::rename(At("copy"), m);
       }},
      {"another id", "carries another id",
       [](const std::string& m) {
         std::string text = Read(m);
         char& digit = text[text.find("\"id\":\"") + 6];
         digit = digit == '0' ? '1' : '0';
         Write(m, text);
       }},
      {"empty", "cannot be read", [](const std::string& m) { Write(m, ""); }},
      {"a directory", "not a regular file",
       [](const std::string& m) {
         fs::remove(m);
         fs::create_directory(m);
       }},
      {"a pipe", "not a regular file",
       [](const std::string& m) {
         fs::remove(m);
         ASSERT_EQ(mkfifo(m.c_str(), 0600), 0);
       }},
  };
  int n = 0;
  for (const auto& [what, says, tamper] : cases) {
    const std::string path = At("s" + std::to_string(n++));
    auto store = Must(StoreDirectory::Create(path, WithSalt(1)));
    Write(store.path() + "/data", "data");
    tamper(path + "/LEVELFIELD");
    const std::string before = TreeOf(path);
    const Status wiped = store.Wipe();
    EXPECT_FALSE(wiped.ok()) << what;
    EXPECT_THAT(wiped.message(), HasSubstr("removes nothing"));
    EXPECT_THAT(wiped.message(), HasSubstr(says)) << what << ": " << wiped.message();
    EXPECT_FALSE(store.Remove().ok()) << what;
    EXPECT_EQ(TreeOf(path), before) << what;
  }
}

TEST_F(StoreLockTest, AMarkerThatIsASymlinkIsRefusedAsThatAndNotForBeingReadOnly) {
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), WithSalt(1)).ok()); }
  ASSERT_EQ(rename(At("s/LEVELFIELD").c_str(), At("s/elsewhere").c_str()), 0);
  ASSERT_EQ(symlink("elsewhere", At("s/LEVELFIELD").c_str()), 0);
  const StatusOr<UniqueFd> lock = LockStore(Must(StorePath::Resolve(At("s"))));
  ASSERT_FALSE(lock.ok());
  EXPECT_THAT(lock.status().message(), HasSubstr("it is a symlink"));
  EXPECT_THAT(lock.status().message(), HasSubstr("remove it by hand"));
}

TEST_F(StoreLockTest, AStoreOfAnotherUserIsNeitherOpenedNorEmptied) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  { ASSERT_TRUE(StoreDirectory::Create(At("s"), WithSalt(1)).ok()); }
  ASSERT_EQ(chown(At("s/LEVELFIELD").c_str(), 65534, 65534), 0);
  const std::string before = TreeOf(At("s"));
  for (const auto& store :
       {StoreDirectory::Create(At("s"), Fresh()), StoreDirectory::Reopen(At("s"))}) {
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.status().message(), HasSubstr("uid 65534"));
  }
  EXPECT_EQ(TreeOf(At("s")), before);
}

}  // namespace levelfield::store_lock_test
