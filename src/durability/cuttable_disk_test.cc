#include "durability/cuttable_disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/unique_fd.h"
#include "file_system/disks_for_test.h"

namespace levelfield::cuttable_disk_test {

struct Case {
  PowerCut cut;
  const char* file_system;
};

void PrintTo(const Case& each, std::ostream* stream) { *stream << each.file_system; }

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", info.param.cut == PowerCut::kShutdown ? "Shutdown" : "Volatile",
                     info.param.file_system);
}

// Nobody synced it, but it is on the disk: a disk may lose it, but need not.
void Overwrite(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(pwrite(file.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(sync_file_range(
                file.get(), 0, 0,
                SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER),
            0);
}

class CuttableDiskTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string why = CuttableDisk::WhyNot(GetParam().cut, GetParam().file_system);
    if (!why.empty()) GTEST_SKIP() << why;
    options_ = {.cut = GetParam().cut,
                .file_system = GetParam().file_system,
                .mount_options = "",
                .bytes = SmallSizeOf(GetParam().file_system),
                .scratch = scratch_.path()};
  }

  // Uses options_.
  void MakeDisk() { disk_ = Must(CuttableDisk::Make(options_)); }

  // The contents of a file after a cut.
  std::string LeftOf(const std::string& name, double survives, uint64_t seed = 1) {
    Must(disk_->Cut(survives, seed));
    const std::string directory = Must(disk_->Recover());
    std::string text = Read(directory + "/" + name);
    Must(disk_->Release());
    return text;
  }

  const TemporaryDirectory scratch_;
  CuttableDisk::Options options_;
  std::unique_ptr<CuttableDisk> disk_;
  const std::string text_ = std::string(20'000, 'x');
};

TEST_P(CuttableDiskTest, KeepsWhatWasSyncedFromOneCutToTheNext) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  WriteSynced(disk_->directory(), "first", text_ + "1");
  EXPECT_EQ(LeftOf("first", 0), text_ + "1");
  WriteSynced(disk_->directory(), "second", text_ + "2");
  EXPECT_EQ(LeftOf("second", 0), text_ + "2");
  EXPECT_EQ(LeftOf("first", 0), text_ + "1");
}

TEST_P(CuttableDiskTest, LosesWhatWasNotSynced) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  Write(disk_->directory() + "/file", text_);
  EXPECT_EQ(Read(disk_->directory() + "/file"), text_);
  EXPECT_LT(LeftOf("file", 0).size(), text_.size());
}

TEST_P(CuttableDiskTest, CountsWhatIsWrittenToItAndFlushed) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  const uint64_t flushes = disk_->flushes();
  const uint64_t written_bytes = disk_->written_bytes();
  for (int i = 0; i < 5; ++i) WriteSynced(disk_->directory(), fmt::format("{}", i), text_);
  EXPECT_GE(disk_->flushes(), flushes + 5);
  EXPECT_GE(disk_->written_bytes(), written_bytes + 5 * text_.size());
}

TEST_P(CuttableDiskTest, CanBeMadeAgainAtOnce) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(MakeDisk());
    EXPECT_FALSE(std::filesystem::exists(disk_->directory() + "/file"));
    WriteSynced(disk_->directory(), "file", text_);
    disk_.reset();
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfAKind, CuttableDiskTest,
    testing::Values(Case{PowerCut::kShutdown, "ext3"}, Case{PowerCut::kShutdown, "ext4"},
                    Case{PowerCut::kShutdown, "xfs"}, Case{PowerCut::kVolatile, "ext2"},
                    Case{PowerCut::kVolatile, "ext3"}, Case{PowerCut::kVolatile, "ext4"},
                    Case{PowerCut::kVolatile, "xfs"}, Case{PowerCut::kVolatile, "btrfs"}),
    NameOf);

using VolatileDiskTest = CuttableDiskTest;

TEST_P(VolatileDiskTest, ThatEatsFlushesLosesWhatWasSynced) {
  options_.eats_flushes = true;
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  WriteSynced(disk_->directory(), "file", text_);
  EXPECT_EQ(LeftOf("file", 0), "");
  EXPECT_EQ(LeftOf("file", 1), text_);
  EXPECT_GT(disk_->flushes(), 0u);
}

// The real use: a writer that is not stopped, and what it knew to be synced before each cut.
TEST_P(VolatileDiskTest, IsCutWhileItIsWritten) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  std::atomic<bool> stop = false;
  std::atomic<bool> failed = false;
  std::atomic<size_t> synced = 0;
  std::thread writer([&, path = disk_->directory() + "/log"] {
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    while (!stop && !failed) {
      if (write(file.get(), "record\n", 7) == 7 && fdatasync(file.get()) == 0) {
        synced += 7;
      } else {
        failed = true;
      }
    }
  });
  const auto wait_for = [&](size_t bytes) {
    while (synced < bytes && !failed) std::this_thread::yield();
  };
  wait_for(7);
  for (const double survives : {0.0, 0.3, 0.7, 1.0}) {
    const size_t before = synced;
    EXPECT_GE(LeftOf("log", survives).size(), before);
    wait_for(before + 70);  // The writer goes on.
  }
  stop = true;
  writer.join();
  EXPECT_FALSE(failed);
}

TEST_P(VolatileDiskTest, FailsFromTheNthRequestOnUntilItIsToldNotTo) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  WriteSynced(disk_->directory(), "file", text_);
  const std::string path = disk_->directory() + "/file";
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto read_from_disk = [&] {
    EXPECT_EQ(posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
    char c = 0;
    return pread(file.get(), &c, 1, 0) == 1;
  };
  ASSERT_TRUE(disk_->Fail(DiskFault::kReads, 3).ok());
  EXPECT_TRUE(read_from_disk());
  EXPECT_TRUE(read_from_disk());
  EXPECT_FALSE(read_from_disk());
  EXPECT_EQ(errno, EIO);
  EXPECT_FALSE(read_from_disk());
  ASSERT_TRUE(disk_->Fail(DiskFault::kReads, 0).ok());
  EXPECT_TRUE(read_from_disk());
}

// A process that reads the file by a memory map gets the error as a SIGBUS.
TEST_P(VolatileDiskTest, FailsThoseWhoReadByAMemoryMap) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  WriteSynced(disk_->directory(), "file", text_);
  const UniqueFd file(open((disk_->directory() + "/file").c_str(), O_RDONLY | O_CLOEXEC));
  const auto* const bytes = static_cast<const volatile char*>(
      mmap(nullptr, text_.size(), PROT_READ, MAP_SHARED, file.get(), 0));
  EXPECT_EQ(posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
  ASSERT_TRUE(disk_->Fail(DiskFault::kReads, 1).ok());
  EXPECT_EXIT(
      {
        std::signal(SIGBUS, SIG_DFL);  // A sanitizer has its own handler.
        (void)*bytes;
      },
      testing::KilledBySignal(SIGBUS), "");
  ASSERT_TRUE(disk_->Fail(DiskFault::kReads, 0).ok());
  EXPECT_EQ(*bytes, 'x');
}

TEST_P(VolatileDiskTest, FailsThoseWhoSync) {
  for (const DiskFault what : {DiskFault::kWrites, DiskFault::kFlushes}) {
    ASSERT_NO_FATAL_FAILURE(MakeDisk());
    const UniqueFd file(open((disk_->directory() + "/file").c_str(), O_WRONLY | O_CREAT, 0600));
    ASSERT_EQ(write(file.get(), "x", 1), 1);
    ASSERT_TRUE(disk_->Fail(what, 1).ok());
    EXPECT_NE(fsync(file.get()), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(OfAKind, VolatileDiskTest,
                         testing::Values(Case{PowerCut::kVolatile, "ext4"},
                                         Case{PowerCut::kVolatile, "xfs"},
                                         Case{PowerCut::kVolatile, "btrfs"}),
                         NameOf);

// File systems that write in place: a disk may keep a part of what was not flushed.
using InPlaceDiskTest = CuttableDiskTest;

TEST_P(InPlaceDiskTest, KeepsByChanceWhatIsWrittenAndNotFlushed) {
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  constexpr size_t kSectors = 2000;
  const std::string old_text(kSectors * 512, 'o');
  const std::string new_text(kSectors * 512, 'n');
  WriteSynced(disk_->directory(), "file", old_text);
  Overwrite(disk_->directory() + "/file", new_text);
  EXPECT_TRUE(LeftOf("file", 0) == old_text);
  EXPECT_TRUE(LeftOf("file", 1) == new_text);
  const std::string torn = LeftOf("file", 0.3, 7);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(torn, 'n')) / 512, 0.3 * kSectors, 110);
  EXPECT_TRUE(torn == LeftOf("file", 0.3, 7));
  EXPECT_FALSE(torn == LeftOf("file", 0.3, 8));
}

INSTANTIATE_TEST_SUITE_P(OfAKind, InPlaceDiskTest,
                         testing::Values(Case{PowerCut::kVolatile, "ext4"},
                                         Case{PowerCut::kVolatile, "xfs"}),
                         NameOf);

// The control: a file system that was told not to flush loses synced data, even on an honest disk.
using NoBarrierTest = CuttableDiskTest;

TEST_P(NoBarrierTest, LosesWhatWasSynced) {
  options_.mount_options =
      GetParam().file_system == std::string("btrfs") ? "nobarrier" : "barrier=0";
  ASSERT_NO_FATAL_FAILURE(MakeDisk());
  WriteSynced(disk_->directory(), "file", text_);
  EXPECT_EQ(LeftOf("file", 0), "");
}

INSTANTIATE_TEST_SUITE_P(OfAKind, NoBarrierTest,
                         testing::Values(Case{PowerCut::kVolatile, "ext4"},
                                         Case{PowerCut::kVolatile, "btrfs"}),
                         NameOf);

TEST(CuttableDisk, SaysWhyThereIsNone) {
  EXPECT_THAT(CuttableDisk::WhyNot(PowerCut::kShutdown, "btrfs"), HasSubstr("no shutdown"));
  EXPECT_THAT(CuttableDisk::WhyNot(PowerCut::kShutdown, "ext2"), HasSubstr("no journal"));
  EXPECT_THAT(CuttableDisk::WhyNot(PowerCut::kVolatile, "ntfs"),
              HasSubstr("ext2, ext3, ext4, xfs, btrfs"));
  const TemporaryDirectory scratch;
  EXPECT_FALSE(CuttableDisk::Make({.file_system = "ntfs", .scratch = scratch.path()}).ok());
}

}  // namespace levelfield::cuttable_disk_test
