// What `run --watch` draws, at a terminal and elsewhere, of real runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "command.h"
#include "terminal.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kHideCursor = "\033[?25l";
constexpr const char* kShowCursor = "\033[?25h";

class Watching : public ::testing::Test {
 protected:
  Watching() { fs::create_directories(directory_); }
  ~Watching() override { fs::remove_all(directory_); }

  std::vector<std::string> Words(const std::string& seconds) const {
    return {LEVELFIELD,
            "run",
            "--watch",
            "--engine=lmdb,memory",
            "--num=20k",
            "--benchmarks=readrandom",
            "--duration=" + seconds,
            "--price=0",
            "--results=" + directory_};
  }

  const std::string directory_ =
      (fs::temp_directory_path() / ("levelfield_watch_test_" + std::to_string(getpid()))).string();
};

// Lines that end as the header of the view does.
size_t Headers(const std::vector<std::string>& lines) {
  return static_cast<size_t>(std::ranges::count_if(lines, [](const std::string& line) {
    return line.ends_with("so far") || line.ends_with(" left");
  }));
}

size_t Count(const std::vector<std::string>& lines, const std::string& what) {
  size_t count = 0;
  for (const std::string& line : lines) count += line.find(what) != std::string::npos ? 1 : 0;
  return count;
}

TEST_F(Watching, IsDrawnInItsPlaceWithRatePercentileAndChart) {
  Terminal terminal(Words("4"), 24, 100, {{"LC_ALL", "C.UTF-8"}});
  ASSERT_TRUE(terminal.Shows("p99 ", 60)) << terminal.seen();
  ASSERT_TRUE(terminal.Shows("> memory", 60)) << terminal.seen();
  const std::vector<std::string> screen = ScreenOf(terminal.seen(), 24, 100);
  EXPECT_EQ(Headers(screen), 1u) << "one header: " << ::testing::PrintToString(screen);
  EXPECT_EQ(Count(screen, "memory"), 1u) << ::testing::PrintToString(screen);
  EXPECT_THAT(screen, Contains(AllOf(StartsWith("  lmdb"), HasSubstr("/s"), HasSubstr("p99 "),
                                     HasSubstr("█"))));
  EXPECT_EQ(terminal.Finish(60), 0);
  EXPECT_THAT(terminal.seen(), HasSubstr("\033[1;36m"));
  EXPECT_GT(terminal.seen().rfind(kShowCursor), terminal.seen().rfind(kHideCursor));
  const std::vector<std::string> end = ScreenOf(terminal.seen(), 200, 100);
  EXPECT_EQ(Headers(end), 0u) << "nothing of it stays: " << ::testing::PrintToString(end);
  EXPECT_EQ(Count(end, "readrandom, ops/s") + Count(end, "reads, ops/s"), 1u);
}

TEST_F(Watching, HasNoColoursWhereNobodyWantsThemAndNoBlocksWhereTheLocaleHasNone) {
  Terminal terminal(Words("2"), 24, 100, {{"NO_COLOR", "1"}, {"LC_ALL", "C"}});
  ASSERT_TRUE(terminal.Shows("> memory", 60)) << terminal.seen();
  EXPECT_THAT(terminal.seen(), AllOf(Not(HasSubstr("\033[1;")), Not(HasSubstr("█"))));
}

TEST_F(Watching, GivesTheCursorBackAfterControlC) {
  Terminal terminal(Words("60"), 24, 100);
  ASSERT_TRUE(terminal.Shows("p99 ", 60)) << terminal.seen();
  EXPECT_THAT(terminal.seen(), HasSubstr(kHideCursor));
  terminal.Type("\x03");
  EXPECT_EQ(terminal.Finish(60), 130);
  EXPECT_GT(terminal.seen().rfind(kShowCursor), terminal.seen().rfind(kHideCursor));
}

TEST_F(Watching, FitsIntoANarrowTerminalAndIntoOneThatBecomesNarrower) {
  Terminal terminal(Words("60"), 24, 100);
  ASSERT_TRUE(terminal.Shows("p99 ", 60)) << terminal.seen();
  terminal.Resize(10, 32);
  terminal.Forget();
  ASSERT_TRUE(terminal.Shows("> lmdb", 20));
  terminal.Forget();
  ASSERT_TRUE(terminal.Shows("> lmdb", 20));
  (void)terminal.Shows("never shown", 1.5);
  terminal.Type("\x03");
  // From the begin of a frame to that of the last one.
  std::string seen = terminal.seen();
  seen.erase(0, seen.find("\033[J") + 3);
  seen.erase(seen.rfind("\r\033["));
  for (const std::string& line : ScreenOf(seen, 10, 200)) EXPECT_LT(line.size(), 32u) << line;
  const std::vector<std::string> screen = ScreenOf(seen, 10, 32);
  EXPECT_EQ(Count(screen, "lmdb"), 1u) << ::testing::PrintToString(screen);
  EXPECT_EQ(terminal.Finish(60), 130);
}

TEST_F(Watching, IsALineASecondWhereThereIsNoTerminal) {
  std::string command;
  for (const std::string& word : Words("4")) command += "'" + word + "' ";
  const CommandResult run = RunCommand(command + " >/dev/null");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, Not(HasSubstr("\033")));
  const size_t lines = Count(LinesOf(run.out), "readrandom run");
  EXPECT_GE(lines, 4u) << run.out;
  EXPECT_LE(lines, 20u) << run.out;
  EXPECT_THAT(LinesOf(run.out),
              Contains(AllOf(HasSubstr("lmdb  readrandom run"), HasSubstr("/s  p99 "))));
}

}  // namespace
}  // namespace levelfield
