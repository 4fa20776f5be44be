// What a tracer sees of another process: its memory, its descriptors, and the calls at which it is
// stopped. `tid` is a stopped thread of it.
#ifndef LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
#define LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_

#include <linux/filter.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "probe/calls/kept_writes.h"

namespace levelfield {

// The thread's process, which may outlive it.
pid_t ProcessOf(pid_t tid);

// False if it has no such memory.
bool ReadMemoryOf(pid_t tid, uint64_t address, void* bytes, size_t count);

// A file that keeps what is written to it: a regular one or a block device.
struct OpenedFile {
  FileId id;
  bool is_synced = false;  // Each write to it is a sync: opened with O_DSYNC or O_SYNC.
};

// Nothing: no such file, as a pipe or a socket.
std::optional<OpenedFile> FileOf(pid_t tid, int fd);

// Whether the process has a shared map of that file through which it can write.
bool HasSharedMapOf(pid_t tid, const FileId& file);

// The same open file, for this process; not ok if that is refused.
UniqueFd DescriptorOf(pid_t tid, int fd);

// The processes that a traced one talks to: other traced ones, and strangers, whose writes and
// syncs nobody sees.
class TracedPeers {
 public:
  // A thread that is traced from now on.
  void AddTraced(pid_t tid) { traced_.insert(tid); }
  // That socket of the thread's process listens from now on.
  void Listens(pid_t tid, int fd);
  // The peer of that socket, if nobody traces it: "/run/store.sock", "port 6379". Empty: a traced
  // one, or no stream.
  std::string StrangerAt(pid_t tid, int fd) const;

 private:
  std::set<pid_t> traced_;  // Also those that have ended and left their socket to a child.
  std::set<uint16_t> ports_;
};

// The system calls at which a tracer (call_tracer.h) stops a process, and what each of them is: one
// table, from which the kernel's filter is made. All other calls run at full speed.
struct TracedCall {
  enum class Is : uint8_t {
    kSyncFile,
    kSyncFileSystem,
    kSyncAll,
    kSyncMap,
    kWrite,      // A sync if the file is opened for that, or `flags_argument` asks for it.
    kRingSetup,  // An io_uring begins.
    kRingEnter,  // Entries of an io_uring may have been submitted or completed.
    kAio,        // May submit a sync, which completes without a call.
    kMapSync,    // Memory that processor instructions make durable.
    kConnect,    // To somebody who may write and sync for this process.
    kListen,
  };
  uint64_t number;
  Is is;
  int file_argument = 0;
  int flags_argument = -1;  // For pwritev2.
  // Traced only if this argument has one of these bits.
  int argument = -1;
  uint32_t bits = 0;
};

// Null: not traced.
const TracedCall* FindTracedCall(uint64_t number);

// For seccomp(2). Calls of the table stop at the tracer with kTracedHere. With kForeign, so does
// every call of a process of another architecture, whose numbers mean something else.
constexpr uint32_t kTracedHere = 0;
constexpr uint32_t kForeign = 1;
std::vector<sock_filter> TracingFilter();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
