// The histograms of one thread, service times and in an open loop response times, twice: while it
// records into its own, another thread takes what is in the others. Nothing is copied or allocated
// while operations are measured: at a rotation, once in an interval, the thread exchanges the
// memory of the two, and where it records stays the same place to the loop.
//
// The recording thread calls Begin and Rotate. The watching thread asks for a rotation (by
// ThreadControl), sees by rotations() that it has come about, and takes what is full before it asks
// again.
#ifndef LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_
#define LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/histogram.h"

namespace levelfield {

class HistogramBanks {
 public:
  // Lane by lane; no response times in a closed loop.
  struct Taken {
    std::vector<SparseHistogram> latency_ns;
    std::vector<SparseHistogram> response_ns;
  };

  // Those that the thread will record into, lane by lane; they outlive its recording.
  void Begin(std::span<Histogram> latency_ns, std::span<Histogram> response_ns = {});
  // Leaves them empty.
  [[gnu::noinline, gnu::cold]] void Rotate();

  uint32_t rotations() const { return rotations_.load(std::memory_order_acquire); }
  // What was recorded until the last rotation.
  Taken Take();

 private:
  struct Bank {
    std::span<Histogram> recorded;
    std::vector<Histogram> full;  // Empty when a rotation is asked for.

    void Begin(std::span<Histogram> histograms);
    void Rotate();
    std::vector<SparseHistogram> Take();
  };

  // Of service times and of response times; kept elsewhere, so that the thread's cache line has
  // room for the rest.
  std::vector<Bank> banks_;
  std::atomic<uint32_t> rotations_{0};
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_HISTOGRAM_BANKS_H_
