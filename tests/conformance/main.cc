// conformance [--engine=SPEC [--setting=NAME=VALUE]...] [--gtest_...]: the claims about every
// plug-in that is found, or about one. `levelfield verify conformance` runs it for each.
//
// The claims run in a child process, and all their directories are in one that the parent makes and
// removes: an engine that crashes or hangs leaves nothing behind.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "conformance.h"
#include "process/hang_watch.h"
#include "process/process_guard.h"
#include "write_until_killed.h"

namespace {

// A claim without any progress for so long has hung: an engine that waits for a lock of its own,
// most likely. LEVELFIELD_HANG_SECONDS is for the test of this.
unsigned HangSeconds() {
  const char* const given = std::getenv("LEVELFIELD_HANG_SECONDS");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 60;
}

volatile pid_t claims = 0;

void PassOn(int signal_number) {
  if (claims > 0) kill(claims, signal_number);
}

int RunClaims() {
  levelfield::StartHangWatch(HangSeconds(),
                             "\nNothing was read, written or answered for a minute: the engine "
                             "hangs. The last line with RUN names the claim.\n",
                             1);
  const int result = RUN_ALL_TESTS();
  // A filter that matches nothing must not look like an engine that keeps every promise.
  if (!::testing::GTEST_FLAG(list_tests) &&
      ::testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no claim was tested: no plug-in is found, or none matches the filter\n");
    return 1;
  }
  return result;
}

// `--engine=<spec>` and `--setting=<name>=<value>` leave the words.
void TakeWhatIsTested(int& argc, char** argv) {
  levelfield::Tested& tested = levelfield::TestedHere();
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string engine = "--engine=";
    const std::string setting = "--setting=";
    if (word.starts_with(engine)) {
      tested.engine = word.substr(engine.size());
    } else if (word.starts_with(setting)) {
      const size_t equals = word.find('=', setting.size());
      if (equals == std::string::npos) continue;
      tested.settings.emplace_back(word.substr(setting.size(), equals - setting.size()),
                                   word.substr(equals + 1));
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
}

// What the child came to, as an exit code: 128 and the signal, if it died of one.
int WaitForClaims() {
  int status = 0;
  while (waitpid(claims, &status, 0) < 0) {
    if (errno != EINTR) return 1;
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::fprintf(stderr,
               "the engine died of signal %d (%s); the last line with RUN names the claim\n",
               WTERMSIG(status), strsignal(WTERMSIG(status)));
  return 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == levelfield::kGuardWord) return levelfield::RunGuard();
  TakeWhatIsTested(argc, argv);
  if (argc == 5 && std::strcmp(argv[1], levelfield::kWriteUntilKilledFlag) == 0) {
    // Before the one that waits for it gives up.
    levelfield::StartHangWatch(HangSeconds() * 5 / 6, "the engine hangs\n", 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return levelfield::WriteUntilKilled(argv[2], argv[3], argv[4]);
  }
  // A fixed seed, so that a build does not fail by chance; `RC_PARAMS="seed=..."` tries others.
  // max_size is the longest sequence of operations.
  setenv("RC_PARAMS", "seed=20111 max_success=60 max_size=300", 0);
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RunClaims();

  std::string directory = (std::filesystem::temp_directory_path() / "levelfield_XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) {
    std::perror(directory.c_str());
    return 1;
  }
  setenv("TMPDIR", directory.c_str(), 1);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  claims = fork();
  if (claims == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // It died before we asked to be told.
    std::printf("RC_PARAMS=\"%s\"\n", std::getenv("RC_PARAMS"));
    return RunClaims();
  }
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal_number, PassOn);
  const int result = claims > 0 ? WaitForClaims() : 1;
  std::error_code error;
  std::filesystem::remove_all(directory, error);
  return result;
}
