// Counts an engine's calls that write to the device, by kind (result/resources.h). The program
// defines libc's functions itself and exports them (src/CMakeLists.txt has the list). The dynamic
// linker looks into the program before it looks into libc, so calls of every plug-in and its
// libraries are counted here, and passed on. Failed calls do not count, because they made nothing
// durable. Some calls are not seen: those inside of libc (stdio, aio, syscall), system calls by a
// library's own instruction, those of other processes, and those through an io_uring. call_tracer.h
// sees them all and tells the audit whether there are any, but it slows what it watches.
//
// May be called from any thread. A sync costs two readings of the clock and one addition to a cache
// line that few threads share; the fastest real one, on tmpfs, takes more.
//
// Writes that are themselves a sync count as well: to a file that was opened with O_DSYNC or
// O_SYNC, or with RWF_DSYNC or RWF_SYNC. The kernel is asked about a descriptor at the first write
// to it, and the answer is kept until it is closed. So an ordinary write costs one load and one
// comparison more: 2.5 ns of 270 (benchmarks/parts_benchmark.cc). If libc itself closes a
// descriptor (fclose) after somebody wrote to it by number, the old answer stays until it is closed
// by number.
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

// Open files of this process on which each write is a sync: O_DSYNC or O_SYNC.
uint64_t CountSyncedFiles();

// Whether plug-ins' calls arrive here at all: not in a program that does not export its functions.
bool AreSyncCallsCounted();

// Whether each write to it is a sync, by the kernel's account; false if it is not open, or open
// only for reading. Keeps errno.
bool IsOpenedSynced(int fd);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_SYNC_CALLS_H_
