// What a phase used of the machine: the difference of two snapshots of the worker's process
// (probe/resource_probe.h) with all its threads, including the engine's own. Plain data.
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

// The calls by which a process makes the kernel write to the device, by what each guarantees when
// it returns. One table: the counter, the results and the reports loop over it.
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
  bool is_durable;  // When it returns, the data that it covers is on the device.
};

inline constexpr std::array<SyncKindRow, 8> kSyncKinds = {{
    {"fsync", true},
    {"fdatasync", true},
    {"msync", true},  // MS_SYNC.
    {"syncfs", true},
    {"sync", true},
    {"synced_write", true},  // To a file opened with O_DSYNC or O_SYNC, or with RWF_(D)SYNC.
    // No metadata, and no flush of the device's cache (its manual page).
    {"sync_file_range", false},
    {"msync_async", false},  // MS_ASYNC, which does nothing at all on Linux.
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
  // The peak of the resident bytes, and for a map of its part in memory.
  uint64_t peak_resident_bytes = 0;
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;  // Faults that waited for the disk.
  uint64_t voluntary_switches = 0;
  uint64_t involuntary_switches = 0;
  // The process's, from /proc/self/io. Absent if it cannot be read. A call's bytes may come from
  // the page cache. Reads through a memory map are in no call.
  struct Io {
    uint64_t read_call_bytes = 0;
    uint64_t write_call_bytes = 0;
    uint64_t storage_read_bytes = 0;  // Bytes that had to be fetched.
    uint64_t dirtied_bytes = 0;       // Pages that became dirty, minus those dropped unwritten.

    static constexpr Fields kFields{"the bytes of a phase",
                                    Field("read_call_bytes", &Io::read_call_bytes),
                                    Field("write_call_bytes", &Io::write_call_bytes),
                                    Field("storage_read_bytes", &Io::storage_read_bytes),
                                    Field("dirtied_bytes", &Io::dirtied_bytes)};
    bool operator==(const Io&) const = default;
  };
  std::optional<Io> io;
  // Counters of the whole block devices under the store, including other users. Absent if it is on
  // none.
  struct Device {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    // Flushes of their caches, and writes that reached them. Absent if the kernel does not count
    // them.
    std::optional<uint64_t> flushes = {};
    std::optional<uint64_t> writes = {};

    static constexpr Fields kFields{
        "the device's bytes of a phase", Field("read_bytes", &Device::read_bytes),
        Field("written_bytes", &Device::written_bytes), Field("flushes", &Device::flushes),
        Field("writes", &Device::writes)};
    bool operator==(const Device&) const = default;
  };
  std::optional<Device> device;
  // CPU of the threads that ran the operations, including the engine's calls, and of the thread
  // that watched them. The rest of the process is the engine's own threads.
  double foreground_seconds = 0;
  double watcher_seconds = 0;
  // The resident memory of the process after the operations. Absent if the kernel does not tell. A
  // mapped file counts as `file` even if others map it too. `proportional` divides shared pages
  // among their users.
  struct Memory {
    uint64_t anonymous_bytes = 0;
    uint64_t file_bytes = 0;
    uint64_t shared_bytes = 0;        // tmpfs and shared anonymous memory.
    uint64_t proportional_bytes = 0;  // PSS of all three. 0: the kernel does not tell.

    static constexpr Fields kFields{
        "the memory of a phase", Field("anonymous_bytes", &Memory::anonymous_bytes),
        Field("file_bytes", &Memory::file_bytes), Field("shared_bytes", &Memory::shared_bytes),
        Field("proportional_bytes", &Memory::proportional_bytes)};
    bool operator==(const Memory&) const = default;
  };
  std::optional<Memory> memory;
  // fsync and the like (probe/calls/sync_calls.h), and the total time that threads waited in them.
  struct Syncs {
    uint64_t calls = 0;
    double waited_seconds = 0;
    uint64_t synced_files = 0;  // Open files with which each write is a sync (O_DSYNC).
    // Counts by kind (kSyncKinds) without zeros, including synced writes.
    std::vector<std::pair<std::string, uint64_t>> kinds = {};

    static constexpr Fields kFields{"the sync calls of a phase", Field("calls", &Syncs::calls),
                                    Field("waited_seconds", &Syncs::waited_seconds),
                                    Field("synced_files", &Syncs::synced_files),
                                    Field("kinds", &Syncs::kinds)};
    bool operator==(const Syncs&) const = default;
  };
  std::optional<Syncs> syncs;
  // Device counters from the begin of the operations until the store's files were synced after
  // them, so that data left in the page cache is included. For phases that write.
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

  // CPU of the engine's own threads: flushes, compactions, checkpoints.
  double BackgroundSeconds() const {
    const double rest = user_seconds + system_seconds - foreground_seconds - watcher_seconds;
    return rest > 0 ? rest : 0;  // The clocks of a thread and of the process differ slightly.
  }
};

// How much of the store's files was in the page cache at a phase's begin and end.
struct PageCacheShare {
  bool was_dropped = false;  // Before the phase, with the store closed, for --cache=cold.
  uint64_t file_bytes = 0;   // At the begin. If the cache was dropped, before the store was opened.
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

// A store with a larger cached share is not cold.
inline constexpr double kMostCachedOfCold = 0.01;

inline bool IsCold(const PageCacheShare& share) {
  return share.was_dropped && static_cast<double>(share.cached_bytes) <=
                                  kMostCachedOfCold * static_cast<double>(share.file_bytes);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESOURCES_H_
