// The histograms of one thread (service times and, in an open loop, response times), twice. While
// the thread records into one set, another thread takes what is in the other. Nothing is copied or
// allocated while operations are measured: at a rotation, once in an interval, the thread exchanges
// the memory of the two, and the loop goes on recording at the same place.
//
// The recording thread calls Begin and Rotate. The watching thread asks for a rotation (by
// ThreadControl), sees by rotations() that it has come about, and takes what is full before it asks
// again.
#ifndef LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_
#define LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/histogram.h"

namespace levelfield {

class HistogramBanks {
 public:
  // By kind of call; no response times in a closed loop.
  struct Taken {
    std::vector<SparseHistogram> latency_ns;
    std::vector<SparseHistogram> response_ns;
  };

  // Sets the histograms to record into, by kind of call. They outlive the recording.
  void Begin(std::span<Histogram> latency_ns, std::span<Histogram> response_ns = {}) {
    banks_.clear();
    for (const std::span<Histogram> recorded : {latency_ns, response_ns}) {
      banks_.push_back({recorded, std::vector<Histogram>(recorded.size())});
    }
  }
  // Leaves them empty.
  [[gnu::noinline, gnu::cold]] void Rotate() {
    for (Bank& bank : banks_) std::ranges::swap_ranges(bank.recorded, bank.full);
    rotations_.fetch_add(1, std::memory_order_release);
  }

  uint32_t rotations() const { return rotations_.load(std::memory_order_acquire); }
  // What was recorded until the last rotation.
  Taken Take() { return {.latency_ns = banks_[0].Take(), .response_ns = banks_[1].Take()}; }

 private:
  struct Bank {
    std::span<Histogram> recorded;
    std::vector<Histogram> full;  // Empty when a rotation is asked for.

    std::vector<SparseHistogram> Take() {
      std::vector<SparseHistogram> taken;
      for (Histogram& histogram : full) {
        taken.emplace_back(histogram);
        histogram.Clear();
      }
      return taken;
    }
  };

  // For service times and response times. Kept elsewhere, so that the thread's cache line has room
  // for the rest.
  std::vector<Bank> banks_;
  std::atomic<uint32_t> rotations_{0};
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_
