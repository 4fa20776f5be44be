// Counts the calls by which a process has the kernel write to the device where they happen: at the
// kernel's door, by seccomp(2) and ptrace(2). So it sees every thread and every child, whoever
// makes the call and however: by libc, by an instruction of one's own, from a program that is
// linked statically, through an io_uring. Each of these calls is stopped, twice; so it is for
// audits, and never for what is measured (sync_calls.h).
#ifndef LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_
#define LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_

#include <cstdint>
#include <optional>
#include <string>

namespace levelfield {

// From here on this process is traced: the caller goes on in a child, and the process itself
// becomes its tracer, which ends as the child ends and takes all with it that the child has left
// behind. To be called while there is one thread. Where the kernel, or who guards it, refuses that,
// the child goes on all the same.
void GoOnTraced();

struct TracedCalls {
  // Calls that have made durable what was written before; nothing: none of them could be counted.
  std::optional<uint64_t> durable;
  std::string uncounted;  // Why that may not be all of them; empty: it is.
};

// Since GoOnTraced. A call that had returned when this is called is in it.
TracedCalls TracedCallsSoFar();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_CALL_TRACER_H_
