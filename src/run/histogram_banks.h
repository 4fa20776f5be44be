// The histograms of one thread, twice: while it records into its own, another thread takes what is
// in the others. Nothing is copied or allocated while operations are measured: at a rotation, once
// in an interval, the thread exchanges the memory of the two, and where it records stays the same
// place to the loop.
//
// The recording thread calls Begin and Rotate. The watching thread asks for a rotation (by
// ThreadControl), sees by rotations() that it has come about, and takes what is full before it asks
// again.
#ifndef LEVELFIELD_RUN_HISTOGRAM_BANKS_H_
#define LEVELFIELD_RUN_HISTOGRAM_BANKS_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/histogram.h"
#include "base/sparse_histogram.h"

namespace levelfield {

class HistogramBanks {
 public:
  // Those that the thread will record into, lane by lane; they outlive its recording.
  void Begin(std::span<Histogram> recorded);
  // Leaves them empty.
  [[gnu::noinline, gnu::cold]] void Rotate();

  uint32_t rotations() const { return rotations_.load(std::memory_order_acquire); }
  // What was recorded until the last rotation, lane by lane.
  std::vector<SparseHistogram> Take();

 private:
  std::span<Histogram> recorded_;
  std::vector<Histogram> full_;  // Empty when a rotation is asked for.
  std::atomic<uint32_t> rotations_{0};
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_HISTOGRAM_BANKS_H_
