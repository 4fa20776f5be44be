// Another operation at a rate: the n-th one is due at a time that was fixed when the first began,
// so that one that was late does not move those behind it. A class of its own, so that the loops of
// operations without a rate are what they were.
#ifndef LEVELFIELD_RUN_OPERATIONS_PACED_H_
#define LEVELFIELD_RUN_OPERATIONS_PACED_H_

#include <time.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "run/loop.h"

namespace levelfield {

// Of all threads of the role together; theirs are due in turn.
struct Pace {
  uint64_t rate = 1;  // A second.
  uint64_t threads = 1;
  uint64_t thread = 0;

  // From the begin of the role until this thread's n-th operation is due, from 0 on.
  uint64_t DueNs(uint64_t n) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(n) * threads + thread) *
                                 1'000'000'000 / rate);
  }
};

template <class Operation>
class Paced : public Operation {
 public:
  static_assert(!Operation::kWholeBlock);

  Paced(Operation operation, const Pace& pace, const ThreadControl& control)
      : Operation(std::move(operation)), pace_(pace), control_(control) {}

  // Waits, in naps that are short enough to be told to stop.
  void Prepare(const NumberedKey& at) {
    Operation::Prepare(at);
    if (next_ == 0) start_ns_ = MonotonicNs();
    const uint64_t due_ns = start_ns_ + pace_.DueNs(next_++);
    for (uint64_t now = MonotonicNs(); now < due_ns; now = MonotonicNs()) {
      if (control_.stop.load(std::memory_order_relaxed)) {
        is_given_up_ = true;
        return;
      }
      SleepUntil(std::min(due_ns, now + kNapNs));
    }
  }

  // LF_NOT_FOUND, which no write answers, ends the loop before an operation that was never due.
  lf_code Call(const NumberedKey& at) {
    if (is_given_up_) return LF_NOT_FOUND;
    return Operation::Call(at);
  }

  bool is_given_up() const { return is_given_up_; }

 private:
  static constexpr uint64_t kNapNs = 20'000'000;

  static void SleepUntil(uint64_t ns) {
    const timespec until = {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                            .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }

  Pace pace_;
  const ThreadControl& control_;
  uint64_t start_ns_ = 0;
  uint64_t next_ = 0;
  bool is_given_up_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_PACED_H_
