// Counts the calls by which an engine has the kernel write to the device: fsync, fdatasync, msync,
// sync_file_range, syncfs, sync. The program defines these functions itself and exports them, and
// the dynamic linker looks into the program before it looks into libc; so what every plug-in and
// its libraries call is counted here, and passed on. Not seen: calls inside of libc, io_uring, and
// files that were opened with O_DSYNC or O_SYNC, each write to which is a sync by itself.
//
// May be called from any thread. A call costs two readings of the clock and one addition to a cache
// line that few threads share; the fastest real sync, on tmpfs, takes more.
#ifndef LEVELFIELD_RUN_SYNC_CALLS_H_
#define LEVELFIELD_RUN_SYNC_CALLS_H_

#include <cstdint>

namespace levelfield {

struct SyncCalls {
  uint64_t calls = 0;
  uint64_t waited_ns = 0;  // Of all threads together.
};

// Since the process began.
SyncCalls SyncCallsSoFar();

// Open files of this process each write to which is a sync: O_DSYNC or O_SYNC.
uint64_t CountSyncedFiles();

// Whether plug-ins come here at all: not in a program that does not export its functions.
bool AreSyncCallsCounted();

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_SYNC_CALLS_H_
