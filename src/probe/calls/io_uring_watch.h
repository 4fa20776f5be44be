// Looks into the io_urings of a traced process, by maps of its own of their memory: which syncs
// were submitted, and which of them have ended well. It never changes anything there. What ended
// stays legible until as many others have ended as the ring has entries, so it is enough to look at
// each call to a ring and at each question; where more has passed, or a ring is of a kind that is
// not known here, it says so. Used by the tracer alone.
#ifndef LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_
#define LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace levelfield {

class IoUringWatch {
 public:
  IoUringWatch();
  ~IoUringWatch();

  // A ring that this thread has just set up.
  void Add(pid_t tid, int fd, uint64_t params_address);
  // Reads what was submitted and what has ended since it was last asked. How many syncs ended well.
  uint64_t NewSyncs();

  // Why not all of them were seen; empty: they were.
  const std::string& missed() const { return missed_; }

 private:
  class Ring;

  std::vector<std::unique_ptr<Ring>> rings_;
  std::string missed_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CALLS_IO_URING_WATCH_H_
