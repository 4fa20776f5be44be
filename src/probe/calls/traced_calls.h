// The system calls that a tracer (call_tracer.h) stops a process at, and what each of them is: one
// table, of which the kernel's filter is made. All other calls run at full speed.
#ifndef LEVELFIELD_PROBE_CALLS_TRACED_CALLS_H_
#define LEVELFIELD_PROBE_CALLS_TRACED_CALLS_H_

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace levelfield {

struct TracedCall {
  enum class Is : uint8_t {
    kSync,
    kWrite,      // A sync if the file is opened for that, or `flags_argument` asks for it.
    kRingSetup,  // An io_uring begins.
    kRingEnter,  // What is in an io_uring may be submitted, or have ended.
    kAio,        // May submit a sync, which ends without a call.
    kMapSync,    // Memory that is made durable by instructions of the processor.
    kConnect,    // To somebody who may write and sync for this process.
    kListen,
  };
  uint64_t number;
  Is is;
  int file_argument = 0;
  int flags_argument = -1;  // Those of pwritev2.
  // Traced only if this argument has one of these bits.
  int argument = -1;
  uint32_t bits = 0;
};

// Null: it is not traced.
const TracedCall* FindTracedCall(uint64_t number);

// For seccomp(2). Those of the table stop at the tracer with kTracedHere; with kForeign does every
// call of a process of another architecture, whose numbers mean something else.
constexpr uint32_t kTracedHere = 0;
constexpr uint32_t kForeign = 1;
std::vector<sock_filter> TracingFilter();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_TRACED_CALLS_H_
