#include "file_system/loop_file_system.h"

#include <fcntl.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "base/child_for_test.h"
#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/unique_fd.h"
#include "base/whole_file.h"
#include "file_system/disks_for_test.h"
#include "file_system/file_system_kind.h"
#include "file_system/left_overs_for_test.h"
#include "file_system/tool.h"

namespace levelfield::loop_file_system_test {

class LoopFileSystemTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string why = WhyNoFileSystem(GetParam());
    if (!why.empty()) GTEST_SKIP() << why;
    options_ = {.file_system = GetParam(),
                .mount_options = "",
                .bytes = SmallSizeOf(GetParam()),
                .scratch = scratch_.path()};
  }

  void MakeIt() { file_system_ = Must(LoopFileSystem::Make(options_)); }

  const TemporaryDirectory scratch_;
  LoopFileSystem::Options options_;
  std::unique_ptr<LoopFileSystem> file_system_;
};

TEST_P(LoopFileSystemTest, IsOfItsKindAndItsSize) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const std::string mounts = ReadAll("/proc/self/mounts");
  EXPECT_THAT(mounts, HasSubstr(file_system_->device().path() + " " + file_system_->directory() +
                                " " + GetParam() + " rw"));
  struct statfs space {};
  ASSERT_EQ(statfs(file_system_->directory().c_str(), &space), 0);
  const uint64_t bytes = static_cast<uint64_t>(space.f_bsize) * space.f_blocks;
  EXPECT_LE(bytes, options_.bytes);
  EXPECT_GT(bytes, options_.bytes / 2);
}

TEST_P(LoopFileSystemTest, IsUsedByThreadsAndChildren) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const std::string path = file_system_->directory() + "/file";
  std::thread([&] { Write(path + "1", "thread"); }).join();
  const auto write = [&path] {
    Write(path + "2", "child");
    return 0;
  };
  ASSERT_EQ(InChild(write), 0);
  EXPECT_EQ(Read(path + "1"), "thread");
  EXPECT_EQ(Read(path + "2"), "child");
}

TEST_P(LoopFileSystemTest, CanBecomeReadOnlyAndBack) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const std::string path = file_system_->directory() + "/file";
  const auto can_write = [&] {
    return UniqueFd(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)).ok();
  };
  EXPECT_TRUE(can_write());
  ASSERT_TRUE(file_system_->Remount("ro").ok());
  EXPECT_FALSE(can_write());
  EXPECT_EQ(errno, EROFS);
  ASSERT_TRUE(file_system_->Remount("rw").ok());
  EXPECT_TRUE(can_write());
}

TEST_P(LoopFileSystemTest, IsMountedWithTheOptionsAskedFor) {
  options_.mount_options = "noatime,nodev";
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const std::string mounts = ReadAll("/proc/self/mounts");
  const size_t line = mounts.find(file_system_->directory());
  ASSERT_NE(line, std::string::npos);
  const std::string options = mounts.substr(line, mounts.find('\n', line) - line);
  EXPECT_THAT(options, HasSubstr("noatime"));
  EXPECT_THAT(options, HasSubstr("nodev"));
}

TEST_P(LoopFileSystemTest, IsFullWhenItIsFull) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const UniqueFd file(
      open((file_system_->directory() + "/file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(ftruncate(file.get(), 1), 0);
  EXPECT_NE(posix_fallocate(file.get(), 0, static_cast<off_t>(options_.bytes)), 0);
}

TEST_P(LoopFileSystemTest, IsNotUnmountedUnderItsUsers) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  UniqueFd file(open((file_system_->directory() + "/file").c_str(), O_WRONLY | O_CREAT, 0600));
  std::thread closes_it([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    file = UniqueFd();
  });
  EXPECT_TRUE(file_system_->Unmount().ok());
  closes_it.join();
  file_system_.reset();
  EXPECT_EQ(WhatIsLeftOf(scratch_.path()), std::set<std::string>());
}

INSTANTIATE_TEST_SUITE_P(OfAKind, LoopFileSystemTest,
                         testing::Values("ext2", "ext3", "ext4", "xfs", "btrfs"),
                         [](const auto& each) { return std::string(each.param); });

class AnyFileSystem : public LoopFileSystemTest {};

// A process that serves it ends with the unmount, and has written everything.
TEST_P(AnyFileSystem, KeepsItsFilesWhereItIsUnmountedAndMounted) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  const std::string path = file_system_->directory() + "/file";
  Write(path, "text");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(file_system_->Unmount().ok());
    EXPECT_EQ(Read(path), "");
    ASSERT_TRUE(file_system_->Mount().ok());
    EXPECT_EQ(Read(path), "text");
  }
  file_system_.reset();
  EXPECT_EQ(WhatIsLeftOf(scratch_.path()), std::set<std::string>());
}

INSTANTIATE_TEST_SUITE_P(OfAKind, AnyFileSystem,
                         testing::Values("ext2", "ext3", "ext4", "xfs", "btrfs", "fuse2fs", "ntfs",
                                         "exfat"),
                         [](const auto& each) { return std::string(each.param); });

class FileSystemWithAJournal : public LoopFileSystemTest {};

TEST_P(FileSystemWithAJournal, HasItElsewhere) {
  const TemporaryDirectory place;
  options_.journal = place.path();
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  EXPECT_GT(file_system_->journal_bytes(), 0u);
  const std::string mkfs = file_system_->WithoutDevices(file_system_->mkfs());
  EXPECT_THAT(mkfs, HasSubstr("=JOURNAL"));
  EXPECT_TRUE(mkfs.ends_with(" DEVICE")) << mkfs;
  const std::string path = file_system_->directory() + "/file";
  WriteSynced(file_system_->directory(), "file", "text");
  ASSERT_TRUE(file_system_->Unmount().ok());
  ASSERT_TRUE(file_system_->Mount().ok());
  EXPECT_EQ(Read(path), "text");
  file_system_.reset();
  EXPECT_EQ(WhatIsLeftOf(scratch_.path()), std::set<std::string>());
  EXPECT_EQ(WhatIsLeftOf(place.path()), std::set<std::string>());
}

// Somebody's data is no place for a journal.
TEST_P(FileSystemWithAJournal, TakesNoDeviceThatSomethingIsOn) {
  ImageFile image = Must(ImageFile::Make(scratch_.path(), uint64_t{64} << 20));
  LoopDevice device = Must(LoopDevice::Attach(image.fd()));
  options_.journal = device.path();
  ASSERT_NO_FATAL_FAILURE(MakeIt()) << "nothing is on it";
  file_system_.reset();
  ASSERT_NO_FATAL_FAILURE(MakeIt()) << "nothing is on it any more";
  file_system_.reset();
  ASSERT_TRUE(RunTool({"mkfs.ext4", "-q", "-F", device.path()}).ok());
  const StatusOr<std::unique_ptr<LoopFileSystem>> made = LoopFileSystem::Make(options_);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.status().message(), HasSubstr("is not empty, and is left alone"));
  EXPECT_THAT(made.status().message(), HasSubstr("TYPE=ext4"));
}

INSTANTIATE_TEST_SUITE_P(OfAKind, FileSystemWithAJournal, testing::Values("ext3", "ext4", "xfs"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(LoopFileSystemTest, CanBeKeptAndMountedAgain) {
  ASSERT_NO_FATAL_FAILURE(MakeIt());
  Write(file_system_->directory() + "/file", "text");
  ASSERT_TRUE(file_system_->Unmount().ok());
  const std::string image = scratch_ / "kept";
  ASSERT_TRUE(file_system_->KeepImage(image).ok());
  EXPECT_FALSE(file_system_->KeepImage(image).ok()) << "something is there";
  file_system_.reset();
  const UniqueFd file(open(image.c_str(), O_RDWR | O_CLOEXEC));
  std::unique_ptr<LoopFileSystem> again = Must(LoopFileSystem::MountFrom(file, options_));
  EXPECT_EQ(Read(again->directory() + "/file"), "text");
}

TEST(FileSystemKind, HasAReasonWhereTheKernelDoesNotKnowIt) {
  EXPECT_FALSE(HasKernelType("no_such_kind"));
  EXPECT_TRUE(HasKernelType("proc")) << "what every kernel has";
  EXPECT_THAT(WhyNoFileSystem("ext5"), HasSubstr("ext2, ext3, ext4"));
  if (HasKernelType("jfs")) GTEST_SKIP() << "this kernel has jfs";
  EXPECT_THAT(WhyNoFileSystem("jfs"), HasSubstr("this kernel has no jfs"));
}

// Many take devices at the same time, and each gets a different one.
TEST(LoopDevice, IsAttachedBesideOthers) {
  if (const std::string why = LoopDevice::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  const TemporaryDirectory scratch;
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string path = scratch / std::to_string(i);
      const std::string text = std::to_string(i) + std::string(4095, 'x');
      for (int n = 0; n < 20; ++n) {
        Write(path, text);
        const UniqueFd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
        const StatusOr<LoopDevice> device = LoopDevice::Attach(file);
        if (!device.ok() || Read(device->path()) != text) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(ReadAll("/proc/self/mounts").find(scratch.path()), std::string::npos);
}

TEST(LoopFileSystem, SaysWhyThereIsNoneForOthersThanRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  EXPECT_EXIT(
      {
        if (setuid(65534) != 0) _exit(1);
        std::fputs(WhyNoFileSystem("ext4").c_str(), stderr);
        _exit(0);
      },
      testing::ExitedWithCode(0), "may not mount: run as root");
}

}  // namespace levelfield::loop_file_system_test
