#include "probe/resource_probe.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/clock.h"
#include "base/whole_file.h"
#include "probe/calls/sync_calls.h"
#include "probe/medium_probe.h"
#include "probe/other_processes.h"

namespace levelfield {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

uint64_t Less(uint64_t after, uint64_t before) { return after > before ? after - before : 0; }

// Writes that are themselves syncs are not separate calls.
Resources::Syncs Told(const SyncCalls& since) {
  Resources::Syncs syncs{.waited_seconds = static_cast<double>(since.waited_ns) * 1e-9};
  for (size_t k = 0; k < kSyncKinds.size(); ++k) {
    if (since.by_kind[k] == 0) continue;
    syncs.kinds.emplace_back(kSyncKinds[k].name, since.by_kind[k]);
    if (static_cast<SyncKind>(k) != SyncKind::kSyncedWrite) syncs.calls += since.by_kind[k];
  }
  return syncs;
}

constexpr uint64_t kSectorBytes = 512;

}  // namespace

std::optional<Resources::Io> ParseProcessIo(std::string_view text) {
  const auto rchar = NumberBehind(text, "rchar:");
  const auto wchar = NumberBehind(text, "wchar:");
  const auto read = NumberBehind(text, "read_bytes:");
  const auto written = NumberBehind(text, "write_bytes:");
  const auto cancelled = NumberBehind(text, "cancelled_write_bytes:");
  if (!rchar || !wchar || !read || !written || !cancelled) return std::nullopt;
  return Resources::Io{.read_call_bytes = *rchar,
                       .write_call_bytes = *wchar,
                       .storage_read_bytes = *read,
                       .dirtied_bytes = Less(*written, *cancelled)};
}

std::optional<Resources::Io> ProcessIo() { return ParseProcessIo(ReadAll("/proc/self/io")); }

std::optional<Resources::Memory> ParseMemory(std::string_view status, std::string_view rollup) {
  const auto anonymous = NumberBehind(status, "RssAnon:");
  const auto file = NumberBehind(status, "RssFile:");
  const auto shared = NumberBehind(status, "RssShmem:");
  if (!anonymous || !file || !shared) return std::nullopt;
  return Resources::Memory{.anonymous_bytes = *anonymous << 10,
                           .file_bytes = *file << 10,
                           .shared_bytes = *shared << 10,
                           .proportional_bytes = NumberBehind(rollup, "Pss:").value_or(0) << 10};
}

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

ResourceProbe::ResourceProbe(const std::string& path) : devices_(path) {}

void ResourceProbe::Begin() {
  std::ofstream("/proc/self/clear_refs") << "5";  // VmHWM starts anew (proc(5)).
  ForgetPeaksOf(others_);
  before_ = Snapshot();
  syncs_before_ = SyncCallsSoFar();
}

Resources ResourceProbe::Snapshot() const {
  Resources now;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  now.user_seconds = Seconds(usage.ru_utime);
  now.system_seconds = Seconds(usage.ru_stime);
  now.minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  now.major_faults = static_cast<uint64_t>(usage.ru_majflt);
  now.voluntary_switches = static_cast<uint64_t>(usage.ru_nvcsw);
  now.involuntary_switches = static_cast<uint64_t>(usage.ru_nivcsw);
  now.watcher_seconds = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
  now.io = ProcessIo();
  AddUseOf(others_, now);
  now.device = devices_.Now();
  if (AreSyncCallsCounted())
    now.syncs = Resources::Syncs();  // Filled in by code that knows the begin.
  return now;
}

std::optional<Resources::Device> ResourceProbe::DeviceSinceBegin() const {
  return DevicesSince(before_.device, devices_.Now());
}

Resources ResourceProbe::End() const {
  Resources used = Used();
  const std::string status = ReadAll("/proc/self/status");
  used.peak_resident_bytes = NumberBehind(status, "VmHWM:").value_or(0) << 10;
  used.memory = ParseMemory(status, ReadAll("/proc/self/smaps_rollup"));
  AddMemoryOf(others_, used);
  return used;
}

Resources ResourceProbe::Used() const {
  Resources used = Snapshot();
  used.watcher_seconds -= before_.watcher_seconds;
  if (used.syncs) {
    SyncCalls since = SyncCallsSoFar();
    for (size_t k = 0; k < since.by_kind.size(); ++k) since.by_kind[k] -= syncs_before_.by_kind[k];
    since.waited_ns -= syncs_before_.waited_ns;
    used.syncs = Told(since);
    used.syncs->synced_files = CountSyncedFiles();
  }
  // Of other processes one may have ended that nobody has waited for.
  used.user_seconds = std::max(0.0, used.user_seconds - before_.user_seconds);
  used.system_seconds = std::max(0.0, used.system_seconds - before_.system_seconds);
  for (const auto count : {&Resources::minor_faults, &Resources::major_faults,
                           &Resources::voluntary_switches, &Resources::involuntary_switches}) {
    used.*count = Less(used.*count, before_.*count);
  }
  if (used.io && before_.io) {
    for (const auto bytes : {&Resources::Io::read_call_bytes, &Resources::Io::write_call_bytes,
                             &Resources::Io::storage_read_bytes}) {
      (*used.io).*bytes = Less((*used.io).*bytes, (*before_.io).*bytes);
    }
    // Removing a file takes back what was dirtied before the phase began.
    used.io->dirtied_bytes = Less(used.io->dirtied_bytes, before_.io->dirtied_bytes);
  } else {
    used.io.reset();
  }
  used.device = DevicesSince(before_.device, used.device);
  return used;
}

EngineCounters CountersSince(const EngineCounters& before, EngineCounters after) {
  for (auto& [name, count] : after) {
    const auto it = std::ranges::find(before, name, &EngineCounters::value_type::first);
    if (it != before.end()) count -= std::min(count, it->second);
  }
  return after;
}

}  // namespace levelfield
