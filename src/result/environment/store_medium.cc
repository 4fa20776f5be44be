#include <fmt/format.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "base/text.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;
Reading StoreMountField(const Machine& machine, const char* field) {
  ASSIGN_OR_RETURN(const Mount mount, machine.store_mount);
  return std::string_view(field) == "type" ? mount.type
                                           : mount.options + " | " + mount.super_options;
}

Reading StoreFileSystem(const Machine& machine, const char* field) {
  std::error_code error;
  fs::path path = fs::absolute(machine.At(machine.store_path), error).lexically_normal();
  struct statvfs status;
  while (statvfs(path.c_str(), &status) != 0) {
    if (errno != ENOENT || !path.has_relative_path()) {
      return Status::Failed(fmt::format("statvfs: {}", std::strerror(errno)));
    }
    path = path.parent_path();
  }
  const uint64_t total = uint64_t{status.f_blocks} * status.f_frsize;
  if (std::string_view(field) == "size") return total;
  if (total == 0) return Status::Failed("the file system tells no size");
  // Rounded to a tenth: more digits would be noise.
  return static_cast<double>((status.f_blocks - status.f_bfree) * 1000 / status.f_blocks) / 10;
}

Reading DeviceName(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  ASSIGN_OR_RETURN(const std::string text, machine.Read(device + "/uevent"));
  for (const std::string& line : LinesOf(text)) {
    if (line.rfind("DEVNAME=", 0) == 0) return line.substr(8);
  }
  return Status::Failed(fmt::format("{}/uevent has no DEVNAME", device));
}

// Bytes written to the file system since it was made, which tell its age. Only ext4 counts them.
Reading LifetimeWritten(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const Mount mount, machine.store_mount);
  if (mount.type != "ext4") return Status::Failed("only ext4 tells it, this is " + mount.type);
  const Json name = DeviceName(machine, "").json;
  ASSIGN_OR_RETURN(const std::string text,
                   machine.Read(fmt::format(fmt::runtime(path), name.get<std::string>())));
  const Json kilobytes = NumberOrText(text);
  if (!kilobytes.is_number_unsigned()) return Status::Failed("it tells no number");
  return kilobytes.get<uint64_t>() << 10;
}

// The first readable one of several files of the store's block device. A partition uses the files
// of its disk.
Reading Device(const Machine& machine, const char* files) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  std::string reason;
  for (const std::string& file : Parts(files, ' ')) {
    for (const char* up : {"/", "/../"}) {
      const StatusOr<std::string> text = machine.Read(device + up + file);
      if (text.ok()) return NumberOrText(*text);
      if (reason.empty()) reason = text.status().message();
    }
  }
  return Status::Failed(reason);
}

// The sizes of the partition and of its disk. The drive may use unpartitioned space for itself.
Reading DeviceSize(const Machine& machine, const char* of) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  const bool is_partition = machine.Exists(device + "/partition");
  const bool wants_disk = std::string_view(of) == "disk" && is_partition;
  ASSIGN_OR_RETURN(const std::string text,
                   machine.Read(device + (wants_disk ? "/../size" : "/size")));
  const Json sectors = NumberOrText(text);
  if (!sectors.is_number_unsigned()) return Status::Failed("its size is no number");
  return sectors.get<uint64_t>() * 512;  // In these units for any device.
}

// By everybody, to the whole disk, since the machine started (Documentation/block/stat.rst).
Reading DeviceWritten(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  const std::string disk = device + (machine.Exists(device + "/partition") ? "/.." : "");
  ASSIGN_OR_RETURN(const std::string text, machine.Read(disk + "/stat"));
  std::istringstream fields(text);
  uint64_t sectors = 0;
  for (int i = 0; i < 7; ++i) {
    if (!(fields >> sectors))
      return Status::Failed("it does not tell the sectors that were written");
  }
  return sectors * 512;
}

// The kind of bus that leads to the device, from its place in /sys/devices.
Reading DeviceTransport(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  std::error_code error;
  const std::string path = fs::canonical(machine.At(device), error).string();
  if (error) return Status::Failed(fmt::format("{}: {}", device, error.message()));
  for (const char* bus : {"nvme", "usb", "virtio", "ata", "mmc", "xen", "virtual"}) {
    if (path.find(fmt::format("/{}", bus)) != std::string::npos) return bus;
  }
  return Status::Failed("its place in /sys tells no bus");
}

// The layers between the file system and the disks: LVM, encryption, RAID.
Reading DeviceStack(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::string device, machine.store_device);
  Json stack = Json::object();
  const StatusOr<std::string> mapper = machine.Read(device + "/dm/uuid");
  const StatusOr<std::string> raid = machine.Read(device + "/md/level");
  // "LVM-...", "CRYPT-LUKS2-...". The rest identifies that volume.
  if (mapper.ok()) stack["mapper"] = mapper->substr(0, mapper->find('-'));
  if (raid.ok()) stack["raid"] = *raid;
  const StatusOr<std::vector<std::string>> below = machine.NamesIn(device + "/slaves");
  if (below.ok() && !below->empty()) stack["on"] = *below;
  if (stack.empty()) return "none";
  return stack;
}

constexpr EnvironmentField kStoreMediumFields[] = {
    {"filesystem_type", kPlace, StoreMountField, "type"},
    {"filesystem_options", kMoment, StoreMountField, "options"},
    {"filesystem_size_bytes", kMoment, StoreFileSystem, "size"},
    {"filesystem_fill_percent", kMoment, StoreFileSystem, "fill"},
    {"filesystem_lifetime_written_bytes", kMoment, LifetimeWritten,
     "/sys/fs/ext4/{}/lifetime_write_kbytes"},
    {"block_device", kMoment, DeviceName, ""},
    {"block_stack", kMoment, DeviceStack, ""},
    {"block_transport", kPlace, DeviceTransport, ""},
    {"block_vendor", kPlace, Device, "device/vendor"},
    {"block_model", kPlace, Device, "device/model"},
    {"block_firmware", kMoment, Device, "device/firmware_rev device/rev"},
    {"block_rotational", kPlace, Device, "queue/rotational"},
    {"block_scheduler", kPlace, Device, "queue/scheduler"},
    {"block_write_cache", kPlace, Device, "queue/write_cache"},
    {"block_fua", kMoment, Device, "queue/fua"},
    {"block_discard_max_bytes", kMoment, Device, "queue/discard_max_bytes"},
    {"block_logical_bytes", kMoment, Device, "queue/logical_block_size"},
    {"block_physical_bytes", kMoment, Device, "queue/physical_block_size"},
    {"block_read_ahead_kb", kPlace, Device, "queue/read_ahead_kb"},
    {"block_partition_bytes", kMoment, DeviceSize, "partition"},
    {"block_disk_bytes", kMoment, DeviceSize, "disk"},
    {"block_written_bytes", kMoment, DeviceWritten, ""},
};

}  // namespace

std::span<const EnvironmentField> StoreMediumFields() { return kStoreMediumFields; }

}  // namespace levelfield
