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
// line that few threads share; the fastest real one, on tmpfs, takes more.
//
// Writes each of which is a sync by itself are seen as well: to a file that was opened with O_DSYNC
// or O_SYNC, or with RWF_DSYNC or RWF_SYNC. What a descriptor is, is asked of the kernel at the
// first write to it and kept until it is closed, so an ordinary write costs one load and one
// comparison more: 2.5 ns of 270 (benchmarks/parts_benchmark.cc). A descriptor that libc itself
// closes (fclose) after somebody had written to it by number keeps what was known of it, until it
// is closed by number.
#ifndef LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_
#define LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_

#include <array>
#include <cstdint>

#include "result/resources.h"

namespace levelfield {

struct SyncCalls {
  std::array<uint64_t, kSyncKinds.size()> by_kind{};
  uint64_t waited_ns = 0;  // Summed over all threads.

  uint64_t Of(SyncKind kind) const { return by_kind[static_cast<size_t>(kind)]; }
  uint64_t Durable() const;
};

// Since the process began.
SyncCalls SyncCallsSoFar();

// Open files of this process each write to which is a sync: O_DSYNC or O_SYNC.
uint64_t CountSyncedFiles();

// Whether plug-ins come here at all: not in a program that does not export its functions.
bool AreSyncCallsCounted();

// Whether each write to it is a sync, by the kernel's word; false for one that is not open, or for
// reading only. Keeps errno.
bool IsOpenedSynced(int fd);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_
