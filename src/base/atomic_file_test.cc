#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/child_for_test.h"
#include "base/files_for_test.h"
#include "base/kill_at_syscall_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::atomic_file_test {

namespace fs = std::filesystem;

class Directory : public TemporaryDirectory {
 public:
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
};

TEST(WriteFileAtomically, WritesExactlyTheBytesAndNothingElse) {
  const Directory directory;
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(WriteFileAtomically(directory / "f", bytes).ok());
  EXPECT_EQ(Read(directory / "f"), bytes);
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"f"});
}

TEST(AppendOnlyFile, SetsRoomAsideWithoutGrowingAndGivesItBack) {
  const Directory directory;
  StatusOr<AppendOnlyFile> file = AppendOnlyFile::Open(directory / "lines");
  ASSERT_TRUE(file.ok());
  const auto blocks_and_size = [&] {
    struct stat status;
    EXPECT_EQ(stat((directory / "lines").c_str(), &status), 0);
    return std::pair(status.st_blocks * 512, status.st_size);
  };
  ASSERT_TRUE(file->AppendLine("one").ok());
  const auto before = blocks_and_size();
  ASSERT_TRUE(file->Reserve(1 << 20).ok());
  if (blocks_and_size().first == before.first) GTEST_SKIP() << "this file system cannot";
  EXPECT_GE(blocks_and_size().first, 1 << 20);
  EXPECT_EQ(blocks_and_size().second, 4);
  ASSERT_TRUE(file->AppendLine("two").ok());
  ASSERT_TRUE(file->Sync().ok());
  file->Release();
  EXPECT_LT(blocks_and_size().first, 1 << 20);
  EXPECT_EQ(Read(directory / "lines"), "one\ntwo\n");
}

TEST(WriteFileAtomically, KeepsAnOlderFileUnlessAskedToReplaceIt) {
  const Directory directory;
  Write(directory / "f", "old");
  EXPECT_THAT(UsageErrorOf(WriteFileAtomically(directory / "f", "new")),
              HasSubstr("remove it first"));
  EXPECT_EQ(Read(directory / "f"), "old");
  ASSERT_TRUE(WriteFileAtomically(directory / "f", "new", Overwrite::kReplace).ok());
  EXPECT_EQ(Read(directory / "f"), "new");
  EXPECT_EQ(directory.Names().size(), 1u);
}

TEST(WriteFileAtomically, NeverReplacesAPipeASymlinkOrADirectory) {
  const Directory directory;
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  Write(directory / "target", "target");
  fs::create_symlink(directory / "target", directory / "link");
  fs::create_directory(directory / "dir");
  for (const char* name : {"pipe", "link", "dir", "dir/", "", "."}) {
    const Status refused = WriteFileAtomically(directory / name, "new", Overwrite::kReplace);
    EXPECT_EQ(refused.kind(), ErrorKind::kUsage) << name;
  }
  EXPECT_EQ(Read(directory / "target"), "target");
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(directory.Names().size(), 4u);
}

TEST(WriteFileAtomically, SaysWhichDirectoryIsMissing) {
  const Directory directory;
  const Status failed = WriteFileAtomically(directory / "none/f", "x");
  EXPECT_EQ(failed.kind(), ErrorKind::kFailed);
  EXPECT_THAT(failed.message(), HasSubstr("none/f"));
  EXPECT_THAT(failed.message(), HasSubstr("No such file"));
}

TEST(WriteFileAtomically, HoldsItsSizeLimit) {
  const Directory directory;
  EXPECT_TRUE(WriteFileAtomically(directory / "f", "1234", Overwrite::kNever, 4).ok());
  EXPECT_FALSE(WriteFileAtomically(directory / "g", "12345", Overwrite::kNever, 4).ok());
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"f"});
}

TEST(WriteFileAtomically, AKillAtAnySystemCallLeavesTheOldFileOrTheNewOne) {
  const std::string old_bytes(20'000, 'o');
  const std::string new_bytes(30'000, 'n');
  for (const Overwrite overwrite : {Overwrite::kNever, Overwrite::kReplace}) {
    int old_seen = 0;
    int new_seen = 0;
    for (int stop = 1;; ++stop) {
      const Directory directory;
      const std::string path = directory / "f";
      if (overwrite == Overwrite::kReplace) Write(path, old_bytes);
      const KillResult result = KillAtSyscallStop(
          stop, [&] { _exit(WriteFileAtomically(path, new_bytes, overwrite).ok() ? 0 : 1); });
      if (result == KillResult::kNoPtrace) GTEST_SKIP() << "this machine allows no ptrace";
      ASSERT_NE(result, KillResult::kCrashed);
      const bool there = fs::exists(path);
      const std::string found = Read(path);
      if (there && found == new_bytes) {
        ++new_seen;
      } else {
        ASSERT_EQ(there, overwrite == Overwrite::kReplace) << "stop " << stop;
        ASSERT_TRUE(!there || found == old_bytes) << "half a file at stop " << stop;
        ++old_seen;
      }
      if (result == KillResult::kRanToItsEnd) break;
    }
    // The control: the kills fell on both sides of the moment that counts.
    EXPECT_GT(old_seen, 5);
    EXPECT_GT(new_seen, 1);
  }
}

TEST(WriteFileAtomically, OfManyWhoWriteTheSameNameAtOnceExactlyOneWins) {
  for (int round = 0; round < 50; ++round) {
    const Directory directory;
    int start[2];
    ASSERT_EQ(pipe(start), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      close(start[1]);
      char byte;
      if (read(start[0], &byte, 1) != 0) _exit(2);  // Until the parent lets all go at once.
      _exit(WriteFileAtomically(directory / "f", std::to_string(i)).ok() ? 0 : 1);
    }
    close(start[0]);
    close(start[1]);
    std::vector<std::string> winners;
    for (int i = 0; i < 4; ++i) {
      int status = 0;
      waitpid(children[static_cast<size_t>(i)], &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) winners.push_back(std::to_string(i));
    }
    ASSERT_EQ(winners, std::vector<std::string>{Read(directory / "f")});
    ASSERT_EQ(directory.Names().size(), 1u);
  }
}

// Runs `step` over and over in a child and kills it in the midst of it: after `steps` whole ones,
// so that it has got somewhere however busy the machine is, and then some time later.
void KillAfter(int steps, useconds_t later_us, const std::function<bool(int)>& step) {
  int done[2];
  ASSERT_EQ(pipe2(done, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(done[0]);
    for (int i = 0; step(i); ++i) {
      if (write(done[1], "d", 1) != 1) _exit(1);
    }
    _exit(2);
  }
  close(done[1]);
  char byte;
  for (int i = 0; i < steps; ++i) EXPECT_EQ(read(done[0], &byte, 1), 1) << "the writer gave up";
  usleep(later_us);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  close(done[0]);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer gave up";
}

TEST(WriteFileAtomically, AFullDiskGivesAClearMessageAndNoHalfWrittenFile) {
  const Directory directory;
  Write(directory / "old", "old");
  const int exit_code = WithFileSizeLimit(8192, [&] {
    const Status fresh = WriteFileAtomically(directory / "f", std::string(10'000, 'x'));
    if (fresh.kind() != ErrorKind::kFailed) return 1;
    if (fresh.message().find("File too large") == std::string::npos) return 2;
    if (fresh.message().find("ulimit -f") == std::string::npos) return 3;
    const Status replaced =
        WriteFileAtomically(directory / "old", std::string(10'000, 'x'), Overwrite::kReplace);
    return replaced.ok() ? 4 : 0;
  });
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(Read(directory / "old"), "old");
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"old"});
}

TEST(AppendOnlyFile, GivesBackTheLinesAcrossTwoOpenings) {
  const Directory directory;
  for (const char* line : {"one", "", "three"}) {
    auto file = Must(AppendOnlyFile::Open(directory / "f"));
    ASSERT_TRUE(file.AppendLine(line).ok());
    ASSERT_TRUE(file.Sync().ok());
  }
  bool torn = true;
  const auto lines = Must(ReadLines(directory / "f", &torn));
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "three"}));
  EXPECT_FALSE(torn);
}

TEST(AppendOnlyFile, NeverGluesANewLineToATornOne) {
  // Longer than a block of the search from the end.
  for (const size_t torn_bytes : {size_t{1}, size_t{4095}, size_t{4096}, size_t{10'000}}) {
    for (const std::string whole : {"", "one\n", "one\ntwo\n"}) {
      const Directory directory;
      Write(directory / "f", whole + std::string(torn_bytes, 't'));
      bool torn = false;
      Must(ReadLines(directory / "f", &torn));
      EXPECT_TRUE(torn);
      uint64_t cut = 0;
      auto file = Must(AppendOnlyFile::Open(directory / "f", kMaxFileBytes, &cut));
      EXPECT_EQ(cut, torn_bytes);
      ASSERT_TRUE(file.AppendLine("next").ok());
      EXPECT_EQ(Read(directory / "f"), whole + "next\n");
    }
  }
}

TEST(AppendOnlyFile, RefusesANewlineASecondWriterAndWhatIsNoFile) {
  const Directory directory;
  auto file = Must(AppendOnlyFile::Open(directory / "f"));
  EXPECT_FALSE(file.AppendLine("a\nb").ok());
  EXPECT_THAT(ErrorOf(AppendOnlyFile::Open(directory / "f")), HasSubstr("another process"));
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  fs::create_symlink(directory / "f", directory / "link");
  for (const std::string& path :
       {directory / "pipe", directory / "link", directory / "", std::string()}) {
    EXPECT_FALSE(AppendOnlyFile::Open(path).ok()) << path;
  }
  EXPECT_EQ(Read(directory / "f"), "");
}

TEST(AppendOnlyFile, ALineThatDoesNotFitLeavesTheFileAsItWas) {
  const Directory directory;
  const std::string line(3000, 'x');
  const int exit_code = WithFileSizeLimit(8192, [&] {
    auto file = AppendOnlyFile::Open(directory / "f");
    if (!file.ok()) return 1;
    if (!file->AppendLine(line).ok() || !file->AppendLine(line).ok()) return 2;
    const Status full = file->AppendLine(line);  // 8,192 bytes end inside this one.
    if (full.message().find("ulimit -f") == std::string::npos) return 3;
    return file->AppendLine("short").ok() ? 0 : 4;
  });
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(Read(directory / "f"), line + "\n" + line + "\nshort\n");
}

TEST(AppendOnlyFile, HoldsItsSizeLimitOnBothSides) {
  const Directory directory;
  auto file = Must(AppendOnlyFile::Open(directory / "f", 8));
  EXPECT_TRUE(file.AppendLine("1234567").ok());
  EXPECT_FALSE(file.AppendLine("").ok());
  bool torn = false;
  EXPECT_TRUE(ReadLines(directory / "f", &torn, 8).ok());
  EXPECT_FALSE(ReadLines(directory / "f", &torn, 7).ok());
}

TEST(AppendOnlyFile, AKillAtAnyOf120MomentsTearsAtMostTheLastLine) {
  const Directory directory;
  const std::string path = directory / "f";
  size_t lines_before = 0;
  for (int moment = 0; moment < 120; ++moment) {
    std::optional<AppendOnlyFile> file;
    KillAfter(1 + moment % 5, static_cast<useconds_t>((moment * 7919) % 300), [&](int i) {
      if (i == 0) {
        auto opened = AppendOnlyFile::Open(path, uint64_t{1} << 30);
        if (!opened.ok()) return false;
        file.emplace(std::move(*opened));
      }
      return file->AppendLine(std::string(700, 'x')).ok();
    });
    bool torn = false;
    const auto lines = Must(ReadLines(path, &torn, uint64_t{1} << 30));
    ASSERT_GE(lines.size(), lines_before + 1) << "an older line is gone";
    for (const std::string& line : lines) ASSERT_EQ(line, std::string(700, 'x'));
    lines_before = lines.size();
    if (lines_before < 500) continue;
    fs::remove(path);  // Or reading it takes ever longer.
    lines_before = 0;
  }
}

TEST(ReadLines, SaysThatAFileIsMissingOrNoFile) {
  const Directory directory;
  bool torn = false;
  EXPECT_THAT(ReadLines(directory / "none", &torn).status().message(), HasSubstr("No such file"));
  EXPECT_FALSE(ReadLines(directory / "", &torn).ok());
}

}  // namespace levelfield::atomic_file_test
