#include "file_system/mount_point.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/child_for_test.h"
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
  const int code = InChild([] {
    if (!HaveMountsOfOurOwn().ok()) return 1;
    if (access("/proc", F_OK) != 0 || access("../scratch", F_OK) != 0) return 2;
    if (mount("none", "/scratch", "tmpfs", 0, nullptr) != 0) return 3;
    return mkdir("/scratch/inside", 0700) == 0 ? 0 : 4;
  });
  return code == 0 && access("/scratch/inside", F_OK) == 0 ? 5 : code;
}

TEST(MountPointTest, AChrootWhoseRootIsNoMountPointHasMountsOfItsOwn) {
  const TemporaryDirectory root;
  const int code = InChild([&root] { return InAChroot(root.path()); });
  if (code == kMayNotMount) GTEST_SKIP() << "may not mount here";
  EXPECT_EQ(code, 0);
}

}  // namespace levelfield::mount_point_test
