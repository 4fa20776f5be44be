#include "file_system/mount_point.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/files_for_test.h"

namespace levelfield::mount_point_test {

constexpr int kMayNotMount = 77;

// Runs in a child. Mounts something in a chroot to `root`, a plain directory. Returns 0 on success.
int InAChroot(const std::string& root) {
  const std::string proc = root + "/proc";
  if (!HaveMountsOfOurOwn().ok() || mkdir(proc.c_str(), 0700) != 0 ||
      mount("proc", proc.c_str(), "proc", 0, nullptr) != 0 || chroot(root.c_str()) != 0 ||
      mkdir("/scratch", 0700) != 0 || chdir("/scratch") != 0) {
    return kMayNotMount;
  }
  // A child has no mounts of its own yet.
  const pid_t child = fork();
  if (child == 0) {
    if (!HaveMountsOfOurOwn().ok()) _exit(1);
    if (access("/proc", F_OK) != 0 || access("../scratch", F_OK) != 0) _exit(2);
    _exit(mount("none", "/scratch", "tmpfs", 0, nullptr) == 0 && mkdir("/scratch/inside", 0700) == 0
              ? 0
              : 3);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 4;
  if (WEXITSTATUS(status) == 0 && access("/scratch/inside", F_OK) == 0) return 5;
  return WEXITSTATUS(status);
}

TEST(MountPointTest, AChrootWhoseRootIsNoMountPointHasMountsOfItsOwn) {
  const TemporaryDirectory root;
  const pid_t child = fork();
  if (child == 0) _exit(InAChroot(root.path()));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kMayNotMount) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace levelfield::mount_point_test
