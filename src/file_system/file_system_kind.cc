#include "file_system/file_system_kind.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/quote.h"
#include "base/whole_file.h"
#include "file_system/loop_device.h"
#include "file_system/mount_point.h"
#include "file_system/tool.h"

namespace levelfield {
namespace {

using Journal = FileSystemKind::Journal;

constexpr uint64_t kMiB = uint64_t{1} << 20;

std::vector<std::string> Ext(const char* mkfs) {
  return {mkfs, "-q", "-F", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"};
}

const std::vector<FileSystemKind>& Kinds() {
  static const std::vector<FileSystemKind> kinds = {
      {"ext2", Ext("mkfs.ext2"), "e2fsprogs", 8 * kMiB, Journal::kNone, "ext2"},
      {"ext3", Ext("mkfs.ext3"), "e2fsprogs", 16 * kMiB, Journal::kJbd2, "ext3"},
      {"ext4", Ext("mkfs.ext4"), "e2fsprogs", 16 * kMiB, Journal::kJbd2, "ext4"},
      {"xfs", {"mkfs.xfs", "-q", "-f", "-K"}, "xfsprogs", 300 * kMiB, Journal::kXfsLog, "xfs"},
      {"btrfs",
       {"mkfs.btrfs", "-q", "-f", "-K"},
       "btrfs-progs",
       110 * kMiB,
       Journal::kNone,
       "btrfs"},
      {"f2fs", {"mkfs.f2fs", "-q", "-f"}, "f2fs-tools", 64 * kMiB, Journal::kNone, "f2fs"},
      {"jfs", {"mkfs.jfs", "-q"}, "jfsutils", 16 * kMiB, Journal::kNone, "jfs"},
      {"nilfs2",
       {"mkfs.nilfs2", "-q", "-f", "-K"},
       "nilfs-tools",
       128 * kMiB,
       Journal::kNone,
       "nilfs2"},
      {"reiserfs",
       {"mkfs.reiserfs", "-q", "-f", "-f"},
       "reiserfsprogs",
       64 * kMiB,
       Journal::kNone,
       "reiserfs"},
      {"exfat",
       {"mkfs.exfat"},
       "exfatprogs",
       16 * kMiB,
       Journal::kNone,
       "exfat",
       "mount.exfat-fuse",
       "exfat-fuse",
       "umask=0077"},
      {"ntfs",
       {"mkfs.ntfs", "-q", "-Q", "-F"},
       "ntfs-3g",
       16 * kMiB,
       Journal::kNone,
       "ntfs3",
       "ntfs-3g",
       "ntfs-3g",
       "umask=0077"},
      {"fuse2fs", Ext("mkfs.ext4"), "e2fsprogs", 16 * kMiB, Journal::kNone, "", "fuse2fs",
       "fuse2fs"},
  };
  return kinds;
}

}  // namespace

const FileSystemKind* FileSystemKindOf(const std::string& name) {
  const auto it = std::ranges::find(Kinds(), name, &FileSystemKind::name);
  return it == Kinds().end() ? nullptr : &*it;
}

std::string FileSystemKinds() {
  std::vector<std::string> names;
  for (const FileSystemKind& each : Kinds()) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool HasKernelType(const std::string& kernel_type) {
  // "nodev\tproc" or "\text4": the kinds that are loaded or built in.
  std::istringstream words(ReadAll("/proc/filesystems"));
  for (std::string word; words >> word;) {
    if (word == kernel_type) return true;
  }
  return !kernel_type.empty() && !FindTool("modprobe").empty() &&
         RunTool({"modprobe", "-n", "-q", "fs-" + kernel_type}).ok();
}

bool IsServed(const FileSystemKind& kind) {
  return !kind.server.empty() && !HasKernelType(kind.kernel_type);
}

std::string WhyNoFileSystem(const std::string& name) {
  const FileSystemKind* const kind = FileSystemKindOf(name);
  if (kind == nullptr) {
    return fmt::format("{} is no file system that can be made here: {}", Quote(name),
                       FileSystemKinds());
  }
  if (!HasKernelType(kind->kernel_type)) {
    if (kind->server.empty()) {
      return fmt::format(
          "this kernel has no {}: it is not in /proc/filesystems, and modprobe finds no module",
          name);
    }
    if (FindTool(kind->server).empty()) {
      return fmt::format("{}{} is not installed: apt-get install {}",
                         kind->kernel_type.empty()
                             ? ""
                             : fmt::format("this kernel has no {}, and ", kind->kernel_type),
                         kind->server, kind->server_package);
    }
    if (!UniqueFd(open("/dev/fuse", O_RDWR | O_CLOEXEC)).ok()) {
      return fmt::format("no FUSE, which {} needs: /dev/fuse: {}", kind->server,
                         std::strerror(errno));
    }
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

}  // namespace levelfield
