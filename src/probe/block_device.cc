#include "probe/block_device.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// The first line of a file in /sys; empty if there is none.
std::string LineOf(const std::string& path) {
  const std::string text = ReadAll(path);
  return text.substr(0, text.find('\n'));
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The paths of a directory's entries, in order.
std::vector<std::string> In(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    paths.push_back(at->path());
  }
  std::ranges::sort(paths);
  return paths;
}

// All devices of the btrfs that contains this one.
std::vector<std::string> OfBtrfs(const std::string& device, const std::string& root) {
  for (const std::string& file_system : In(root + "/sys/fs/btrfs")) {
    const std::string devices = file_system + "/devices";
    if (Exists(devices + "/" + NameOf(device))) return In(devices);
  }
  return {device};
}

// The device of ext4's journal; empty if the journal is inside. The thread that writes the journal
// is named after it: "jbd2/sda1-8" by the device and the inode, "jbd2/sdb1" by the device alone.
std::string JournalDeviceOf(const std::string& device, const std::string& root) {
  constexpr std::string_view kThread = "jbd2/";
  constexpr size_t kShortened = 15;  // Characters, before Linux 5.17.
  const std::string name = NameOf(device);
  const std::string task = LineOf(root + "/sys/fs/ext4/" + name + "/journal_task");
  if (task.empty() || task.find_first_not_of("0123456789") != std::string::npos) return "";
  const std::string thread = LineOf(root + "/proc/" + task + "/comm");
  if (!thread.starts_with(kThread)) return "";
  const std::string journal = thread.substr(kThread.size());
  const bool is_inside = journal == name || journal.starts_with(name + "-") ||
                         (thread.size() == kShortened && name.starts_with(journal));
  return is_inside ? "" : BlockDeviceNamed(journal, root);
}

// Whether the kernel vouches for the name of what is mounted. If a file system has no device of its
// own, that name is whatever its mounter or its server says (FUSE: fsname=/dev/sda), but for these,
// which span devices.
bool IsSourceTrue(const Mount& mount) {
  const bool has_own_device = !mount.device.starts_with("0:");
  return mount.source.starts_with("/dev/") &&
         (has_own_device || mount.type == "btrfs" || mount.type == "bcachefs");
}

// Whether "nvme0c1n2" is a path to "nvme0n2".
bool IsPathTo(const std::string& path, const std::string& name) {
  const size_t unit = name.rfind('n');
  if (!name.starts_with("nvme") || unit == 0 || unit == std::string::npos) return false;
  return path.starts_with(name.substr(0, unit) + "c") && path.ends_with(name.substr(unit)) &&
         path.rfind('n') == path.size() - (name.size() - unit);
}

}  // namespace

std::string BlockDeviceNamed(const std::string& name, const std::string& root) {
  std::error_code error;
  const std::string all = root + "/sys/class/block/";
  const std::string last = fs::path(name).filename().string();
  for (const std::string& told :
       {fs::weakly_canonical(root + name, error).filename().string(), last}) {
    if (!told.empty() && Exists(all + told)) return fs::canonical(all + told, error).string();
  }
  for (const std::string& device : In(all)) {  // A device mapper's, if /dev is another system's.
    if (LineOf(device + "/dm/name") == last) return fs::canonical(device, error).string();
  }
  return "";
}

std::vector<std::string> BlockDevicesOf(const Mount& mount, const std::string& root) {
  std::vector<std::string> devices;
  std::error_code error;
  const std::string by_number = root + "/sys/dev/block/" + mount.device;
  if (Exists(by_number)) {
    devices.push_back(fs::canonical(by_number, error).string());
  } else if (IsSourceTrue(mount)) {
    for (const std::string& source : Parts(mount.source, ':')) {  // bcachefs: "/dev/sda:/dev/sdb".
      devices.push_back(BlockDeviceNamed(source, root));
    }
  }
  for (const char* const option : {"logdev", "rtdev"}) {
    const std::string further = OptionOf(mount.super_options, option);
    if (mount.type == "xfs" && !further.empty()) devices.push_back(BlockDeviceNamed(further, root));
  }
  std::erase(devices, "");
  if (mount.type.starts_with("ext") && !devices.empty()) {
    devices.push_back(JournalDeviceOf(devices.front(), root));
    std::erase(devices, "");
  }
  return mount.type == "btrfs" && !devices.empty() ? OfBtrfs(devices.front(), root) : devices;
}

bool LacksJournal(const Mount& mount, const std::string& root) {
  if (mount.type != "ext4" && mount.type != "ext3") return false;
  const std::vector<std::string> devices = BlockDevicesOf(mount, root);
  if (devices.empty()) return false;
  const std::string name = NameOf(devices.front());
  const std::string task = LineOf(root + "/sys/fs/ext4/" + name + "/journal_task");
  if (!task.empty()) return task == "<none>";
  // Linux before 5.0 has no such file. Whoever has a journal has a mode for what is written to it.
  const std::string options = ReadAll(root + "/proc/fs/ext4/" + name + "/options");
  return !options.empty() && ("\n" + options).find("\ndata=") == std::string::npos;
}

std::string DiskOf(const std::string& block_device) {
  std::error_code error;
  const fs::path device = fs::weakly_canonical(block_device, error);
  return Exists((device / "partition").string()) ? device.parent_path().string() : device.string();
}

std::string NameOf(const std::string& disk) {
  std::error_code error;
  return fs::weakly_canonical(disk, error).filename().string();
}

std::vector<std::string> PartsOf(const std::string& disk) {
  std::vector<std::string> parts = In(disk + "/slaves");
  if (!parts.empty() || Exists(disk + "/mq")) return parts;
  const size_t devices = disk.find("/sys/");
  if (devices == std::string::npos) return parts;
  std::ranges::copy_if(In(disk.substr(0, devices) + "/sys/block"), std::back_inserter(parts),
                       [name = NameOf(disk)](const std::string& path) {
                         return IsPathTo(fs::path(path).filename().string(), name);
                       });
  return parts;
}

WriteCache WriteCacheOf(const std::string& disk) {
  const WriteCache cache =
      FromName<WriteCache>(LineOf(disk + "/queue/write_cache")).value_or(WriteCache::kUnknown);
  return cache == WriteCache::kWriteBack && LineOf(disk + "/queue/fua") == "1"
             ? WriteCache::kWriteBackWithFua
             : cache;
}

bool IsCacheDenied(const std::string& disk) {
  if (WriteCacheOf(disk) != WriteCache::kWriteThrough) return false;
  std::vector<std::string> told = {LineOf(disk + "/cache_type")};  // virtio
  for (const std::string& scsi : In(disk + "/device/scsi_disk")) {
    told.push_back(LineOf(scsi + "/cache_type"));
  }
  return std::ranges::any_of(
      told, [](const std::string& cache) { return cache.starts_with("write back"); });
}

// Flushes are counted where requests are made (block/blk-flush.c), which happens in drivers with
// request queues (mq). md, dm, pmem and the like only pass on what they get.
std::string WhyFlushesAreUncounted(const std::string& disk) {
  const std::string name = NameOf(disk);
  if (WriteCacheOf(disk) == WriteCache::kUnknown)
    return "the kernel does not tell whether " + name + " has a cache";
  if (!Exists(disk + "/mq")) return name + " does not count the flushes that come to it";
  if (LineOf(disk + "/queue/iostats") == "0") {
    return name + " counts nothing that comes to it (queue/iostats is 0)";
  }
  std::istringstream stat{LineOf(disk + "/stat")};
  const auto fields = std::distance(std::istream_iterator<std::string>(stat), {});
  return fields < 16 ? "this kernel counts no flushes, which Linux 5.5 does" : "";
}

}  // namespace levelfield
