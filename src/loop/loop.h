// The measured loop between a workload and an engine. Everything that it touches belongs to its
// thread, except for the word of signals, which changes once in an interval, and one progress
// counter on a cache line of its own. Nothing here locks, allocates, prints or asks for a setting:
// the choice of the template's arguments decides everything beforehand.
//
// An Operation is a class with
//     static constexpr bool kWholeBlock    takes all keys of a block at once (a batch)
//     void BeginBlock(const KeyBlock&)     a new block of keys, which outlives the calls
//                                          with its keys
//     void Prepare(const NumberedKey&)     what must be ready before the clock starts
//     lf_code Call(const NumberedKey&)     the engine's call and the reading of its answer;
//                                          LF_NOT_FOUND ends the loop (the end of a scan)
//                                          It is always_inline, because what GCC leaves out
//                                          of line is compiled without AVX2
//     size_t Statistics() const            which of its statistics the last call belongs to
//
// The order of a timed operation is: Prepare, clock, Call, clock, record. So the latency of an
// operation is the engine's call plus folding its value (2-4 ns for 100 bytes); making keys and
// values is in the throughput, not in the latency.
#ifndef LEVELFIELD_LOOP_LOOP_H_
#define LEVELFIELD_LOOP_LOOP_H_

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "loop/histogram_banks.h"
#include "loop/key_block.h"
#include "loop/slice_gate.h"
#include "stats/histogram.h"

namespace levelfield {

// What a running thread and its observers share, on a cache line of the thread's own.
struct alignas(64) ThreadControl {
  std::atomic<uint64_t> operations{0};  // Only the thread writes it.
  std::atomic<uint32_t> signals{0};     // Another thread sets bits that ask for something.
  HistogramBanks banks;                 // Where the thread records, if it is timed.
  SliceGate* gate = nullptr;            // In a phase that is measured in slices.
  SliceShare* slices = nullptr;

  static constexpr uint32_t kStop = 1;    // For good.
  static constexpr uint32_t kAttend = 2;  // There is another request; the thread clears it:
  static constexpr uint32_t kRotate = 4;  // hand over the histograms; the thread clears it,
  static constexpr uint32_t kPause = 8;   // wait at the gate, until another thread clears it.

  void Stop() { signals.fetch_or(kStop); }
  bool IsStopped() const { return (signals.load(std::memory_order_relaxed) & kStop) != 0; }
  // Allowed only when the idle bank is empty.
  void AskToRotate() { signals.fetch_or(kRotate | kAttend); }
  void Pause() { signals.fetch_or(kPause | kAttend); }
  void EndPause() { signals.fetch_and(~kPause); }
  // Called by the thread when it was asked for anything but to stop; sees what was done before the
  // request. If it pauses, the operation that has just ended counts in the next slice.
  [[gnu::noinline, gnu::cold]] void Attend(bool is_timed) {
    const uint32_t asked = signals.fetch_and(~(kAttend | kRotate));
    if ((asked & kRotate) != 0 && is_timed) banks.Rotate();
    if ((asked & kPause) != 0) gate->Wait(*slices);
  }
  // Called by the thread when it has ended.
  void LeaveGate() {
    if (gate != nullptr) gate->Leave(*slices);
  }
  uint64_t WaitedAtGateNs() const { return gate != nullptr ? slices->waited_ns : 0; }
};

// No clock is read per operation.
struct Untimed {
  uint64_t Now() const { return 0; }
  void Record(size_t, uint64_t, uint64_t) {}
  void Attend(ThreadControl& control) { control.Attend(false); }
};

// Ticks is MonotonicTicks or TscTicks.
template <class Ticks>
struct Timed {
  uint64_t ns_per_tick_fixed;
  Histogram* histograms;  // One for each kind of call.

  uint64_t Now() const { return Ticks::Now(); }
  void Record(size_t stats, uint64_t start, uint64_t end) {
    histograms[stats].Add(Clock::ScaleToNs(end - start, ns_per_tick_fixed));
  }
  void Attend(ThreadControl& control) { control.Attend(true); }
};

namespace loop_internal {

template <class Operation, class Timer>
[[gnu::always_inline]] inline lf_code Run(Operation& operation, Timer timer, KeyBlock& block,
                                          uint64_t limit, ThreadControl& control) {
  uint64_t done = 0;
  while (done < limit) {
    if (control.IsStopped()) return LF_OK;  // Stopped before it began; a later stop is seen below.
    block.Fill(limit - done);
    if (block.count() == 0) break;  // More threads than keys: this one has none.
    operation.BeginBlock(block);
    const lf_bytes* bytes = block.keys();
    const uint64_t* index = block.indexes();
    const uint64_t* const end_of_block = index + block.count();
    do {
      const NumberedKey key = {*bytes, index[0], index[1]};
      operation.Prepare(key);
      const uint64_t start = timer.Now();
      const lf_code code = operation.Call(key);
      const uint64_t end = timer.Now();
      if (code != LF_OK) [[unlikely]] {
        return code;
      }
      const size_t step = Operation::kWholeBlock ? block.count() : 1;
      // Checked before the operation is recorded, so a long one, which others waited for, belongs
      // to the interval in which it ended.
      const uint32_t signals = control.signals.load(std::memory_order_relaxed);
      if (signals != 0) [[unlikely]] {
        if ((signals & ThreadControl::kAttend) != 0) timer.Attend(control);
        if ((signals & ThreadControl::kStop) != 0) {
          timer.Record(operation.Statistics(), start, end);
          control.operations.store(done + step, std::memory_order_relaxed);
          return LF_OK;
        }
      }
      timer.Record(operation.Statistics(), start, end);
      index += step;
      bytes += step;
      done += step;
      control.operations.store(done, std::memory_order_relaxed);
    } while (index != end_of_block);
  }
  return LF_OK;
}

#if defined(__x86_64__)
// The same loop for processors of the last ten years: folding 100 bytes takes half the
// instructions.
template <class Operation, class Timer>
[[gnu::flatten, gnu::target("avx2,bmi,bmi2,lzcnt")]] lf_code RunAvx2(Operation& operation,
                                                                     Timer timer, KeyBlock& block,
                                                                     uint64_t limit,
                                                                     ThreadControl& control) {
  return Run(operation, timer, block, limit, control);
}
#endif

}  // namespace loop_internal

// Whether an operation waits until it is due. Its loop gains nothing from newer instructions, so it
// is compiled once.
template <class T>
concept Waits = requires {
  requires T::kWaits;
};

// Runs until `limit` operations, the stop signal, the end of a scan or the first failure. Returns
// the last code. `block` gives the keys.
template <class Operation, class Timer>
lf_code RunLoop(Operation& operation, Timer timer, KeyBlock& block, uint64_t limit,
                ThreadControl& control) {
#if defined(__x86_64__)
  if constexpr (!Waits<Operation>) {
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
      return loop_internal::RunAvx2(operation, timer, block, limit, control);
    }
  }
#endif
  return loop_internal::Run(operation, timer, block, limit, control);
}

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_LOOP_H_
