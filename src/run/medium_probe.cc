#include "run/medium_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/whole_file.h"
#include "run/block_device.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// The value of an option of a mount: "/a/b" of "upperdir=/a/b,workdir=/c"; the name of one without.
std::string OptionOf(std::string_view options, std::string_view name) {
  while (!options.empty()) {
    const std::string_view option = options.substr(0, options.find(','));
    options.remove_prefix(std::min(option.size() + 1, options.size()));
    if (option == name) return std::string(name);
    if (option.starts_with(name) && option.size() > name.size() && option[name.size()] == '=') {
      return std::string(option.substr(name.size() + 1));
    }
  }
  return "";
}

bool LivesInMemory(const Mount& mount) { return mount.type == "tmpfs" || mount.type == "ramfs"; }

// "write back" or "write through"; of a partition, its disk's.
std::string WriteCacheOf(const std::string& block_device) {
  std::string text;
  for (const char* const queue : {"/queue/write_cache", "/../queue/write_cache"}) {
    if (text.empty() && !block_device.empty()) text = ReadAll(block_device + queue);
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// What lies below the device: of one in memory nothing that stays, of a loop device what its file
// is on. Nothing is known against others.
Medium MediumBelow(const std::string& block_device) {
  std::error_code error;
  const std::string name = fs::weakly_canonical(block_device, error).filename().string();
  if (name.starts_with("zram") || name.starts_with("ram") || name.starts_with("brd")) {
    return {.volatile_because = name + ", which forgets everything with the power"};
  }
  const std::string file = BackingFileOf(block_device);
  return file.empty() ? Medium() : MediumOf(fs::path(file).parent_path());
}

// What is wrong with what lies below is wrong with the medium, too.
void AddBelow(const std::string& how, const Medium& below, Medium& medium) {
  const auto add = [&](const std::string& what, std::string& text) {
    if (!what.empty()) text += (text.empty() ? "" : "; ") + how + what;
  };
  add(below.volatile_because, medium.volatile_because);
  add(below.doubt, medium.doubt);
}

}  // namespace

Medium JudgeMedium(const std::vector<Mount>& mounts, const std::string& path,
                   std::string_view write_cache) {
  const Mount* const mount = MountOf(mounts, path);
  if (mount == nullptr) return {.doubt = "/proc/self/mountinfo names no mount for it"};
  Medium medium{.filesystem = mount->type, .write_cache = std::string(write_cache)};
  if (LivesInMemory(*mount)) {
    medium.volatile_because = mount->type + ", which forgets everything with the power";
  } else if (mount->type == "overlay") {
    const Mount* const upper = MountOf(mounts, OptionOf(mount->super_options, "upperdir"));
    if (upper != nullptr && LivesInMemory(*upper)) {
      medium.filesystem = "overlay on " + upper->type;
      medium.volatile_because = medium.filesystem + ", which forgets everything with the power";
    } else if (!OptionOf(mount->super_options, "volatile").empty()) {
      medium.volatile_because = "overlay mounted `volatile`, which answers syncs without any";
    }
  } else if (!OptionOf(mount->super_options, "nobarrier").empty() ||
             OptionOf(mount->super_options, "barrier") == "0") {
    medium.volatile_because =
        mount->type + " mounted without barriers: no sync has the device flush its cache";
  }
  // Whose word it is that something is synced.
  constexpr std::array kOfOthers = {"9p", "nfs", "nfs4", "cifs", "smb3", "ceph", "virtiofs"};
  if (std::ranges::find(kOfOthers, mount->type) != kOfOthers.end() ||
      mount->type.starts_with("fuse")) {
    medium.doubt = mount->type + ": what a sync is worth is up to whoever serves it";
  } else if (mount->type == "ext2" || mount->type == "vfat" || mount->type == "exfat") {
    medium.doubt = mount->type +
                   " has no journal: after a power cut its directories are what fsck makes of them";
  } else if (OptionOf(mount->super_options, "data") == "writeback") {
    medium.doubt = mount->type +
                   " mounted data=writeback: after a power cut files may hold what was "
                   "in their blocks before";
  }
  return medium;
}

Medium MediumOf(const std::string& path, const std::string& journal) {
  const std::vector<Mount> mounts = ParseMounts(ReadAll("/proc/self/mountinfo"));
  std::error_code error;
  const std::string absolute = fs::weakly_canonical(path, error).string();
  const Mount* const mount = MountOf(mounts, absolute);
  const std::string device = mount != nullptr ? BlockDeviceOf(*mount) : "";
  Medium medium = JudgeMedium(mounts, absolute, WriteCacheOf(device));
  if (!device.empty()) AddBelow("its image is on ", MediumBelow(device), medium);
  if (journal.empty()) return medium;
  const Medium below = fs::is_directory(journal, error)
                           ? MediumOf(journal)
                           : MediumBelow("/sys/class/block/" +
                                         fs::weakly_canonical(journal, error).filename().string());
  AddBelow("its journal is on ", below, medium);
  return medium;
}

std::string SyncEaterIn(std::string_view maps) {
  const size_t name = maps.find("/libeatmydata");
  if (name == std::string_view::npos) return "";
  const size_t begin = maps.rfind(' ', name) + 1;
  return std::string(maps.substr(begin, maps.find('\n', name) - begin));
}

}  // namespace levelfield
