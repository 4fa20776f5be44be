// Nothing is left of a disk or a file system: not after success, not after a failure at any step,
// not after a kill -9.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/files_for_test.h"
#include "base/whole_file.h"
#include "durability/cuttable_disk.h"
#include "file_system/disks_for_test.h"
#include "file_system/left_overs_for_test.h"

namespace levelfield::left_overs_test {

using Nothing = std::set<std::string>;

class LeftOversTest : public testing::TestWithParam<PowerCut> {
 protected:
  void SetUp() override {
    const std::string why = CuttableDisk::WhyNot(GetParam(), "ext4");
    if (!why.empty()) GTEST_SKIP() << why;
    options_ = {.cut = GetParam(),
                .file_system = "ext4",
                .mount_options = "",
                .bytes = SmallSizeOf("ext4"),
                .scratch = scratch_.path()};
  }

  const TemporaryDirectory scratch_;
  CuttableDisk::Options options_;
};

// Cuts it and mounts what is left.
std::unique_ptr<CuttableDisk> InFullUse(const CuttableDisk::Options& options) {
  StatusOr<std::unique_ptr<CuttableDisk>> disk = CuttableDisk::Make(options);
  if (!disk.ok() || !(*disk)->Cut(0.5, 1).ok() || !(*disk)->Recover().ok()) return nullptr;
  return std::move(*disk);
}

TEST_P(LeftOversTest, AreNoneAfterSuccess) {
  std::unique_ptr<CuttableDisk> disk = InFullUse(options_);
  ASSERT_NE(disk, nullptr);
  EXPECT_NE(WhatIsThereOf(scratch_.path()), Nothing());
  disk.reset();
  EXPECT_EQ(WhatIsLeftOf(scratch_.path()), Nothing());
}

TEST_P(LeftOversTest, AreNoneWhereAFileIsStillOpen) {
  std::unique_ptr<CuttableDisk> disk = InFullUse(options_);
  ASSERT_NE(disk, nullptr);
  {
    std::ofstream file(disk->directory() + "/file");
    file << "x" << std::flush;
    disk.reset();
    file << "y" << std::flush;
  }
  EXPECT_EQ(WhatIsLeftOf(scratch_.path()), Nothing());
}

TEST_P(LeftOversTest, AreNoneWhereMkfsOrMountFails) {
  CuttableDisk::Options too_small = options_;
  too_small.bytes = 4096;
  CuttableDisk::Options nonsense = options_;
  nonsense.mount_options = "nonsense";
  for (const auto& [options, what] :
       {std::pair(too_small, "mkfs.ext4"), std::pair(nonsense, "mount")}) {
    const StatusOr<std::unique_ptr<CuttableDisk>> disk = CuttableDisk::Make(options);
    ASSERT_FALSE(disk.ok());
    EXPECT_TRUE(disk.status().message().starts_with(what)) << disk.status().message();
    EXPECT_EQ(WhatIsLeftOf(scratch_.path()), Nothing());
  }
}

TEST(LeftOversOfADisk, AreNoneWhereItFailsToTheEnd) {
  const std::string why = CuttableDisk::WhyNot(PowerCut::kVolatile, "ext4");
  if (!why.empty()) GTEST_SKIP() << why;
  for (const char* const file_system : {"ext4", "xfs", "btrfs"}) {
    const TemporaryDirectory scratch;
    std::unique_ptr<CuttableDisk> disk = InFullUse({.cut = PowerCut::kVolatile,
                                                    .file_system = file_system,
                                                    .mount_options = "",
                                                    .bytes = SmallSizeOf(file_system),
                                                    .scratch = scratch.path()});
    ASSERT_NE(disk, nullptr);
    Write(disk->directory() + "/file", std::string(1 << 20, 'x'));
    for (const DiskFault what : {DiskFault::kReads, DiskFault::kWrites, DiskFault::kFlushes}) {
      ASSERT_TRUE(disk->Fail(what, 1).ok());
    }
    disk.reset();
    EXPECT_EQ(WhatIsLeftOf(scratch.path()), Nothing()) << file_system;
  }
}

// Each limit of open files is reached at another step.
TEST_P(LeftOversTest, AreNoneWhereThereAreTooFewDescriptors) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  int failures = 0;
  for (rlim_t most = 3; most < 100; ++most) {
    const rlimit limit{.rlim_cur = most, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    const bool made = InFullUse(options_) != nullptr;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_EQ(WhatIsLeftOf(scratch_.path()), Nothing()) << most << " descriptors";
    if (made) break;
    ++failures;
  }
  EXPECT_GE(failures, 4);
}

TEST_P(LeftOversTest, AreNoneAfterAKillOfTheProcess) {
  const pid_t child = fork();
  if (child == 0) {
    const std::unique_ptr<CuttableDisk> disk = InFullUse(options_);
    std::ofstream file(disk == nullptr ? "/nowhere/file" : disk->directory() + "/file");
    file << "x" << std::flush;
    raise(file.good() ? SIGSTOP : SIGABRT);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  // There is a device, but no mount: mounts are the child's alone.
  const Nothing there = WhatIsThereOf(scratch_.path());
  EXPECT_TRUE(std::ranges::any_of(there, [](const auto& each) { return each[1] == 'd'; }));
  EXPECT_TRUE(std::ranges::none_of(there, [](const auto& it) { return it.ends_with(" mounted"); }));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  // Only its mount points; the kernel removes no directories.
  for (const auto& each : std::filesystem::directory_iterator(scratch_.path())) {
    EXPECT_TRUE(each.is_directory()) << each.path();
  }
  for (int i = 0; i < 2; ++i) {
    for (const std::string& each : WhatIsThereOf(scratch_.path())) (void)rmdir(each.c_str());
    EXPECT_EQ(WhatIsLeftOf(scratch_.path()), Nothing());
  }
}

TEST_P(LeftOversTest, AreSeenByNoOtherProcess) {
  const std::unique_ptr<CuttableDisk> disk = InFullUse(options_);
  ASSERT_NE(disk, nullptr);
  EXPECT_NE(ReadAll("/proc/self/mounts").find(scratch_.path()), std::string::npos);
  EXPECT_EQ(ReadAll("/proc/1/mounts").find(scratch_.path()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(OfADisk, LeftOversTest,
                         testing::Values(PowerCut::kShutdown, PowerCut::kVolatile),
                         [](const auto& each) {
                           return each.param == PowerCut::kShutdown ? "Shutdown" : "Volatile";
                         });

}  // namespace levelfield::left_overs_test
