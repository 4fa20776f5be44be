#include "run/memory_group.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMounts1 =
    "30 25 0:26 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n"
    "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(MemoryHierarchy, IsThatOfVersion1WhereMemoryIsThere) {
  const auto found = FindMemoryHierarchy("4:memory:/a/b\n1:cpu:/c\n0::/d\n", kMounts1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->directory, "/sys/fs/cgroup/memory/a/b");
  EXPECT_EQ(found->version, 1);
}

TEST(MemoryHierarchy, IsTheOneHierarchyOfVersion2) {
  const auto found =
      FindMemoryHierarchy("0::/user.slice/x\n", "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 c rw\n");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->directory, "/sys/fs/cgroup/user.slice/x");
  EXPECT_EQ(found->version, 2);
}

TEST(MemoryHierarchy, IsFoundInAContainerThatSeesAPartOfIt) {
  const auto found =
      FindMemoryHierarchy("4:memory:/docker/7/x\n",
                          "30 25 0:26 /docker/7 /sys/fs/cgroup/memory rw - cgroup c rw,memory\n");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->directory, "/sys/fs/cgroup/memory/x");
}

TEST(MemoryHierarchy, IsNothingWhereNothingIsMounted) {
  EXPECT_FALSE(FindMemoryHierarchy("4:memory:/a\n0::/\n", "").has_value());
  EXPECT_FALSE(FindMemoryHierarchy("", kMounts1).has_value());
}

// Uses so many bytes in the group; how it ended, as waitpid tells.
int UseInside(const MemoryGroup& group, size_t bytes) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (write(group.procs_fd(), "0", 1) != 1) _exit(3);
    std::vector<char> memory(bytes);
    std::memset(memory.data(), 1, memory.size());
    volatile char last = memory.back();
    _exit(last == 1 ? 0 : 2);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

class Groups : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const Status status = CheckMemoryGroups(); !status.ok()) GTEST_SKIP() << status.message();
  }
  // Directories of groups beside each other, of whoever.
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
  const int status = UseInside(*group, 256 << 20);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_TRUE(group->HasKilled());
}

TEST_F(Groups, AreGoneWithTheirObject) {
  const size_t before = All().size();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(MemoryGroup::Create(uint64_t{64} << 20).ok());
  EXPECT_EQ(All().size(), before);
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

}  // namespace
}  // namespace levelfield
