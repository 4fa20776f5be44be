// What a phase used of the machine: the difference of two snapshots of the worker's process
// (probe/resource_probe.h), with all its threads, including the engine's own. Plain data.
#ifndef LEVELFIELD_RESULT_RESOURCES_H_
#define LEVELFIELD_RESULT_RESOURCES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// The calls by which a process has the kernel write to the device, by what can be relied on once
// they have returned. One table: the counter, the results and the reports are loops over it.
enum class SyncKind : size_t {
  kFsync,
  kFdatasync,
  kMsync,
  kSyncfs,
  kSync,
  kSyncedWrite,
  kSyncFileRange,
  kMsyncAsync,
};

struct SyncKindRow {
  std::string_view name;
  bool is_durable;  // What was written to what it covers is on the device when it returns.
};

inline constexpr std::array<SyncKindRow, 8> kSyncKinds = {{
    {"fsync", true},
    {"fdatasync", true},
    {"msync", true},  // MS_SYNC.
    {"syncfs", true},
    {"sync", true},
    {"synced_write", true},      // To a file opened with O_DSYNC or O_SYNC, or with RWF_(D)SYNC.
    {"sync_file_range", false},  // No metadata, no flush of the device's cache (its manual page).
    {"msync_async", false},      // MS_ASYNC, which does nothing at all on Linux.
}};

inline bool IsDurable(std::string_view kind) {
  for (const SyncKindRow& row : kSyncKinds) {
    if (row.name == kind) return row.is_durable;
  }
  return false;
}

struct Resources {
  double user_seconds = 0;
  double system_seconds = 0;
  uint64_t peak_resident_bytes = 0;  // The most at any time of it; of a map, what is in memory.
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;  // Those that waited for the disk.
  uint64_t voluntary_switches = 0;
  uint64_t involuntary_switches = 0;
  // Of the process, by /proc/self/io; absent where that cannot be read. A call's bytes may come
  // from the page cache; what is read through a memory map is in no call.
  struct Io {
    uint64_t read_call_bytes = 0;
    uint64_t write_call_bytes = 0;
    uint64_t storage_read_bytes = 0;  // That had to be fetched.
    uint64_t dirtied_bytes = 0;       // Pages that were made dirty, less those dropped unwritten.

    static constexpr Fields kFields{"the bytes of a phase",
                                    Field("read_call_bytes", &Io::read_call_bytes),
                                    Field("write_call_bytes", &Io::write_call_bytes),
                                    Field("storage_read_bytes", &Io::storage_read_bytes),
                                    Field("dirtied_bytes", &Io::dirtied_bytes)};
    bool operator==(const Io&) const = default;
  };
  std::optional<Io> io;
  // Of the whole block devices that the store is on, whoever used them; absent where it is on none.
  struct Device {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    // Times their caches were flushed, and writes that came to them. Absent where the kernel does
    // not count that; the writes also in older results.
    std::optional<uint64_t> flushes = {};
    std::optional<uint64_t> writes = {};

    static constexpr Fields kFields{
        "the device's bytes of a phase", Field("read_bytes", &Device::read_bytes),
        Field("written_bytes", &Device::written_bytes), Field("flushes", &Device::flushes),
        Field("writes", &Device::writes)};
    bool operator==(const Device&) const = default;
  };
  std::optional<Device> device;
  // CPU of the threads that ran the operations, the engine's calls included, and of the one that
  // watched over them; the rest of the process is the engine's own threads. Both absent in results
  // older than 1.3.
  std::optional<double> foreground_seconds;
  std::optional<double> watcher_seconds;
  // What the process has resident when the operations are over; absent where the kernel does not
  // tell. A map of a file counts as file, whoever else has it mapped; `proportional` shares it out.
  struct Memory {
    uint64_t anonymous_bytes = 0;
    uint64_t file_bytes = 0;
    uint64_t shared_bytes = 0;        // tmpfs and shared anonymous memory.
    uint64_t proportional_bytes = 0;  // PSS, of all three; 0: the kernel does not tell.

    static constexpr Fields kFields{
        "the memory of a phase", Field("anonymous_bytes", &Memory::anonymous_bytes),
        Field("file_bytes", &Memory::file_bytes), Field("shared_bytes", &Memory::shared_bytes),
        Field("proportional_bytes", &Memory::proportional_bytes)};
    bool operator==(const Memory&) const = default;
  };
  std::optional<Memory> memory;
  // fsync and its like (probe/calls/sync_calls.h), and how long threads waited in them, all
  // together.
  struct Syncs {
    uint64_t calls = 0;
    double waited_seconds = 0;
    uint64_t synced_files = 0;  // Open ones each write to which is a sync by itself (O_DSYNC).
    // How often by kind (kSyncKinds), those of which there were any, with the writes that
    // are synced by themselves. Absent in results older than this member.
    std::optional<std::vector<std::pair<std::string, uint64_t>>> kinds = {};

    static constexpr Fields kFields{"the sync calls of a phase", Field("calls", &Syncs::calls),
                                    Field("waited_seconds", &Syncs::waited_seconds),
                                    Field("synced_files", &Syncs::synced_files),
                                    Field("kinds", &Syncs::kinds)};
    bool operator==(const Syncs&) const = default;
  };
  std::optional<Syncs> syncs;
  // Of the device, from the begin of the operations until the store's files were synced behind
  // them: what the page cache still owed is in it. Of phases that write.
  std::optional<Device> synced_device;

  static constexpr Fields kFields{"a phase's resources",
                                  Field("user_seconds", &Resources::user_seconds),
                                  Field("system_seconds", &Resources::system_seconds),
                                  Field("peak_resident_bytes", &Resources::peak_resident_bytes),
                                  Field("minor_faults", &Resources::minor_faults),
                                  Field("major_faults", &Resources::major_faults),
                                  Field("voluntary_switches", &Resources::voluntary_switches),
                                  Field("involuntary_switches", &Resources::involuntary_switches),
                                  Field("io", &Resources::io),
                                  Field("device", &Resources::device),
                                  Field("synced_device", &Resources::synced_device),
                                  Field("foreground_seconds", &Resources::foreground_seconds),
                                  Field("watcher_seconds", &Resources::watcher_seconds),
                                  Field("memory", &Resources::memory),
                                  Field("syncs", &Resources::syncs)};
  bool operator==(const Resources&) const = default;

  // Of the engine's own threads: flushes, compactions, checkpoints.
  std::optional<double> BackgroundSeconds() const {
    if (!foreground_seconds || !watcher_seconds) return std::nullopt;
    const double rest = user_seconds + system_seconds - *foreground_seconds - *watcher_seconds;
    return rest > 0 ? rest : 0;  // The clocks of a thread and of the process differ by a little.
  }
};

// How much of the store's files the page cache had at a phase's begin and end.
struct PageCacheShare {
  bool was_dropped = false;  // Before the phase, with the store closed, as --cache=cold asks.
  uint64_t file_bytes = 0;   // At the begin; before the store was opened, where it was dropped.
  uint64_t cached_bytes = 0;
  uint64_t end_file_bytes = 0;
  uint64_t end_cached_bytes = 0;

  static constexpr Fields kFields{"the page cache of a phase",
                                  Field("was_dropped", &PageCacheShare::was_dropped),
                                  Field("file_bytes", &PageCacheShare::file_bytes),
                                  Field("cached_bytes", &PageCacheShare::cached_bytes),
                                  Field("end_file_bytes", &PageCacheShare::end_file_bytes),
                                  Field("end_cached_bytes", &PageCacheShare::end_cached_bytes)};
  bool operator==(const PageCacheShare&) const = default;
};

// A store is not cold where the page cache has a larger share of it.
inline constexpr double kMostCachedOfCold = 0.01;

inline bool IsCold(const PageCacheShare& share) {
  return share.was_dropped && static_cast<double>(share.cached_bytes) <=
                                  kMostCachedOfCold * static_cast<double>(share.file_bytes);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESOURCES_H_
