#include "probe/device_probe.h"

#include <sstream>

#include "base/whole_file.h"
#include "probe/medium_probe.h"

namespace levelfield {
namespace {

constexpr uint64_t kSectorBytes = 512;

}  // namespace

std::optional<Resources::Device> ParseDeviceStat(std::string_view text) {
  // Documentation/block/stat.rst: read I/Os, merges, sectors, ticks, then the same of writes.
  // The sixteenth is flushes, since Linux 5.5.
  std::istringstream fields{std::string(text)};
  std::vector<uint64_t> field;
  for (uint64_t value = 0; fields >> value;) field.push_back(value);
  if (field.size() < 7) return std::nullopt;
  Resources::Device device{.read_bytes = field[2] * kSectorBytes,
                           .written_bytes = field[6] * kSectorBytes,
                           .writes = field[4]};
  if (field.size() >= 16) device.flushes = field[15];
  return device;
}

DeviceProbe::DeviceProbe(const std::string& path) {
  const Storage storage = StorageOf(path);
  for (const std::string& device : storage.devices) {
    if (ParseDeviceStat(ReadAll(device + "/stat"))) device_stats_.push_back(device + "/stat");
  }
  for (const std::string& disk : storage.disks) disk_stats_.push_back(disk + "/stat");
}

std::optional<Resources::Device> DeviceProbe::Now() const {
  if (device_stats_.empty()) return std::nullopt;
  Resources::Device sum{.flushes = 0, .writes = 0};
  for (const std::string& path : device_stats_) {
    const std::optional<Resources::Device> device = ParseDeviceStat(ReadAll(path));
    if (!device) return std::nullopt;
    sum.read_bytes += device->read_bytes;
    sum.written_bytes += device->written_bytes;
  }
  if (disk_stats_.empty()) sum.flushes = sum.writes = std::nullopt;
  for (const std::string& path : disk_stats_) {
    const std::optional<Resources::Device> disk = ParseDeviceStat(ReadAll(path));
    const bool is_counted = disk && disk->flushes && disk->writes && sum.flushes;
    if (!is_counted) {
      sum.flushes = sum.writes = std::nullopt;
      break;
    }
    *sum.flushes += *disk->flushes;
    *sum.writes += *disk->writes;
  }
  return sum;
}

std::optional<Resources::Device> DevicesSince(const std::optional<Resources::Device>& before,
                                              const std::optional<Resources::Device>& after) {
  if (!before || !after) return std::nullopt;
  Resources::Device device{.read_bytes = after->read_bytes - before->read_bytes,
                           .written_bytes = after->written_bytes - before->written_bytes};
  if (before->flushes && after->flushes) device.flushes = *after->flushes - *before->flushes;
  if (before->writes && after->writes) device.writes = *after->writes - *before->writes;
  return device;
}

}  // namespace levelfield
