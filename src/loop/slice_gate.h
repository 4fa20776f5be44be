// Where the threads of a phase wait while it is another worker's turn. A phase that is measured in
// slices lets its threads through for some milliseconds; then each of them comes here at the end of
// its operation and waits for the next slice. The time of a thread runs from when the first of them
// was let through until it came back: what it waits here is in no latency and in no rate.
//
// The threads call Wait and Leave, by their ThreadControl; one other thread watches and opens.
#ifndef LEVELFIELD_LOOP_SLICE_GATE_H_
#define LEVELFIELD_LOOP_SLICE_GATE_H_

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace levelfield {

// The work of the counted threads in a slice.
struct SliceWork {
  uint64_t active_ns = 0;  // The sum over the threads.
  uint64_t cpu_ns = 0;     // Processor time of the same threads,
  uint64_t queued_ns = 0;  // and how long they waited for a processor while ready to run.
};

// How long the calling thread has waited for a processor since it began, by the kernel's account; 0
// if the kernel does not tell. `file` belongs to the thread from then on.
uint64_t QueuedNs(UniqueFd& file);

// A thread's own share: nobody else touches this.
struct SliceShare {
  bool is_counted = true;  // In SliceWork.
  bool has_left = false;
  uint64_t since_ns = 0;   // When it was let through; 0: not yet.
  uint64_t cpu_ns = 0;     // The thread's, by then.
  uint64_t queued_ns = 0;  // QueuedNs by then.
  uint64_t waited_ns = 0;  // Total time spent waiting here.
  UniqueFd schedstat = {};
};

// Invariants:
// - waiting_ + left_ <= threads_: a thread either works, waits here, or has left for good.
// - Only Open lets threads through. It changes slice_ under the lock, and a thread waits until
//   slice_ is another than when it came: a wake-up without Open lets nobody through.
// - The watching thread calls Open only after AwaitAll, so nobody works when waiting_ becomes 0.
// - begun_ns_ is 0 from Open until the first thread of the slice is through, and then fixed: all
//   threads of a slice begin at one time.
// - A thread's SliceShare is its own: the gate touches it only in calls of that thread.
class SliceGate {
 public:
  explicit SliceGate(size_t threads) : threads_(threads) {}

  // Waits for the next slice.
  void Wait(SliceShare& share) {
    if (share.has_left) return;
    std::unique_lock lock(mutex_, std::defer_lock);
    const uint64_t came_ns = Come(share, lock);
    ++waiting_;
    came_.notify_one();
    opened_.wait(lock, [this, slice = slice_] { return slice_ != slice; });
    if (begun_ns_ == 0) begun_ns_ = MonotonicNs();
    share.waited_ns += begun_ns_ - came_ns - std::min(charged_ns_, begun_ns_ - came_ns);
    share.since_ns = begun_ns_;
    share.queued_ns = QueuedNs(share.schedstat);
  }
  // For good: the thread never comes back.
  void Leave(SliceShare& share) {
    if (share.has_left) return;
    std::unique_lock lock(mutex_, std::defer_lock);
    Come(share, lock);
    share.has_left = true;
    ++left_;
    came_.notify_one();
  }

  // Waits until all threads wait here or have left.
  void AwaitAll() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return waiting_ + left_ >= threads_; });
  }
  // Waits for this long, unless all threads have left before.
  void AwaitEnds(std::chrono::nanoseconds most) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, most, [this] { return left_ >= threads_; });
  }
  bool HaveAllLeft() {
    const std::lock_guard lock(mutex_);
    return left_ >= threads_;
  }
  // Lets through those that wait. `charged_ns` of their waiting was their own engine's: its device
  // was not done.
  void Open(uint64_t charged_ns = 0) {
    const std::lock_guard lock(mutex_);
    charged_ns_ = charged_ns;
    waiting_ = 0;
    begun_ns_ = 0;
    work_ = {};
    ++slice_;
    opened_.notify_all();
  }
  // The work since the gate was opened; ask when all are back.
  SliceWork Work() {
    const std::lock_guard lock(mutex_);
    return work_;
  }
  // From when the first thread was let through until the last one was back.
  uint64_t SpanNs() {
    const std::lock_guard lock(mutex_);
    return begun_ns_ == 0 ? 0 : last_ns_ - begun_ns_;
  }

 private:
  // Takes the lock once the clocks are read, so that nobody's time is that of the lock. The queue
  // is read before the time, so that what a thread waits for a processor after the slice is not in
  // it.
  uint64_t Come(SliceShare& share, std::unique_lock<std::mutex>& lock) {
    const uint64_t queued_ns = QueuedNs(share.schedstat);
    const uint64_t cpu_ns = CpuNs(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t now_ns = MonotonicNs();
    lock.lock();
    last_ns_ = std::max(last_ns_, now_ns);
    if (share.since_ns != 0 && share.is_counted) {
      work_.active_ns += now_ns - share.since_ns;
      work_.cpu_ns += cpu_ns - share.cpu_ns;
      work_.queued_ns += queued_ns - share.queued_ns;
    }
    share.cpu_ns = cpu_ns;
    return now_ns;
  }

  const size_t threads_;
  std::mutex mutex_;  // Guards all that follows.
  std::condition_variable came_;
  std::condition_variable opened_;
  size_t waiting_ = 0;
  size_t left_ = 0;
  uint64_t slice_ = 0;     // The number of the slice.
  uint64_t begun_ns_ = 0;  // When its first thread was let through; 0: not yet.
  uint64_t last_ns_ = 0;   // When a thread came last.
  uint64_t charged_ns_ = 0;
  SliceWork work_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_SLICE_GATE_H_
