// Counts the calls by which an engine has the kernel write to the device, by kind
// (result/resources.h). The program defines libc's functions itself and exports them
// (src/CMakeLists.txt has the list), and the dynamic linker looks into the program before it looks
// into libc; so what every plug-in and its libraries call is counted here, and passed on. What
// failed is not counted: it has made nothing durable. Not seen: calls inside of libc (stdio, aio,
// syscall), a system call that a library makes by an instruction of its own, those of other
// processes, and what is asked for through an io_uring. call_tracer.h sees them all, and tells the
// audit whether there are any; but it slows what it watches.
//
// May be called from any thread. A sync costs two readings of the clock and one addition to a cache
// line that few threads share; the fastest real one, on tmpfs, takes more. Writes: synced_writes.h.
#ifndef LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_
#define LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_

#include <array>
#include <cstdint>

#include "result/resources.h"

namespace levelfield {

struct SyncCalls {
  std::array<uint64_t, kSyncKinds.size()> by_kind{};
  uint64_t waited_ns = 0;  // Of all threads together.

  uint64_t Of(SyncKind kind) const { return by_kind[static_cast<size_t>(kind)]; }
  uint64_t Durable() const;
};

// Since the process began.
SyncCalls SyncCallsSoFar();

// Open files of this process each write to which is a sync: O_DSYNC or O_SYNC.
uint64_t CountSyncedFiles();

// Whether plug-ins come here at all: not in a program that does not export its functions.
bool AreSyncCallsCounted();

// For those of libc's functions that are defined elsewhere: one call of that kind, which took so
// long. The clock is MonotonicNs.
void CountSyncCall(SyncKind kind, uint64_t start_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_
