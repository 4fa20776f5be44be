#include "run/sync_calls.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/files_for_test.h"
#include "run/sync_files.h"

namespace levelfield {
namespace {

TEST(SyncCalls, AreCountedInEveryThreadAndDoTheirWork) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const int fd = fileno(file);
  ASSERT_EQ(write(fd, "x", 1), 1);
  const SyncCalls before = SyncCallsSoFar();
  EXPECT_EQ(fsync(fd), 0);
  std::thread([&] { EXPECT_EQ(fdatasync(fd), 0); }).join();
  const SyncCalls after = SyncCallsSoFar();
  EXPECT_EQ(after.calls - before.calls, 2u);
  EXPECT_GT(after.waited_ns, before.waited_ns);
  std::fclose(file);
}

TEST(SyncCalls, AnswerAsThoseOfTheSystemDo) {
  errno = 0;
  EXPECT_EQ(fsync(-1), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(msync(nullptr, 1, 12345), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST(SyncFiles, GoesThroughADirectoryOrTakesOneFile) {
  const TemporaryDirectory directory;
  const std::filesystem::path root = directory.path();
  std::filesystem::create_directories(root / "below");
  std::ofstream(root / "one") << "x";
  std::ofstream(root / "below" / "two") << "x";
  std::filesystem::create_symlink("/nowhere", root / "link");
  const SyncCalls before = SyncCallsSoFar();
  EXPECT_TRUE(SyncFiles(root.string()).ok());
  // Two files and two directories; a link leads to somebody else's.
  EXPECT_EQ(SyncCallsSoFar().calls - before.calls, 4u);
  EXPECT_TRUE(SyncFiles((root / "one").string()).ok());
  EXPECT_TRUE(SyncFiles((root / "gone").string()).ok());
}

}  // namespace
}  // namespace levelfield
