#include "probe/loop_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/unique_fd.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

std::optional<LoopImage::Place> PlaceBehind(const std::string& loop_device,
                                            const std::string& number) {
  const UniqueFd fd(open(loop_device.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  loop_info64 info{};
  const bool is_told = fd.ok() && fstat(fd.get(), &status) == 0 && S_ISBLK(status.st_mode) &&
                       NumberOf(status.st_rdev) == number &&
                       ioctl(fd.get(), LOOP_GET_STATUS64, &info) == 0;
  if (!is_told) return std::nullopt;
  LoopImage::Place place{.device = info.lo_device, .inode = info.lo_inode};
  // For other files the kernel says 0, or their file system's device again.
  if (info.lo_rdevice != 0 && info.lo_rdevice != info.lo_device) {
    place.block_device = info.lo_rdevice;
  }
  return place;
}

// File systems without a device that write to something have a "backing device" of their own in the
// kernel, named "0:45" after their number or "btrfs-1" after their kind; those in memory have none.
bool MayWriteSomewhere(dev_t device) {
  std::error_code error;
  for (fs::directory_iterator at("/sys/class/bdi", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::string number = NumberOf(device);
    const bool is_of_a_kind = std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (is_of_a_kind || name == number || name.starts_with(number + "-")) return true;
  }
  return static_cast<bool>(error);
}

bool HasMemfds(dev_t device) {
  const UniqueFd fd(memfd_create("levelfield", MFD_CLOEXEC));
  struct stat status {};
  return fd.ok() && fstat(fd.get(), &status) == 0 && status.st_dev == device;
}

}  // namespace

std::optional<LoopImage> LoopImageOf(const std::string& disk, const std::string& root) {
  const auto line_of = [&](const char* file) {
    const std::string text = ReadAll(disk + file);
    return text.substr(0, text.find('\n'));
  };
  std::string name = line_of("/loop/backing_file");
  if (name.empty()) return std::nullopt;
  std::error_code error;
  const std::string device = fs::weakly_canonical(disk, error).filename().string();
  return LoopImage{.name = std::move(name),
                   .place = PlaceBehind(root + "/dev/" + device, line_of("/dev"))};
}

std::string PathTo(const LoopImage& image) {
  constexpr std::string_view kDeleted = " (deleted)";
  struct stat status {};
  const auto is_there = [&](const std::string& path) {
    return stat(path.c_str(), &status) == 0 && status.st_dev == image.place->device;
  };
  if (!image.place) return "";
  if (is_there(image.name) && status.st_ino == image.place->inode) return image.name;
  const std::string directory = fs::path(image.name).parent_path().string();
  return image.name.ends_with(kDeleted) && is_there(directory) ? directory : "";
}

std::string WhyInMemory(dev_t device) {
  if (HasMemfds(device)) {
    return "the kernel's own tmpfs (memfd), which forgets everything with the power";
  }
  if (major(device) != 0 || MayWriteSomewhere(device)) return "";
  return fmt::format("a file system in memory that is mounted nowhere here ({})", NumberOf(device));
}

std::string NumberOf(dev_t device) { return fmt::format("{}:{}", major(device), minor(device)); }

}  // namespace levelfield
