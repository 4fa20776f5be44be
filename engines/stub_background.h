// What the stub engine does in the background: it does the work that writes have deferred, and it
// burns processor time for nothing.
#ifndef LEVELFIELD_ENGINES_STUB_BACKGROUND_H_
#define LEVELFIELD_ENGINES_STUB_BACKGROUND_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace levelfield {

using SteadyClock = std::chrono::steady_clock;

// Busy all the while, like real work.
inline void SpinUntil(SteadyClock::time_point end) {
  while (SteadyClock::now() < end) {
  }
}

// One thread that takes the deferred time as soon as somebody waits for it, or the writes have
// paused. Drops what is left at the end. Any thread.
class DeferredWork {
 public:
  DeferredWork() : thread_([this] { PayOff(); }) {}
  DeferredWork(const DeferredWork&) = delete;
  DeferredWork& operator=(const DeferredWork&) = delete;
  ~DeferredWork() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void Add(std::chrono::microseconds work) {
    const std::lock_guard lock(mutex_);
    left_ += work;
    last_ = SteadyClock::now();
    if (left_ == work) changed_.notify_all();
  }

  void WaitUntilPaid() {
    std::unique_lock lock(mutex_);
    ++waiters_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return left_ == std::chrono::microseconds(0); });
    --waiters_;
  }

  // All that was ever deferred.
  std::chrono::microseconds paid() const {
    const std::lock_guard lock(mutex_);
    return paid_;
  }

 private:
  static constexpr std::chrono::milliseconds kPause{50};
  static constexpr std::chrono::microseconds kSlice{1000};

  void PayOff() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      if (left_ == std::chrono::microseconds(0)) {
        changed_.wait(lock);
      } else if (waiters_ == 0 && SteadyClock::now() < last_ + kPause) {
        changed_.wait_until(lock, last_ + kPause);
      } else {
        const SteadyClock::time_point begin = SteadyClock::now();
        const auto slice = std::min(left_, kSlice);
        lock.unlock();
        SpinUntil(begin + slice);
        lock.lock();
        // By wall time: processor time that others take is not deferred work.
        const auto done = std::min(left_, std::chrono::duration_cast<std::chrono::microseconds>(
                                              SteadyClock::now() - begin));
        left_ -= done;
        paid_ += done;
        if (left_ == std::chrono::microseconds(0)) changed_.notify_all();
      }
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::microseconds left_{0};
  std::chrono::microseconds paid_{0};
  SteadyClock::time_point last_;
  int waiters_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

// Threads that do nothing, as fast as they can, for as long as this lives.
class StubBurners {
 public:
  explicit StubBurners(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        while (!ends_.load(std::memory_order_relaxed)) {
        }
      });
    }
  }
  StubBurners(const StubBurners&) = delete;
  StubBurners& operator=(const StubBurners&) = delete;
  ~StubBurners() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_STUB_BACKGROUND_H_
