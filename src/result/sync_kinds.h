// The calls by which a process has the kernel write to the device, by what can be relied on once
// they have returned. One table: the counter, the results and the reports are loops over it.
#ifndef LEVELFIELD_RESULT_SYNC_KINDS_H_
#define LEVELFIELD_RESULT_SYNC_KINDS_H_

#include <array>
#include <cstddef>
#include <string_view>

namespace levelfield {

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

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_SYNC_KINDS_H_
