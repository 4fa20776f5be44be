// What its tracer may know of another process: its memory and its descriptors. `tid` is a thread of
// it that is stopped.
#ifndef LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
#define LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "base/unique_fd.h"

namespace levelfield {

// The process that the thread is of, which may outlive it.
pid_t ProcessOf(pid_t tid);

// False where it has no such memory.
bool ReadMemoryOf(pid_t tid, uint64_t address, void* bytes, size_t count);

// Whether each write to that file of it is a sync: opened with O_DSYNC or O_SYNC.
bool IsOpenedSyncedBy(pid_t tid, int fd);

// The same open file, for this process; not ok where that is refused.
UniqueFd DescriptorOf(pid_t tid, int fd);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
