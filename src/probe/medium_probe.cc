#include "probe/medium_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "probe/block_device.h"
#include "probe/loop_image.h"
#include "probe/mount_table.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Loop devices on overlays on loop devices end at some depth; nothing deeper is believed.
constexpr int kMostLayers = 16;

bool LivesInMemory(const Mount& mount) {
  constexpr std::array kKinds = {"tmpfs", "ramfs", "rootfs", "devtmpfs", "hugetlbfs"};
  return std::ranges::find(kKinds, mount.type) != kKinds.end();
}

bool ForgetsEverything(const std::string& device) {
  constexpr std::array kKinds = {"zram", "ram", "brd", "nullb"};
  return std::ranges::any_of(kKinds, [&](const char* kind) { return device.starts_with(kind); });
}

// The option that keeps every sync from flushing the device's cache, as the file systems show it:
// ext4, XFS before Linux 4.19, btrfs, nilfs2; ext3 and ocfs2; reiserfs; f2fs; bcachefs.
std::string NoBarrierIn(const std::string& options) {
  constexpr std::array<const char*, 5> kSpellings = {
      "nobarrier", "barrier=0", "barrier=none", "fsync_mode=nobarrier", "journal_flush_disabled"};
  for (const std::string spelling : kSpellings) {
    const size_t equals = spelling.find('=');
    const std::string value = OptionOf(options, spelling.substr(0, equals));
    if (value == (equals == std::string::npos ? spelling : spelling.substr(equals + 1))) {
      return spelling;
    }
  }
  return "";
}

void AddText(const std::string& what, std::string& text) {
  if (!what.empty()) text += (text.empty() ? "" : "; ") + what;
}

std::string WithoutJournal(const std::string& type) {
  return type + " has no journal: after a power cut its directories are what fsck makes of them";
}

class Walk {
 public:
  explicit Walk(const std::string& root) : root_(root), mounts_(root) {}

  Storage OfPath(const std::string& path) {
    std::error_code error;
    const std::string absolute = root_.empty() ? fs::weakly_canonical(path, error).string() : path;
    if (const Mount* const mount = mounts_.At(absolute)) return OfMount(*mount);
    const std::string unknown = "/proc/self/mountinfo names no mount for " + absolute;
    return {.medium = {.doubt = unknown, .unverifiable_because = unknown}};
  }

  // Adds what is behind one device.
  void AddDevice(const std::string& device, bool is_one_of_several, Storage& storage) {
    const std::string disk = DiskOf(device);
    const std::string name = NameOf(disk);
    Storage found;
    ++layers_;
    if (layers_ > kMostLayers) {
      Doubt(fmt::format("more than {} layers of devices", kMostLayers), found);
    } else if (ForgetsEverything(name)) {
      found.medium.volatile_because = "its device " + name + " forgets everything with the power";
    } else {
      AddDisk(disk, found);
    }
    --layers_;
    Add(is_one_of_several ? "its device " + name + ": " : "", found, storage);
  }

  void AddJournal(const std::string& journal, Storage& storage) {
    std::error_code error;
    Storage below;
    if (fs::is_directory(root_ + journal, error)) {
      below = OfPath(journal);
    } else if (const std::string device = BlockDeviceNamed(journal, root_); !device.empty()) {
      below = OfDevice(device);
    }
    below.disks.clear();  // Counted at the file system itself.
    below.medium.write_cache = WriteCache::kUnknown;
    Add("its journal is on ", below, storage);
  }

 private:
  Storage OfMount(const Mount& mount) {
    Storage storage{.medium = JudgeMount(mount)};
    if (LivesInMemory(mount)) return storage;
    if (LacksJournal(mount, root_)) AddText(WithoutJournal(mount.type), storage.medium.doubt);
    ++layers_;
    if (layers_ > kMostLayers) {
      Doubt(fmt::format("more than {} layers of devices and overlays", kMostLayers), storage);
    } else if (mount.type == "overlay") {
      AddUpper(mount, storage);
    } else {
      AddDevicesOf(mount, storage);
    }
    --layers_;
    return storage;
  }

  Storage OfDevice(const std::string& device) {
    Storage storage{.medium = {.filesystem = NameOf(device)}};
    AddDevice(device, false, storage);
    return storage;
  }

  static void Doubt(const std::string& why, Storage& storage) {
    AddText(why, storage.medium.unverifiable_because);
  }

  // A fault of a lower layer is a fault of the medium, too.
  static void Add(const std::string& how, const Storage& below, Storage& storage) {
    const auto add = [&](const std::string& what, std::string& text) {
      // "its image is on xfs, its device ...": how it is on what, which is the worse for ...
      const bool is_of_below = !how.empty() && !how.ends_with(": ") && what.starts_with("its ");
      if (!what.empty() && what != text) {  // The same fault is said once.
        AddText(how + (is_of_below ? below.medium.filesystem + ", " : "") + what, text);
      }
    };
    Medium& medium = storage.medium;
    add(below.medium.volatile_because, medium.volatile_because);
    add(below.medium.doubt, medium.doubt);
    add(below.medium.unverifiable_because, medium.unverifiable_because);
    // The least safe of all.
    medium.write_cache = std::max(medium.write_cache, below.medium.write_cache);
    for (const std::string& disk : below.disks) {
      if (std::ranges::find(storage.disks, disk) != storage.disks.end()) continue;
      storage.disks.push_back(disk);
      medium.devices += (medium.devices.empty() ? "" : ", ") + NameOf(disk);
    }
  }

  void AddUpper(const Mount& overlay, Storage& storage) {
    const std::string upper = OptionOf(overlay.super_options, "upperdir");
    std::error_code error;
    const bool is_here = upper.starts_with('/') && fs::is_directory(root_ + upper, error) &&
                         mounts_.At(upper) != &overlay;
    if (!is_here) {  // It has the name that its mounter saw, as outside of a container.
      Doubt(fmt::format("overlay: its upper directory {} cannot be seen from here", upper),
            storage);
      return;
    }
    Storage below = OfPath(upper);
    storage.medium.filesystem += " on " + below.medium.filesystem;
    storage.devices = below.devices;
    Add("its upper directory is on ", below, storage);
  }

  void AddDevicesOf(const Mount& mount, Storage& storage) {
    storage.devices = BlockDevicesOf(mount, root_);
    if (storage.devices.empty()) {
      Doubt(mount.type + ": it is on no block device that can be seen from here", storage);
    }
    for (const std::string& device : storage.devices) {
      AddDevice(device, storage.devices.size() > 1, storage);
    }
  }

  void AddDisk(const std::string& disk, Storage& storage) {
    const std::vector<std::string> parts = PartsOf(disk);
    const std::string uncounted = WhyFlushesAreUncounted(disk);
    for (const std::string& part : parts) AddDevice(part, true, storage);
    if (!parts.empty() && !uncounted.empty()) return;  // The parts count for it.
    if (!parts.empty()) {
      storage.disks.clear();
      storage.medium.devices.clear();
      storage.medium.unverifiable_because.clear();
    }
    storage.disks.push_back(disk);
    storage.medium.devices = NameOf(disk);
    storage.medium.write_cache = WriteCacheOf(disk);
    AddText(uncounted, storage.medium.unverifiable_because);
    if (IsCacheDenied(disk)) {
      AddText(fmt::format("its device {} has a cache, but the kernel was told that it has none "
                          "(queue/write_cache)",
                          NameOf(disk)),
              storage.medium.volatile_because);
    }
    AddImage(disk, storage);
  }

  // A loop device syncs its file when its own cache is flushed.
  void AddImage(const std::string& disk, Storage& storage) {
    const std::optional<LoopImage> image = LoopImageOf(disk, root_);
    if (!image) return;
    if (storage.medium.write_cache == WriteCache::kWriteThrough) {
      AddText(fmt::format("its device {} is set to write through (queue/write_cache), so that its "
                          "image is never synced",
                          NameOf(disk)),
              storage.medium.volatile_because);
    }
    std::optional<Storage> below = image->place ? OfPlace(*image) : OfName(image->name);
    if (!below) {
      Doubt(fmt::format("the image of {}, {}, cannot be seen from here", NameOf(disk), image->name),
            storage);
      return;
    }
    if (!image->place) {
      Doubt(fmt::format("which file is behind {} is told to root alone", NameOf(disk)), storage);
    }
    below->disks.clear();  // The loop device has its own traffic, not everybody's.
    below->medium.write_cache = WriteCache::kUnknown;
    Add("its image is on ", *below, storage);
  }

  // Where an image really is. Nothing if that cannot be seen.
  std::optional<Storage> OfPlace(const LoopImage& image) {
    const dev_t number = image.place->block_device.value_or(image.place->device);
    const std::string device = root_ + "/sys/dev/block/" + NumberOf(number);
    std::error_code error;
    if (image.place->block_device) {
      return fs::exists(device, error) ? std::optional(OfDevice(device)) : std::nullopt;
    }
    if (const std::string path = PathTo(image); !path.empty()) return OfPath(path);
    if (const Mount* const mount = mounts_.OfDevice(NumberOf(number))) return OfMount(*mount);
    if (const std::string why = WhyInMemory(number); !why.empty()) {
      return Storage{.medium = {.volatile_because = why}};
    }
    if (!fs::exists(device, error)) return std::nullopt;
    Storage storage = OfDevice(device);  // Of its file system no option is known.
    Doubt(NameOf(device) + ", which is mounted nowhere here", storage);
    return storage;
  }

  // Where an image is if it still has the name by which it was attached.
  std::optional<Storage> OfName(const std::string& name) {
    std::error_code error;
    return fs::exists(root_ + name, error) ? std::optional(OfPath(name)) : std::nullopt;
  }

  std::string root_;
  MountTable mounts_;
  int layers_ = 0;
};

}  // namespace

Medium JudgeMount(const Mount& mount) {
  Medium medium{.filesystem = mount.type};
  if (LivesInMemory(mount)) {
    medium.volatile_because = mount.type + ", which forgets everything with the power";
  } else if (mount.type == "overlay") {
    // Linux 6.18 shows the one as the other.
    const bool is_volatile = !OptionOf(mount.super_options, "volatile").empty() ||
                             OptionOf(mount.super_options, "fsync") == "volatile";
    if (is_volatile) {
      medium.volatile_because = "overlay mounted `volatile`, which answers syncs without any";
    }
  } else if (const std::string option = NoBarrierIn(mount.super_options); !option.empty()) {
    medium.volatile_because = mount.type + " mounted without barriers (" + option +
                              "): no sync has the device flush its cache";
  }
  // File systems for which somebody else vouches that something is synced.
  constexpr std::array kOfOthers = {"9p", "nfs", "nfs4", "cifs", "smb3", "ceph", "virtiofs"};
  if (std::ranges::find(kOfOthers, mount.type) != kOfOthers.end() ||
      mount.type.starts_with("fuse")) {
    medium.doubt = mount.type + ": what a sync is worth depends on its server";
  } else if (mount.type == "ext2" || mount.type == "vfat" || mount.type == "msdos" || mount.type == "exfat") {
    medium.doubt = WithoutJournal(mount.type);
  } else if (OptionOf(mount.super_options, "data") == "writeback") {
    medium.doubt = mount.type +
                   " mounted data=writeback: after a power cut files may hold what was "
                   "in their blocks before";
  }
  return medium;
}

Storage StorageOf(const std::string& path, const std::string& journal, const std::string& root) {
  Walk walk(root);
  Storage storage = walk.OfPath(path);
  if (!journal.empty()) walk.AddJournal(journal, storage);
  return storage;
}

Medium MediumOf(const std::string& path, const std::string& journal) {
  return StorageOf(path, journal).medium;
}

std::string SyncEaterIn(std::string_view maps) {
  const size_t name = maps.find("/libeatmydata");
  if (name == std::string_view::npos) return "";
  const size_t begin = maps.rfind(' ', name) + 1;
  return std::string(maps.substr(begin, maps.find('\n', name) - begin));
}

}  // namespace levelfield
