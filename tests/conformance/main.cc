// conformance [--gtest_...]: the claims about every plug-in in EngineDirectory(). One engine alone:
// --gtest_filter='*/leveldb'.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "write_until_killed.h"

namespace {

// Only what a signal handler may do. The directory of the test that hangs stays behind, for it may
// show why.
void OnAlarm(int) {
  static constexpr char kMessage[] =
      "\nThis claim has taken a minute: the engine hangs. The last line with RUN names it.\n";
  (void)!write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], levelfield::kWriteUntilKilledFlag) == 0) {
    return levelfield::WriteUntilKilled(argv[2], argv[3], argv[4]);
  }
  // A fixed seed, so that a build does not fail by chance; `RC_PARAMS="seed=..."` tries others.
  // max_size is the longest sequence of operations.
  setenv("RC_PARAMS", "seed=20111 max_success=25 max_size=300", 0);
  std::printf("RC_PARAMS=\"%s\"\n", std::getenv("RC_PARAMS"));
  std::signal(SIGALRM, OnAlarm);

  ::testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  // A filter that matches nothing must not look like an engine that keeps every promise.
  if (!::testing::GTEST_FLAG(list_tests) &&
      ::testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no claim was tested: no plug-in is found, or none matches the filter\n");
    return 1;
  }
  return result;
}
