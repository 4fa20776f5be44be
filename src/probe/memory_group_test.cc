#include "probe/memory_group.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/child_for_test.h"
#include "base/files_for_test.h"

namespace levelfield::memory_group_test {

namespace fs = std::filesystem;

constexpr std::string_view kMounts1 =
    "30 25 0:26 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n"
    "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(MemoryHierarchy, IsFoundWhereItIsMounted) {
  const auto found = [](std::string_view cgroups, std::string_view mounts) {
    const auto hierarchy = FindMemoryHierarchy(cgroups, mounts);
    return hierarchy ? hierarchy->directory + " v" + std::to_string(hierarchy->version) : "";
  };
  EXPECT_EQ(found("4:memory:/a/b\n1:cpu:/c\n0::/d\n", kMounts1), "/sys/fs/cgroup/memory/a/b v1");
  EXPECT_EQ(found("0::/user.slice/x\n", "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 c rw\n"),
            "/sys/fs/cgroup/user.slice/x v2");
  EXPECT_EQ(found("4:memory:/docker/7/x\n",
                  "30 25 0:26 /docker/7 /sys/fs/cgroup/memory rw - cgroup c rw,memory\n"),
            "/sys/fs/cgroup/memory/x v1")
      << "a container sees a part of it";
  EXPECT_EQ(found("4:memory:/a\n0::/\n", ""), "");
  EXPECT_EQ(found("", kMounts1), "");
}

// Uses this much memory in the group; returns how it ended.
int UseInside(const MemoryGroup& group, size_t bytes) {
  return InChild([&] {
    if (write(group.procs_fd(), "0", 1) != 1) return 3;
    std::vector<char> memory(bytes);
    std::memset(memory.data(), 1, memory.size());
    volatile char last = memory.back();
    return last == 1 ? 0 : 2;
  });
}

class Groups : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const Status status = CheckMemoryGroups(); !status.ok()) GTEST_SKIP() << status.message();
  }
  // All groups beside each other, whoever made them.
  static std::vector<std::string> All() {
    std::vector<std::string> names;
    StatusOr<MemoryGroup> group = MemoryGroup::Create(uint64_t{64} << 20);
    EXPECT_TRUE(group.ok());
    const std::string own =
        fs::path(fs::read_symlink("/proc/self/fd/" + std::to_string(group->procs_fd())))
            .parent_path();
    for (const auto& entry : fs::directory_iterator(fs::path(own).parent_path())) {
      const std::string name = entry.path().filename();
      if (name.starts_with("levelfield-") && entry.path() != own) names.push_back(name);
    }
    return names;
  }
};

TEST_F(Groups, HoldWhatFitsAndKillWhatDoesNot) {
  const StatusOr<MemoryGroup> group = MemoryGroup::Create(uint64_t{64} << 20);
  ASSERT_TRUE(group.ok()) << group.status().message();
  EXPECT_EQ(UseInside(*group, 16 << 20), 0);
  EXPECT_FALSE(group->HasKilled());
  EXPECT_GE(group->PeakBytes(), uint64_t{16} << 20);
  EXPECT_LE(group->PeakBytes(), uint64_t{64} << 20);
  EXPECT_EQ(UseInside(*group, 256 << 20), 128 + SIGKILL);
  EXPECT_TRUE(group->HasKilled());
}

TEST_F(Groups, HoldMoreWhileTheLimitIsLifted) {
  StatusOr<MemoryGroup> group = MemoryGroup::Create(uint64_t{64} << 20);
  ASSERT_TRUE(group.ok()) << group.status().message();
  ASSERT_TRUE(group->Lift().ok());
  EXPECT_EQ(UseInside(*group, 256 << 20), 0);
  ASSERT_TRUE(group->Hold().ok());
  EXPECT_EQ(UseInside(*group, 16 << 20), 0);
  EXPECT_LE(group->PeakBytes(), uint64_t{64} << 20) << "counted since the limit is back";
  EXPECT_EQ(UseInside(*group, 256 << 20), 128 + SIGKILL);
}

// Other programs' groups come and go meanwhile.
TEST_F(Groups, AreGoneWithTheirObject) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(MemoryGroup::Create(uint64_t{64} << 20).ok());
  for (const std::string& name : All()) {
    EXPECT_FALSE(name.starts_with("levelfield-" + std::to_string(getpid()) + "-")) << name;
  }
}

TEST_F(Groups, ThatAKilledDriverHasLeftAreRemovedByTheNext) {
  const pid_t pid = fork();
  if (pid == 0) {
    const StatusOr<MemoryGroup> group = MemoryGroup::Create(uint64_t{64} << 20);
    raise(group.ok() ? SIGKILL : SIGABRT);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  for (const std::string& name : All()) {
    EXPECT_FALSE(name.starts_with("levelfield-" + std::to_string(pid) + "-")) << name;
  }
}

// On a machine with version 1's memory controller, no group of version 2 has memory. So plain files
// in a directory stand in for what is read and written there.
TEST(GroupOfVersion2, IsReadAndWrittenByItsOwnNames) {
  const TemporaryDirectory files;
  const MemoryHierarchy group{.directory = files.path(), .version = 2};
  EXPECT_EQ(SetMemoryLimit(group, 1000).kind(), ErrorKind::kUsage) << "there is no memory.max";
  for (const char* const name : {"memory.max", "memory.swap.max"}) Write(files / name, "max\n");
  ASSERT_TRUE(SetMemoryLimit(group, 64 << 20).ok());
  EXPECT_EQ(Read(files / "memory.max"), "67108864");
  EXPECT_EQ(Read(files / "memory.swap.max").substr(0, 1), "0");
  ASSERT_TRUE(SetMemoryLimit(group, 0).ok());
  EXPECT_EQ(Read(files / "memory.max").substr(0, 3), "max");
  EXPECT_EQ(PeakOf(group), 0u) << "a kernel before 5.19 has no memory.peak";
  Write(files / "memory.peak", "12345678\n");
  EXPECT_EQ(PeakOf(group), 12345678u);
  Write(files / "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 0\noom_group_kill 0\n");
  EXPECT_FALSE(HasKilledIn(group));
  Write(files / "memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 2\noom_group_kill 0\n");
  EXPECT_TRUE(HasKilledIn(group));
}

TEST(GroupOfVersion2, WithoutTheControllerIsRefusedAndSaysSo) {
  const TemporaryDirectory files;
  Write(files / "cgroup.controllers", "cpu io pids\n");
  Write(files / "cgroup.subtree_control", "");
  EXPECT_NE(HandOn(files.path(), "memory").message().find("has no memory controller"),
            std::string::npos);
  Write(files / "cgroup.controllers", "cpu io memory\n");
  ASSERT_TRUE(HandOn(files.path(), "memory").ok());
  EXPECT_EQ(Read(files / "cgroup.subtree_control"), "+memory");
  Write(files / "cgroup.subtree_control", "cpu memory\n");
  ASSERT_TRUE(HandOn(files.path(), "memory").ok());
  EXPECT_EQ(Read(files / "cgroup.subtree_control"), "cpu memory\n") << "it is handed on already";
}

// The kernel's rule, with any controller that version 2 has here: a group with processes in it
// gives its groups no controller (EBUSY), so this process must move first.
TEST(GroupOfVersion2, IsLeftForALeafByWhoHandsItsControllerOn) {
  const std::string mounts = Read("/proc/self/mountinfo");
  const auto root = FindMemoryHierarchy("0::/\n", mounts);
  if (!root) GTEST_SKIP() << "no cgroup2 is mounted: the kernel's own rule is not tried here";
  const std::string listed = Read(root->directory + "/cgroup.controllers");
  const bool has_memory = listed.find("memory") != std::string::npos;
  const std::string controller =
      has_memory ? "memory" : listed.substr(0, listed.find_first_of(" \n"));
  if (controller.empty()) GTEST_SKIP() << "cgroup2 has no controller here: EBUSY is not tried";
  const std::string root_control = root->directory + "/cgroup.subtree_control";
  const bool was_on = Read(root_control).find(controller) != std::string::npos;
  const std::string group = root->directory + "/levelfield-test-" + std::to_string(getpid());
  if (mkdir(group.c_str(), 0755) != 0) {
    GTEST_SKIP() << "cgroup2 is not ours to write to: EBUSY is not tried: " << std::strerror(errno);
  }
  if (!was_on) Write(root_control, "+" + controller);
  const auto hand_on = [&] {
    Write(group + "/cgroup.procs", "0");
    // The control: without the move the kernel refuses.
    {
      std::ofstream control(group + "/cgroup.subtree_control");
      control << "+" << controller << std::flush;
      if (control.good()) return 2;
    }
    return HandOn(group, controller).ok() ? 0 : 1;
  };
  EXPECT_EQ(InChild(hand_on), 0) << "2: the kernel let it, 1: it was not handed on";
  EXPECT_NE(Read(group + "/cgroup.subtree_control").find(controller), std::string::npos);
  size_t leaves = 0;
  for (const auto& entry : fs::directory_iterator(group)) {
    if (!entry.is_directory()) continue;
    ++leaves;
    EXPECT_EQ(rmdir(entry.path().c_str()), 0) << std::strerror(errno);
  }
  EXPECT_EQ(leaves, 1u);
  EXPECT_EQ(rmdir(group.c_str()), 0) << std::strerror(errno);
  if (!was_on) Write(root_control, "-" + controller);
}

}  // namespace levelfield::memory_group_test
