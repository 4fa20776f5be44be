// What its tracer may know of another process: its memory, its descriptors, and the calls that it
// is stopped at. `tid` is a thread of it that is stopped.
#ifndef LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
#define LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_

#include <linux/filter.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

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

// The processes that a traced one talks to: those that are traced too, and strangers, of which
// nobody sees what they write and sync.
class TracedPeers {
 public:
  // A thread that is traced from now on.
  void AddTraced(pid_t tid) { traced_.insert(tid); }
  // That socket of the thread's process listens from now on.
  void Listens(pid_t tid, int fd);
  // Whom that socket has been connected to, if nobody traces it: "/run/store.sock", "port 6379".
  // Empty: one who is traced, or no stream.
  std::string StrangerAt(pid_t tid, int fd) const;

 private:
  std::set<pid_t> traced_;  // Also those that have ended, and left their socket to a child.
  std::set<uint16_t> ports_;
};

// The system calls that a tracer (call_tracer.h) stops a process at, and what each of them is: one
// table, of which the kernel's filter is made. All other calls run at full speed.
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

#endif  // LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
