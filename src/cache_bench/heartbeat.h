// Tells twice a second, from a thread of its own, that a phase goes on: whoever counts on says so
// by counting. Where nothing was counted meanwhile it is silent, which is how a cache that hangs is
// seen.
#ifndef LEVELFIELD_CACHE_BENCH_HEARTBEAT_H_
#define LEVELFIELD_CACHE_BENCH_HEARTBEAT_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace levelfield {

class Heartbeat {
 public:
  // One for each counting thread, on a cache line (and the next one) of its own.
  struct alignas(128) Count {
    std::atomic<uint64_t> steps{0};
    void Step() {
      steps.store(steps.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  };

  Heartbeat(uint64_t counts, std::function<void()> tell) : counts_(counts), tell_(std::move(tell)) {
    if (tell_) thread_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
  }
  Count& operator[](uint64_t at) { return counts_[at]; }

 private:
  void Watch(const std::stop_token& stop) {
    uint64_t told = 0;
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      (void)wake_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
      uint64_t steps = 0;
      for (const Count& count : counts_) steps += count.steps.load(std::memory_order_relaxed);
      if (steps == told || stop.stop_requested()) continue;
      told = steps;
      tell_();
    }
  }

  std::vector<Count> counts_;
  std::function<void()> tell_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // Last: it is joined before the others go.
};

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_HEARTBEAT_H_
