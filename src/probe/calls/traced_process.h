// What its tracer may know of another process: its memory and its descriptors. `tid` is a thread of
// it that is stopped.
#ifndef LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
#define LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

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

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_TRACED_PROCESS_H_
