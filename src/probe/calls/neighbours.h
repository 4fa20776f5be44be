// The processes that a traced one talks to: those that are traced too, and those that are not, of
// which nobody sees what they write and sync. Used by the tracer alone.
#ifndef LEVELFIELD_PROBE_CALLS_NEIGHBOURS_H_
#define LEVELFIELD_PROBE_CALLS_NEIGHBOURS_H_

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>

namespace levelfield {

class Neighbours {
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

#endif  // LEVELFIELD_PROBE_CALLS_NEIGHBOURS_H_
