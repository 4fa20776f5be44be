#include "probe/calls/call_tracer.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <thread>

#include "base/child_for_test.h"
#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/unique_fd.h"
#include "probe/calls/ring_for_test.h"

namespace levelfield::call_tracer_test {

constexpr int kUncounted = -1;

// In a traced process: how many durable calls were counted during `act`; kUncounted if there may
// have been more.
int CountOf(const std::function<void()>& act) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    GoOnTraced();
    const TracedCalls before = TracedCallsSoFar();
    act();
    const TracedCalls after = TracedCallsSoFar();
    const int count = before.durable && after.durable && after.uncounted.empty()
                          ? static_cast<int>(*after.durable - *before.durable)
                          : kUncounted;
    (void)!write(ends[1], &count, sizeof(count));
    _exit(0);
  }
  close(ends[1]);
  int count = -2;
  (void)!read(ends[0], &count, sizeof(count));
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return count;
}

class TracedCallsOf : public testing::Test {
 protected:
  int Open(int flags = 0) const {
    return open((directory_.path() + "/file").c_str(), O_RDWR | O_CREAT | flags, 0600);
  }
  static void InAChild(const std::function<void()>& act) {
    (void)InChild([&act] {
      act();
      return 0;
    });
  }

  TemporaryDirectory directory_;
};

TEST_F(TracedCallsOf, EveryThreadAndEveryChildAreCounted) {
  const int file = Open();
  EXPECT_EQ(CountOf([&] {
              fdatasync(file);
              std::thread([&] { fsync(file); }).join();
              InAChild([&] {
                syncfs(file);
                InAChild([&] { std::thread([&] { fdatasync(file); }).join(); });
              });
            }),
            4);
  close(file);
}

TEST_F(TracedCallsOf, AProgramThatAChildBecomesAreCounted) {
  EXPECT_EQ(CountOf([&] {
              InAChild([&] {
                // A thread other than the first, which thereby gets the first one's number.
                std::thread([] { execl("/bin/sync", "sync", nullptr); }).join();
              });
            }),
            1);
}

TEST_F(TracedCallsOf, WhatMakesNothingDurableAreNotCounted) {
  const int file = Open();
  EXPECT_EQ(ftruncate(file, 4096), 0);
  void* const map = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  EXPECT_EQ(CountOf([&] { msync(map, 4096, MS_SYNC); }), 1);
  EXPECT_EQ(CountOf([&] { msync(map, 4096, MS_ASYNC); }), 0);
  EXPECT_EQ(CountOf([&] { sync_file_range(file, 0, 4096, SYNC_FILE_RANGE_WRITE); }), 0);
  EXPECT_EQ(CountOf([&] { fsync(-1); }), 0) << "it has failed";
  EXPECT_EQ(CountOf([&] { (void)!write(file, "x", 1); }), 0);
  munmap(map, 4096);
  close(file);
}

TEST_F(TracedCallsOf, WritesThatAreSyncedAreCountedWhoeverHasOpenedTheFile) {
  const int synced = Open(O_DSYNC);
  const int plain = Open();
  iovec part{const_cast<char*>("x"), 1};
  EXPECT_EQ(CountOf([&] {
              (void)!write(synced, "x", 1);
              (void)!pwrite(dup(synced), "x", 1, 0);
              InAChild([&] { (void)!writev(synced, &part, 1); });
              pwritev2(plain, &part, 1, 0, RWF_DSYNC);
            }),
            4);
  EXPECT_EQ(CountOf([&] { pwritev2(plain, &part, 1, 0, 0); }), 0);
  close(synced);
  close(plain);
}

// How many of the bytes that were written during `act` were kept.
int KeptOf(const std::function<void()>& act) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    GoOnTraced();
    (void)TracedCallsSoFar();
    act();
    const auto kept = static_cast<int>(TracedCallsSoFar().written.kept_bytes);
    (void)!write(ends[1], &kept, sizeof(kept));
    _exit(0);
  }
  close(ends[1]);
  int kept = -2;
  (void)!read(ends[0], &kept, sizeof(kept));
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return kept;
}

TEST_F(TracedCallsOf, ASyncOfTheSameFileKeepWhatWasWrittenBefore) {
  const int file = Open();
  const int same = Open();
  const int synced = Open(O_DSYNC);
  const int another = open((directory_.path() + "/another").c_str(), O_RDWR | O_CREAT, 0600);
  const std::string renamed = directory_.path() + "/renamed";
  EXPECT_EQ(KeptOf([&] {
              (void)!write(file, "four", 4);
              std::thread([&] { fdatasync(same); }).join();
            }),
            4);
  EXPECT_EQ(KeptOf([&] {
              (void)!write(file, "four", 4);
              fsync(dup(file));
              (void)!pwrite(synced, "four", 4, 0);
            }),
            8);
  EXPECT_EQ(KeptOf([&] {
              (void)!write(file, "four", 4);
              rename((directory_.path() + "/file").c_str(), renamed.c_str());
              InAChild([&] { syncfs(another); });
            }),
            4);
  EXPECT_EQ(KeptOf([&] {
              fsync(file);
              (void)!write(file, "four", 4);
              fsync(another);
              fsync(-1);
            }),
            0);
  for (const int fd : {file, same, synced, another}) close(fd);
}

class TracedRings : public TracedCallsOf {
 protected:
  TracedRings() {
    if (!RingForTest::Exists()) return;
    synced_ = Open(O_DSYNC);
    plain_ = Open();
  }
  void SetUp() override {
    if (plain_ < 0) GTEST_SKIP() << "this kernel has no io_uring, or does not let us have one";
  }
  ~TracedRings() override {
    close(synced_);
    close(plain_);
  }

  int synced_ = -1;
  int plain_ = -1;
};

TEST_F(TracedRings, SyncsAndSyncedWritesThatEndWellAreCounted) {
  for (const unsigned flags : {0u, unsigned{IORING_SETUP_SQPOLL}}) {
    EXPECT_EQ(CountOf([&] {
                RingForTest ring(flags);
                ring.Sync(plain_);
                ring.Write(synced_, 0);
                ring.Write(plain_, RWF_DSYNC);
              }),
              3);
    EXPECT_EQ(CountOf([&] {
                RingForTest ring(flags);
                ring.Write(plain_, 0);
                ring.Sync(-1);
                ring.Write(-1, RWF_DSYNC);
              }),
              0);
  }
}

TEST_F(TracedRings, SyncsKeepWhatWasWrittenBefore) {
  EXPECT_EQ(KeptOf([&] {
              RingForTest ring;
              ring.Write(plain_, 0);
              ring.Sync(plain_);
            }),
            1);
  EXPECT_EQ(KeptOf([&] {
              RingForTest ring;
              ring.Sync(plain_);
              ring.Write(plain_, 0);
            }),
            0);
}

TEST_F(TracedRings, MoreSyncsThanARingHasEntriesAreCounted) {
  EXPECT_EQ(CountOf([&] {
              RingForTest ring;
              for (int i = 0; i < 100; ++i) ring.Sync(plain_);
            }),
            100);
}

TEST_F(TracedRings, TellOfSyncsThatCannotBeSeen) {
  // A polled ring is never entered, so more passes through it than its memory holds.
  EXPECT_EQ(CountOf([&] {
              RingForTest ring(IORING_SETUP_SQPOLL);
              for (unsigned i = 0; i < 20 * RingForTest::kEntries; ++i) ring.Sync(plain_);
            }),
            kUncounted);
  EXPECT_EQ(CountOf([&] {
              RingForTest ring;
              ring.Write(plain_, 0);
              std::thread([&] { ring.Sync(plain_, IOSQE_CQE_SKIP_SUCCESS); }).detach();
              usleep(20'000);
            }),
            kUncounted);
}

// Listens at an address that the kernel chooses.
int Listen(sa_family_t family) {
  sockaddr_storage address{};
  address.ss_family = family;
  const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const socklen_t size = family == AF_UNIX ? sizeof(sa_family_t) : sizeof(sockaddr_in);
  EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(listen(fd, 4), 0);
  return fd;
}
void ConnectTo(int listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size);
  const int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) _exit(1);
  close(fd);
}

TEST_F(TracedCallsOf, AServerThatWasThereBeforeAreMissedAndToldOf) {
  for (const sa_family_t family : {sa_family_t{AF_UNIX}, sa_family_t{AF_INET}}) {
    const int file = Open();
    EXPECT_EQ(CountOf([&] {
                const int own = Listen(family);
                InAChild([&] { ConnectTo(own); });
                fsync(file);
              }),
              1);
    const int strange = Listen(family);
    EXPECT_EQ(CountOf([&] {
                ConnectTo(strange);
                fsync(file);
              }),
              kUncounted);
    close(strange);
    close(file);
  }
}

TEST(CallTracer, EndsAsItsProcessEnds) {
  EXPECT_EXIT(
      {
        GoOnTraced();
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        GoOnTraced();
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

TEST(CallTracer, LetsSignalsThrough) {
  EXPECT_EXIT(
      {
        GoOnTraced();
        static volatile sig_atomic_t caught = 0;
        signal(SIGUSR1, [](int) { caught = caught + 1; });
        raise(SIGUSR1);
        const pid_t child = fork();
        if (child == 0) {
          raise(SIGSTOP);  // A stopped job stays stopped until it is continued.
          _exit(0);
        }
        int status = 0;
        const bool has_stopped = waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status);
        kill(child, SIGCONT);
        const bool has_ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
        _exit(caught == 1 && has_stopped && has_ended ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// A server in its own session, out of reach of a signal to the group.
TEST(CallTracer, TakesWithItWhomItsProcessLeavesBehind) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    GoOnTraced();
    if (fork() == 0) {
      setsid();
      while (true) pause();
    }
    _exit(0);
  }
  close(ends[1]);
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "the last one who had the pipe is gone";
  close(ends[0]);
}

TEST(CallTracer, SaysWhyWhereNobodyTraces) {
  const TracedCalls calls = TracedCallsSoFar();
  EXPECT_FALSE(calls.durable.has_value());
  EXPECT_THAT(calls.uncounted, HasSubstr("not traced"));
}

TEST(CallTracer, SaysThatADebuggerHasTheProcessAlready) {
  EXPECT_EXIT(
      {
        GoOnTraced();  // A traced process cannot get a second tracer.
        GoOnTraced();
        const std::string why = TracedCallsSoFar().uncounted;
        _exit(why.find("a debugger or strace has it already") != std::string::npos ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace levelfield::call_tracer_test
