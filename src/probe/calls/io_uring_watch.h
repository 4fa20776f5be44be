// Watches the io_urings of a traced process through its own maps of their memory: which syncs were
// submitted, and which have ended well. It never changes anything there. A completion stays legible
// until as many others have come as the ring has entries. So it suffices to look at each call to a
// ring and at each question. If more has passed, or a ring is of an unknown kind, it says so. Only
// the tracer uses it.
#ifndef LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_
#define LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "probe/calls/kept_writes.h"

namespace levelfield {

class IoUringWatch {
 public:
  IoUringWatch();
  ~IoUringWatch();

  // A ring that this thread has just set up.
  void Add(pid_t tid, int fd, uint64_t params_address);
  // Reads what was submitted and completed since the last call. Returns how many syncs ended well,
  // and adds what they kept, and what else was written. A sync is taken to begin when it ends: it
  // may be chained to the writes before it.
  uint64_t NewSyncs(KeptWrites& writes);

  // Why some may be missing; empty: none are.
  const std::string& missed() const { return missed_; }

 private:
  class Ring;

  std::vector<std::unique_ptr<Ring>> rings_;
  std::string missed_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_
