#include "probe/mount_table.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

// Of the path, or of the nearest directory above it that exists. Nothing before Linux 5.8.
std::optional<uint64_t> MountIdAt(const std::string& path) {
  std::filesystem::path at = path;
  struct statx status {};
  while (statx(AT_FDCWD, at.c_str(), 0, STATX_MNT_ID, &status) != 0) {
    if (errno != ENOENT || !at.has_relative_path()) return std::nullopt;
    at = at.parent_path();
  }
  return (status.stx_mask & STATX_MNT_ID) != 0 ? std::optional(status.stx_mnt_id) : std::nullopt;
}

}  // namespace

MountTable::MountTable(const std::string& root) : is_of_this_machine_(root.empty()) {
  for (const std::string& line : Parts(ReadAll(root + "/proc/self/mountinfo"), '\n')) {
    const std::vector<Mount> mount = ParseMounts(line);
    if (mount.empty()) continue;
    mounts_.push_back(mount.front());
    ids_.push_back(Digits(line.substr(0, line.find(' '))).value_or(0));
  }
}

const Mount* MountTable::At(const std::string& path) const {
  if (const auto id = is_of_this_machine_ ? MountIdAt(path) : std::nullopt) {
    const auto found = std::ranges::find(ids_, *id);
    if (found != ids_.end()) return &mounts_[static_cast<size_t>(found - ids_.begin())];
  }
  return MountOf(mounts_, path);
}

const Mount* MountTable::OfDevice(const std::string& number) const {
  const auto found = std::ranges::find(mounts_, number, &Mount::device);
  return found == mounts_.end() ? nullptr : &*found;
}

}  // namespace levelfield
