#include "file_system/loop_file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "file_system/tool.h"

namespace levelfield {
namespace {

struct Kind {
  std::string name;
  std::string package;
  // All is written at once: nothing of the making is left for later, when it would be measured.
  std::vector<std::string> mkfs;
};

const std::vector<Kind>& Kinds() {
  static const std::vector<Kind> kinds = [] {
    const std::string now = "lazy_itable_init=0,lazy_journal_init=0,nodiscard";
    std::vector<Kind> all;
    for (const char* const name : {"ext2", "ext3", "ext4"}) {
      all.push_back(
          {name, "e2fsprogs", {std::string("mkfs.") + name, "-q", "-F", "-b", "4096", "-E", now}});
    }
    all.push_back({"xfs", "xfsprogs", {"mkfs.xfs", "-q", "-f", "-K"}});
    all.push_back({"btrfs", "btrfs-progs", {"mkfs.btrfs", "-q", "-f", "-K"}});
    return all;
  }();
  return kinds;
}

const Kind* KindOf(const std::string& name) {
  const auto it = std::ranges::find(Kinds(), name, &Kind::name);
  return it == Kinds().end() ? nullptr : &*it;
}

// Without a name: nothing of it is left when nobody has it open.
StatusOr<UniqueFd> MakeImage(const LoopFileSystem::Options& options) {
  std::string path = options.scratch + "/image_XXXXXX";
  UniqueFd fd(mkostemp(path.data(), O_CLOEXEC));
  if (fd.ok() && unlink(path.c_str()) == 0 &&
      ftruncate(fd.get(), static_cast<off_t>(options.bytes)) == 0) {
    return fd;
  }
  return Status::Failed(fmt::format("cannot make a file of {} bytes in {} for a file system: {}",
                                    options.bytes, options.scratch, std::strerror(errno)));
}

}  // namespace

std::string LoopFileSystem::WhyNot(const std::string& file_system) {
  const Kind* const kind = KindOf(file_system);
  if (kind == nullptr) {
    std::vector<std::string> names;
    for (const Kind& each : Kinds()) names.push_back(each.name);
    return fmt::format("{} is no file system that can be made here: {}", Quote(file_system),
                       fmt::join(names, ", "));
  }
  if (std::string why = WhyNoMounts(); !why.empty()) return why;
  if (std::string why = LoopDevice::WhyNot(); !why.empty()) return why;
  if (FindTool("mount").empty()) return "mount is not installed: apt-get install mount";
  if (FindTool(kind->mkfs.front()).empty()) {
    return fmt::format("{} is not installed: apt-get install {}", kind->mkfs.front(),
                       kind->package);
  }
  return "";
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::Make(const Options& options) {
  const StatusOr<UniqueFd> image = MakeImage(options);
  if (!image.ok()) return image.status();
  return MakeOn(*image, options);
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MakeOn(const UniqueFd& image,
                                                                 const Options& options) {
  if (std::string why = WhyNot(options.file_system); !why.empty()) return Status::Failed(why);
  StatusOr<LoopDevice> device = LoopDevice::Attach(image);
  if (!device.ok()) return device.status();
  std::vector<std::string> words = KindOf(options.file_system)->mkfs;
  words.push_back(device->path());
  const uint64_t written_before = device->SoFar().written_bytes;
  if (Status status = RunTool(words); !status.ok()) return status;
  if (device->SoFar().written_bytes == written_before) {
    return Status::Failed(fmt::format("{} made a file system on {}, but nothing was written to it",
                                      words.front(), device->path()));
  }
  return MountOn(std::move(*device), options);
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MountFrom(const UniqueFd& image,
                                                                    const Options& options) {
  StatusOr<LoopDevice> device = LoopDevice::Attach(image);
  if (!device.ok()) return device.status();
  return MountOn(std::move(*device), options);
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MountOn(LoopDevice device,
                                                                  const Options& options) {
  StatusOr<MountPoint> mount_point = MountPoint::Make(options.scratch);
  if (!mount_point.ok()) return mount_point.status();
  std::unique_ptr<LoopFileSystem> result(
      new LoopFileSystem(options, std::move(device), std::move(*mount_point)));
  if (Status status = result->Mount(); !status.ok()) return status;
  return result;
}

LoopFileSystem::LoopFileSystem(Options options, LoopDevice device, MountPoint mount_point)
    : options_(std::move(options)),
      device_(std::move(device)),
      mount_point_(std::move(mount_point)) {}

Status LoopFileSystem::Unmount() { return mount_point_.Unmount(); }

Status LoopFileSystem::Mount() {
  return mount_point_.Mount(device_.path(), options_.file_system, options_.mount_options);
}

Status LoopFileSystem::Remount(const std::string& options) {
  return RunTool({"mount", "-o", "remount," + options, mount_point_.directory()});
}

}  // namespace levelfield
