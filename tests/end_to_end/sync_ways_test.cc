// That a sync is seen by whomever and however it is made, and that where none can be seen the word
// is "not seen", with the reason: "not durable" is said of those alone that make none.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <thread>

#include "analysis/durability.h"
#include "base/unique_fd.h"
#include "end_to_end.h"
#include "probe/calls/ring_for_test.h"

namespace levelfield {
namespace {

class SyncWays : public EndToEnd {
 protected:
  SyncWays() { options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_SYNCING_ENGINE_DIRECTORY; }

  void SetUp() override {
    struct statfs here {};
    if (statfs(path().c_str(), &here) == 0 && here.f_type == TMPFS_MAGIC) {
      GTEST_SKIP() << "the tests' directory is in memory, where such a class is refused";
    }
  }

  PhaseResult Fill(const std::string& way, const std::vector<std::string>& further = {}) {
    std::vector<std::string> words = {"run",      "--engine=syncing@" + way, "--durability=synced",
                                      "--num=60", "--benchmarks=fillseq",    "--price=0"};
    words.insert(words.end(), further.begin(), further.end());
    ending_ = Run(words);
    const Result result = ReadResult();
    fs::remove_all(path() + "/results");
    return PhaseOf(result.runs.front(), "fillseq");
  }

  // The system calls of the program are answered by a filter around it.
  void AnswerCalls(const std::string& answer, const std::string& calls) {
    options_.shell =
        "exec " LEVELFIELD_WITH_ANSWERED_CALLS " " + answer + " " + calls + " -- \"$@\"";
  }

  Ending ending_;
};

// Each commit of the audit, and none of them by a function of libc's in the worker.
void ExpectSeen(const PhaseResult& phase, const Ending& ending) {
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  ASSERT_TRUE(phase.audit.has_value());
  EXPECT_EQ(phase.audit->uncounted, "");
  EXPECT_EQ(phase.audit->commits, 50u);
  EXPECT_EQ(phase.audit->without_flush, 0u);
  EXPECT_GE(phase.audit->flushes_past_libc.value_or(0), 50u);
  EXPECT_EQ(ObservedLevel(phase), "D4");
  EXPECT_FALSE(phase.resources->syncs.has_value()) << "the phase's own counter has seen none";
}

TEST_F(SyncWays, ByAnInstructionOfOnesOwnAreSeen) { ExpectSeen(Fill("instruction"), ending_); }
TEST_F(SyncWays, OfAServerProcessAreSeen) { ExpectSeen(Fill("server"), ending_); }
TEST_F(SyncWays, OfAProgramThatIsLinkedStaticallyAreSeen) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "a sanitizer is not linked statically";
  ExpectSeen(Fill("program"), ending_);
}

TEST_F(SyncWays, ThroughAnIoUringAreSeen) {
  if (!RingForTest::Exists()) GTEST_SKIP() << "no io_uring here, or none for us";
  ExpectSeen(Fill("ring"), ending_);
}

TEST_F(SyncWays, ThroughAnIoUringThatIsPolledAreSeen) {
  if (!RingForTest::Exists()) GTEST_SKIP() << "no io_uring here, or none for us";
  ExpectSeen(Fill("polled_ring"), ending_);
}

TEST_F(SyncWays, OfTheGoRuntimeAreSeen) {
  if (!fs::exists(LEVELFIELD_GO_LIBRARY)) GTEST_SKIP() << "there was no go when this was built";
  ExpectSeen(Fill("go"), ending_);
}

TEST_F(SyncWays, ByLibcAreSeenInEachPhaseToo) {
  const PhaseResult phase = Fill("libc");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(phase.audit->flushes_past_libc, std::optional<uint64_t>(0));
  EXPECT_EQ(phase.audit->flushes, 50u);
  EXPECT_EQ(DurableFlushes(phase), std::optional<uint64_t>(60));
}

TEST_F(SyncWays, ThatAreNoneAreFound) {
  const PhaseResult phase = Fill("never");
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, HasSubstr("not durable: "));
  EXPECT_EQ(phase.audit->without_flush, 50u);
  EXPECT_EQ(phase.audit->uncounted, "");
}

// They say that they have synced, and believe it.
TEST_F(SyncWays, ThatASandboxAnswersAreNone) {
  AnswerCalls("0", "fsync,fdatasync,msync,syncfs,sync,sync_file_range");
  const PhaseResult phase = Fill("libc");
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_EQ(phase.audit->without_flush, 50u);
}

TEST_F(SyncWays, AreNotSeenWherePtraceIsRefused) {
  if (LEVELFIELD_SANITIZED) GTEST_SKIP() << "a sanitizer looks for leaks with ptrace";
  AnswerCalls("EPERM", "ptrace");
  const PhaseResult phase = Fill("server");
  EXPECT_EQ(ending_.exit_code, 0) << ending_.out;
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_THAT(phase.audit->uncounted, HasSubstr("ptrace: Operation not permitted"));
  EXPECT_EQ(ObservedLevel(phase), "");
  EXPECT_EQ(WhyNotSeen(phase), phase.audit->uncounted);
  EXPECT_THAT(DurabilityWords(phase), HasSubstr("claimed D4, not seen: its system calls "));
}

TEST_F(SyncWays, AreNotSeenWhereSeccompIsRefused) {
  AnswerCalls("ENOSYS", "seccomp");
  const PhaseResult phase = Fill("instruction");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_THAT(WhyNotSeen(phase), HasSubstr("seccomp: Function not implemented"));
}

// What libc's functions tell is evidence, whoever else may have called.
TEST_F(SyncWays, ByLibcAreSeenWherePtraceIsRefused) {
  AnswerCalls("EPERM", "ptrace");
  const PhaseResult phase = Fill("libc");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(WhyNotSeen(phase), "");
  EXPECT_EQ(ObservedLevel(phase), "D4");
}

TEST_F(SyncWays, AreNotSeenWhereNoCommitIsLookedAt) {
  const PhaseResult phase = Fill("server", {"--audit=0"});
  EXPECT_EQ(ending_.exit_code, 0) << ending_.out;
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(WhyNotSeen(phase), "no commit was looked at by itself");
}

// A server that was there before, in whose calls nobody may look.
TEST_F(SyncWays, OfAProcessThatTheEngineHasNotStartedAreNotSeen) {
  const std::string name = path() + "/server";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(name.copy(address.sun_path, sizeof(address.sun_path) - 1), sizeof(address.sun_path));
  const UniqueFd listening(socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(bind(listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(listen(listening.get(), 4), 0);
  const std::string log = path() + "/log";
  std::jthread server([&] {
    std::vector<std::jthread> clients;
    for (int fd; (fd = accept(listening.get(), nullptr, nullptr)) >= 0;) {
      clients.emplace_back([client = fd, log] {
        const UniqueFd file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        for (char byte = 0; read(client, &byte, 1) == 1;) {
          byte = write(file.get(), &byte, 1) == 1 && fdatasync(file.get()) == 0 ? 'y' : 'n';
          if (write(client, &byte, 1) != 1) break;
        }
        close(client);
      });
    }
  });
  options_.environment["SYNCING_SERVER"] = name;
  const PhaseResult phase = Fill("stranger");
  shutdown(listening.get(), SHUT_RDWR);
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(WhyNotSeen(phase),
            "it talks to a process that it has not started (socket " + name + ")");
}

}  // namespace
}  // namespace levelfield
