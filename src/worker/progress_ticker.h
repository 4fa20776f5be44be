// Keeps a worker's progress lines to about ten a second, however often it has something to tell.
// Called by the worker's main thread alone.
#ifndef LEVELFIELD_WORKER_PROGRESS_TICKER_H_
#define LEVELFIELD_WORKER_PROGRESS_TICKER_H_

#include <cstdint>

#include "base/clock.h"
#include "plan/messages.h"

namespace levelfield {

class ProgressTicker {
 public:
  explicit ProgressTicker(MessageWriter& events) : events_(events) {}

  void Tell(uint64_t operations, uint64_t of) {
    const uint64_t now = MonotonicNs();
    if (now - last_ns_ < 90'000'000) return;
    last_ns_ = now;
    events_.Send(Progressed{operations, of});
  }

 private:
  MessageWriter& events_;
  uint64_t last_ns_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PROGRESS_TICKER_H_
