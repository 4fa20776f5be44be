#include "file_system/mount_point.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "file_system/tool.h"

namespace levelfield {

std::string WhyNoMounts() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &header, data) == 0 &&
      (data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN)) != 0) {
    return "";
  }
  return "this process may not mount: run as root, in a container with --privileged";
}

bool GoToTheRootOfMounts() {
  const UniqueFd mounts(open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
  return setns(mounts.get(), CLONE_NEWNS) == 0;
}

namespace {

// A chroot's root need not be a mount point, and mount() then refuses it (EINVAL). In that case we
// leave the chroot, do it there, and enter the chroot again.
bool MakeMountsPrivate() {
  const auto make_private = [] {
    return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  };
  if (make_private()) return true;
  if (errno != EINVAL) return false;
  const UniqueFd root(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const UniqueFd here(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  return GoToTheRootOfMounts() && make_private() && fchdir(root.get()) == 0 && chroot(".") == 0 &&
         fchdir(here.get()) == 0;
}

}  // namespace

Status HaveMountsOfOurOwn() {
  static pid_t whose = 0;  // A forked child has its parent's mounts, which outlive it.
  if (whose == getpid()) return Status::Ok();
  if (unshare(CLONE_NEWNS) != 0 || !MakeMountsPrivate()) {
    return Status::Failed(
        fmt::format("cannot have mounts of one's own: {}; run as root", std::strerror(errno)));
  }
  whose = getpid();
  return Status::Ok();
}

StatusOr<MountPoint> MountPoint::Make(const std::string& scratch) {
  RETURN_IF_ERROR(HaveMountsOfOurOwn());
  std::string directory = scratch + "/mount_XXXXXX";
  if (mkdtemp(directory.data()) == nullptr) {
    return Status::Failed(fmt::format("cannot make a directory in {} to mount on: {}", scratch,
                                      std::strerror(errno)));
  }
  return MountPoint(std::move(directory));
}

MountPoint::MountPoint(MountPoint&& other) noexcept
    : directory_(std::exchange(other.directory_, "")) {}

MountPoint::~MountPoint() {
  if (directory_.empty()) return;
  (void)umount2(directory_.c_str(), MNT_DETACH);
  (void)rmdir(directory_.c_str());
}

Status MountPoint::Mount(const std::string& device, const std::string& file_system,
                         const std::string& options) {
  std::vector<std::string> words = {"mount", "-t", file_system, device, directory_};
  if (!options.empty()) words.insert(words.end(), {"-o", options});
  // One at a time: if copies of a btrfs are mounted at the same moment, the kernel (Linux 6.18)
  // mixes up their identifiers and refuses one ("superblock metadata_uuid doesn't match").
  const UniqueFd turn(open(("/sys/fs/" + file_system).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  (void)flock(turn.get(), LOCK_EX);
  Status status = RunTool(words);
  // The kernel may also take the device for a part of the previous copy until it is told to forget
  // that.
  for (int i = 0; i < 3 && !status.ok() && file_system == "btrfs"; ++i) {
    (void)RunTool({"btrfs", "device", "scan", "--forget", device});
    status = RunTool(words);
  }
  return status.ok() ? CheckMounted() : status;
}

Status MountPoint::CheckMounted() const {
  struct stat here {};
  struct stat above {};
  if (stat(directory_.c_str(), &here) != 0 || stat((directory_ + "/..").c_str(), &above) != 0) {
    return Status::Failed(
        fmt::format("cannot see what is mounted on {}: {}", directory_, std::strerror(errno)));
  }
  if (here.st_dev != above.st_dev) return Status::Ok();
  return Status::Failed(fmt::format("nothing is mounted on {}", directory_));
}

Status MountPoint::Unmount() {
  constexpr uint64_t kPatienceNs = 5'000'000'000;
  const uint64_t start_ns = MonotonicNs();
  // A killed process releases its files a moment later.
  while (umount2(directory_.c_str(), 0) != 0) {
    if (errno != EBUSY || MonotonicNs() - start_ns > kPatienceNs) {
      return Status::Failed(fmt::format("cannot unmount {}: {}", directory_, std::strerror(errno)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Status::Ok();
}

}  // namespace levelfield
