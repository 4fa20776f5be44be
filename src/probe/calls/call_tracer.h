// Counts a process's calls that write to the device, at the entry to the kernel, by seccomp(2) and
// ptrace(2). So it sees every thread and every child, however the call is made: by libc, by its own
// instruction, from a statically linked program, through an io_uring. It stops each of these calls
// twice, so it serves audits, and never a measurement (sync_calls.h).
#ifndef LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_
#define LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "probe/calls/kept_writes.h"

namespace levelfield {

// From here on this process is traced: the caller continues in a child, and the process itself
// becomes its tracer. The tracer ends as the child ends, and ends all processes that the child left
// behind. Call it while there is one thread. If the kernel or a sandbox refuses tracing, the child
// continues all the same.
void GoOnTraced();

struct TracedCalls {
  // Calls that made earlier writes durable; nothing: none of them could be counted.
  std::optional<uint64_t> durable;
  std::string uncounted;  // Why there may be more; empty: these are all.
  WrittenByCalls written;  // Since the call of TracedCallsSoFar before this one.
};

// Counted since GoOnTraced, including every call that has returned by now. Not for two threads.
TracedCalls TracedCallsSoFar();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_
