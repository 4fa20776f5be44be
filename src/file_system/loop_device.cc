#include "file_system/loop_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

#include "base/whole_file.h"

namespace levelfield {
namespace {

constexpr const char* kControl = "/dev/loop-control";
constexpr int kLoopMajor = 7;
// Another process may take the free device that the kernel has just named.
constexpr int kMostTries = 1000;

}  // namespace

StatusOr<ImageFile> ImageFile::Make(const std::string& directory, uint64_t bytes) {
  UniqueFd fd(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  const bool can_be_named = fd.ok();
  if (!can_be_named && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string path = directory + "/image_XXXXXX";
    fd = UniqueFd(mkostemp(path.data(), O_CLOEXEC));
    if (fd.ok() && unlink(path.c_str()) != 0) fd = UniqueFd();
  }
  if (fd.ok() && ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0) {
    return ImageFile(std::move(fd), can_be_named);
  }
  return Status::Failed(fmt::format("cannot make a file of {} bytes in {} for a file system: {}",
                                    bytes, directory, std::strerror(errno)));
}

Status ImageFile::Keep(const std::string& path) const {
  const std::string self = fmt::format("/proc/self/fd/{}", fd_.get());
  if (can_be_named_ &&
      linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return Status::Ok();
  }
  return Status::Failed(
      fmt::format("cannot keep an image of a file system as {}: {}", path,
                  can_be_named_ ? std::strerror(errno) : "its directory has no unnamed files"));
}

std::string LoopDevice::WhyNot() {
  const UniqueFd control(open(kControl, O_RDWR | O_CLOEXEC));
  if (control.ok() && access("/sys/block", F_OK) != 0) {
    return "nothing counts what is written to a loop device: mount -t sysfs sysfs /sys";
  }
  if (control.ok()) return "";
  return fmt::format("no loop devices: {}: {}; run as root, in a container with --privileged",
                     kControl, std::strerror(errno));
}

LoopDevice::LoopDevice(int number, UniqueFd fd)
    : path_(fmt::format("/dev/loop{}", number)),
      counters_(fmt::format("/sys/block/loop{}/stat", number)),
      fd_(std::move(fd)) {}

StatusOr<LoopDevice> LoopDevice::Attach(const UniqueFd& file, bool direct_io) {
  const UniqueFd control(open(kControl, O_RDWR | O_CLOEXEC));
  if (!control.ok()) return Status::Failed(WhyNot());
  std::string path = kControl;
  for (int i = 0; i < kMostTries; ++i) {
    const int number = ioctl(control.get(), LOOP_CTL_GET_FREE);
    if (number < 0) break;
    path = fmt::format("/dev/loop{}", number);
    UniqueFd fd(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!fd.ok() && errno == ENOENT) {  // Without devtmpfs nobody makes the names.
      (void)mknod(path.c_str(), S_IFBLK | 0600, makedev(kLoopMajor, static_cast<unsigned>(number)));
      fd = UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC));
    }
    if (!fd.ok()) {
      if (errno == ENXIO || errno == EBUSY) continue;
      break;
    }
    loop_config config{};
    config.fd = static_cast<uint32_t>(file.get());
    config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
    if (direct_io) config.info.lo_flags |= LO_FLAGS_DIRECT_IO;
    if (ioctl(fd.get(), LOOP_CONFIGURE, &config) == 0) return LoopDevice(number, std::move(fd));
    if (errno != EBUSY) break;
  }
  return Status::Failed(
      fmt::format("cannot make a file a block device: {}: {}", path, std::strerror(errno)));
}

bool LoopDevice::has_direct_io() const {
  loop_info64 info{};
  return ioctl(fd_.get(), LOOP_GET_STATUS64, &info) == 0 &&
         (info.lo_flags & LO_FLAGS_DIRECT_IO) != 0;
}

DiskTraffic LoopDevice::SoFar() const {
  // Documentation/block/stat.rst: sectors written is the 7th, flushes the 16th (Linux 5.5).
  std::istringstream text(ReadAll(counters_));
  std::vector<uint64_t> numbers;
  for (uint64_t number = 0; text >> number;) numbers.push_back(number);
  if (numbers.size() < 16) return {};
  return {.written_bytes = numbers[6] * 512, .flushes = numbers[15]};
}

}  // namespace levelfield
