// Another operation at a rate: each is due at a time that was fixed when the first began, so that
// one that was late does not move those behind it. A class around it, so that the loops of
// operations without a rate are what they were. The wait is before the clock starts: what is timed
// is the call alone.
#ifndef LEVELFIELD_LOOP_PACED_H_
#define LEVELFIELD_LOOP_PACED_H_

#include <time.h>

#include <algorithm>

#include "base/clock.h"
#include "loop/load_model.h"
#include "loop/loop.h"

namespace levelfield {

template <class Operation>
class Paced {
 public:
  static constexpr bool kWholeBlock = Operation::kWholeBlock;

  // Both outlive it.
  Paced(Operation& operation, const Pace& pace, const ThreadControl& control)
      : operation_(operation), pace_(pace), control_(control) {}

  void BeginBlock(const KeyBlock& block) {
    operation_.BeginBlock(block);
    if (kWholeBlock) step_ = block.count();
  }

  // Waits, in naps that are short enough to be told to stop.
  void Prepare(const NumberedKey& at) {
    operation_.Prepare(at);
    if (next_ == 0) start_ns_ = MonotonicNs();
    const uint64_t due_ns = start_ns_ + pace_.DueNs(next_, step_);
    next_ += step_;
    for (uint64_t now = MonotonicNs(); now < due_ns; now = MonotonicNs()) {
      if (control_.IsStopped()) {
        is_given_up_ = true;
        return;
      }
      SleepUntil(std::min(due_ns, now + kNapNs));
    }
  }

  // LF_NOT_FOUND ends the loop before an operation that was never due; is_given_up() tells it from
  // the end of a scan.
  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    if (is_given_up_) [[unlikely]] {
      return LF_NOT_FOUND;
    }
    return operation_.Call(at);
  }

  size_t Lane() const { return operation_.Lane(); }
  bool is_given_up() const { return is_given_up_; }

 private:
  static constexpr uint64_t kNapNs = 20'000'000;

  static void SleepUntil(uint64_t ns) {
    const timespec until = {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                            .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }

  Operation& operation_;
  Pace pace_;
  const ThreadControl& control_;
  uint64_t start_ns_ = 0;
  uint64_t next_ = 0;  // The first entry of the next operation.
  uint64_t step_ = 1;  // Entries of this one.
  bool is_given_up_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_PACED_H_
