#include "probe/calls/sync_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "base/files_for_test.h"
#include "base/unique_fd.h"
#include "probe/page_cache.h"

namespace levelfield::sync_calls_test {

class SyncCallsOf : public testing::Test {
 protected:
  UniqueFd Open(int flags = 0) const {
    return UniqueFd(open((directory_.path() + "/file").c_str(), O_RDWR | O_CREAT | flags, 0600));
  }
  // Calls of that kind since the test began or since the last call of Since. All others must be 0.
  uint64_t Since(SyncKind kind) {
    const SyncCalls now = SyncCallsSoFar();
    for (size_t k = 0; k < now.by_kind.size(); ++k) {
      if (k == static_cast<size_t>(kind)) continue;
      EXPECT_EQ(now.by_kind[k], before_.by_kind[k]) << kSyncKinds[k].name;
    }
    const uint64_t count = now.Of(kind) - before_.Of(kind);
    before_ = now;
    return count;
  }

  TemporaryDirectory directory_;
  SyncCalls before_ = SyncCallsSoFar();
};

TEST_F(SyncCallsOf, EveryThreadAreCountedAndDoTheirWork) {
  const UniqueFd file = Open();
  ASSERT_EQ(write(file.get(), "x", 1), 1);
  const SyncCalls before = SyncCallsSoFar();
  EXPECT_EQ(fdatasync(file.get()), 0);
  std::thread([&] { EXPECT_EQ(fdatasync(file.get()), 0); }).join();
  EXPECT_EQ(Since(SyncKind::kFdatasync), 2u);
  EXPECT_GT(SyncCallsSoFar().waited_ns, before.waited_ns);
  EXPECT_EQ(SyncCallsSoFar().Durable() - before.Durable(), 2u);
}

TEST_F(SyncCallsOf, EachKindAreToldApartAndThoseThatMakeNothingDurableAreNotDurable) {
  const UniqueFd file = Open();
  ASSERT_EQ(ftruncate(file.get(), 4096), 0);
  void* const map = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(map, MAP_FAILED);
  EXPECT_EQ(fsync(file.get()), 0);
  EXPECT_EQ(Since(SyncKind::kFsync), 1u);
  EXPECT_EQ(msync(map, 4096, MS_SYNC), 0);
  EXPECT_EQ(Since(SyncKind::kMsync), 1u);
  EXPECT_EQ(syncfs(file.get()), 0);
  EXPECT_EQ(Since(SyncKind::kSyncfs), 1u);
  const uint64_t durable = SyncCallsSoFar().Durable();
  EXPECT_EQ(msync(map, 4096, MS_ASYNC), 0);
  EXPECT_EQ(Since(SyncKind::kMsyncAsync), 1u);
  EXPECT_EQ(sync_file_range(file.get(), 0, 4096, SYNC_FILE_RANGE_WRITE), 0);
  EXPECT_EQ(Since(SyncKind::kSyncFileRange), 1u);
  EXPECT_EQ(SyncCallsSoFar().Durable(), durable);
  munmap(map, 4096);
}

TEST_F(SyncCallsOf, AFileOpenedToBeSyncedAreItsWrites) {
  {
    const UniqueFd file = Open(O_DSYNC);
    iovec part{const_cast<char*>("x"), 1};
    EXPECT_EQ(write(file.get(), "x", 1), 1);
    EXPECT_EQ(pwrite(file.get(), "x", 1, 0), 1);
    EXPECT_EQ(pwrite64(file.get(), "x", 1, 0), 1);
    EXPECT_EQ(writev(file.get(), &part, 1), 1);
    EXPECT_EQ(pwritev(file.get(), &part, 1, 0), 1);
    EXPECT_EQ(pwritev2(file.get(), &part, 1, 0, 0), 1);
    EXPECT_EQ(Since(SyncKind::kSyncedWrite), 6u);
    EXPECT_EQ(CountSyncedFiles(), 1u);
  }
  // Most likely it has the number of the closed one.
  const UniqueFd plain = Open();
  EXPECT_EQ(write(plain.get(), "x", 1), 1);
  EXPECT_EQ(Since(SyncKind::kSyncedWrite), 0u);
  const UniqueFd synced = Open(O_SYNC);
  ASSERT_EQ(dup2(synced.get(), plain.get()), plain.get());
  EXPECT_EQ(write(plain.get(), "x", 1), 1);
  EXPECT_EQ(Since(SyncKind::kSyncedWrite), 1u);
}

TEST_F(SyncCallsOf, AnyFileAreWritesThatAskForIt) {
  const UniqueFd file = Open();
  iovec part{const_cast<char*>("x"), 1};
  EXPECT_EQ(pwritev2(file.get(), &part, 1, 0, RWF_DSYNC), 1);
  EXPECT_EQ(Since(SyncKind::kSyncedWrite), 1u);
  EXPECT_EQ(pwritev2(file.get(), &part, 1, 0, 0), 1);
  EXPECT_EQ(Since(SyncKind::kSyncedWrite), 0u);
}

TEST_F(SyncCallsOf, NobodyAreThoseThatFail) {
  errno = 0;
  EXPECT_EQ(fsync(-1), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(msync(nullptr, 1, 12345), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(write(-1, "x", 1), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(pwrite(1 << 20, "x", 1, 0), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(Since(SyncKind::kFsync), 0u);
}

TEST(SyncFiles, GoesThroughADirectoryOrTakesOneFile) {
  const TemporaryDirectory directory;
  const std::filesystem::path root = directory.path();
  Write(root / "one", "x");
  Write(root / "below" / "two", "x");
  std::filesystem::create_symlink("/nowhere", root / "link");
  const SyncCalls before = SyncCallsSoFar();
  EXPECT_TRUE(SyncFiles(root.string()).ok());
  // Two files and two directories; a link leads to somebody else's file.
  EXPECT_EQ(SyncCallsSoFar().Durable() - before.Durable(), 4u);
  EXPECT_TRUE(SyncFiles((root / "one").string()).ok());
  EXPECT_TRUE(SyncFiles((root / "gone").string()).ok());
}

}  // namespace levelfield::sync_calls_test
