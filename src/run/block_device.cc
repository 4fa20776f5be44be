#include "run/block_device.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "base/whole_file.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string BlockDeviceOf(const Mount& mount) {
  std::error_code error;
  const std::string by_number = "/sys/dev/block/" + mount.device;
  if (fs::exists(by_number, error)) return by_number;
  if (!mount.source.starts_with("/dev/")) return "";
  const std::string by_name = "/sys/class/block/" + fs::path(mount.source).filename().string();
  return fs::exists(by_name, error) ? by_name : "";
}

std::string BlockDeviceAt(const std::string& path) {
  const std::vector<Mount> mounts = ParseMounts(ReadAll("/proc/self/mountinfo"));
  std::error_code error;
  const Mount* const mount = MountOf(mounts, fs::weakly_canonical(path, error).string());
  return mount == nullptr ? "" : BlockDeviceOf(*mount);
}

std::string BackingFileOf(const std::string& block_device) {
  constexpr std::string_view kUnnamed = " (deleted)";
  std::string file = ReadAll(block_device + "/loop/backing_file");
  while (file.ends_with('\n')) file.pop_back();
  if (file.ends_with(kUnnamed)) file.resize(file.size() - kUnnamed.size());
  return file;
}

}  // namespace levelfield
