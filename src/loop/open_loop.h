// Another operation in an open loop: it begins when it is due, by a schedule that knows nothing of
// the engine, or at once if it is late; its time stays the one that was intended. A class around
// it, so that closed loops are what they were.
//
// Sleeping alone wakes up 3 to 150 us late. So it sleeps until 60 us before the time and then reads
// the clock until it has come. Roles that only keep to a rate (paced.h) go on sleeping all the way:
// nothing is measured from when they are due, and a writer in the background that turned its
// processor hot would take it from those who are measured.
#ifndef LEVELFIELD_LOOP_OPEN_LOOP_H_
#define LEVELFIELD_LOOP_OPEN_LOOP_H_

#include <time.h>

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "loop/load_model.h"
#include "loop/loop.h"
#include "loop/open_record.h"

namespace levelfield {

// Ticks is MonotonicTicks or TscTicks; a test has a time of its own.
template <class Ticks>
struct RealTime {
  static uint64_t Now() { return Ticks::Now(); }
  static void Sleep(uint64_t ns) {
    const uint64_t until_ns = MonotonicNs() + ns;
    const timespec until = {.tv_sec = static_cast<time_t>(until_ns / 1'000'000'000),
                            .tv_nsec = static_cast<long>(until_ns % 1'000'000'000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
};

// Waits until that tick; false where it was told to stop meanwhile.
template <class Time>
bool WaitUntil(uint64_t due, uint64_t ns_per_tick_fixed, const ThreadControl& control) {
  constexpr uint64_t kSpinNs = 60'000;
  constexpr uint64_t kNapNs = 20'000'000;  // Short enough to be told to stop.
  for (uint64_t now = Time::Now(); now < due; now = Time::Now()) {
    if (control.IsStopped()) return false;
    const uint64_t left_ns = Clock::ScaleToNs(due - now, ns_per_tick_fixed);
    if (left_ns > kSpinNs) Time::Sleep(std::min(left_ns - kSpinNs, kNapNs));
  }
  return true;
}

template <class Operation, class Time>
class OpenLoop {
 public:
  static constexpr bool kWholeBlock = Operation::kWholeBlock;

  // What it refers to outlives it. `begin`: of the schedule, a tick of the time.
  OpenLoop(Operation& operation, const LoadPlan& plan, uint64_t begin, uint64_t ns_per_tick_fixed,
           OpenRecord& record, const ThreadControl& control)
      : operation_(operation),
        model_(plan),
        begin_(begin),
        ns_per_tick_fixed_(ns_per_tick_fixed),
        ticks_per_ns_(0x1p32 / static_cast<double>(ns_per_tick_fixed)),
        record_(record),
        control_(control) {}

  void BeginBlock(const KeyBlock& block) {
    operation_.BeginBlock(block);
    if (kWholeBlock) step_ = block.count();
  }

  void Prepare(const NumberedKey& at) {
    operation_.Prepare(at);
    const auto due_ticks = static_cast<double>(model_.NextDueNs(step_)) * ticks_per_ns_;
    const uint64_t due = begin_ + static_cast<uint64_t>(due_ticks);
    record_.SetDue(due);
    is_given_up_ = !WaitUntil<Time>(due, ns_per_tick_fixed_, control_);
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
  Operation& operation_;
  LoadModel model_;
  uint64_t begin_;
  uint64_t ns_per_tick_fixed_;
  double ticks_per_ns_;
  OpenRecord& record_;
  const ThreadControl& control_;
  uint64_t step_ = 1;  // Entries of an operation.
  bool is_given_up_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_OPEN_LOOP_H_
