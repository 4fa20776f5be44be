// The clock of the measured loop: the processor's time-stamp counter if it can be trusted, else
// CLOCK_MONOTONIC (8.8 against 21.9 ns a reading). It is trusted if the processor calls it
// invariant, the kernel itself keeps time by it, and two threads on different processors agree on
// it to 100 ns.
//
// The loop reads raw ticks and scales a difference to nanoseconds by one multiplication; for
// CLOCK_MONOTONIC a tick is a nanosecond. A clock is a value; reading it needs no lock.
#ifndef LEVELFIELD_BASE_CLOCK_H_
#define LEVELFIELD_BASE_CLOCK_H_

#include <cstdint>
#include <ctime>
#include <string>

namespace levelfield {

inline constexpr uint64_t kSecondNs = 1'000'000'000;

// CLOCK_MONOTONIC, in nanoseconds.
inline uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecondNs + static_cast<uint64_t>(now.tv_nsec);
}

// Since a moment of MonotonicNs.
inline double SecondsSince(uint64_t start_ns) {
  return static_cast<double>(MonotonicNs() - start_ns) * 1e-9;
}

// Processor time of the process (CLOCK_PROCESS_CPUTIME_ID) or of the calling thread
// (CLOCK_THREAD_CPUTIME_ID).
inline uint64_t CpuNs(clockid_t whose) {
  timespec time;
  clock_gettime(whose, &time);
  return static_cast<uint64_t>(time.tv_sec) * kSecondNs + static_cast<uint64_t>(time.tv_nsec);
}
inline double CpuSeconds(clockid_t whose) { return static_cast<double>(CpuNs(whose)) * 1e-9; }

// The two kinds of ticks; the loop is compiled once for each, so it holds no branch on them.
struct MonotonicTicks {
  static uint64_t Now() { return MonotonicNs(); }
};
#if defined(__x86_64__)
struct TscTicks {
  // The builtin, because <x86intrin.h> declares thousands of others, for each file that knows a
  // clock.
  static uint64_t Now() { return __builtin_ia32_rdtsc(); }
};
#else
using TscTicks = MonotonicTicks;
#endif

class Clock {
 public:
  // Verifies and calibrates for 25 ms (an error below 2 ppm). With `use_tsc` false, or if the
  // counter cannot be trusted, the clock is CLOCK_MONOTONIC and `reason` says why.
  static Clock Calibrate(bool use_tsc);

  // The frequency of the counter as this process calibrated it at the first call; 0 if it cannot be
  // trusted, or if `use_tsc` is false. The driver asks once and tells all of its workers.
  static double TicksPerSecond(bool use_tsc);

  // For a known frequency, from TicksPerSecond; 0: CLOCK_MONOTONIC.
  static Clock Known(double ticks_per_second);

  // The counter, assumed to run at this frequency from now on. Tests use it to make a clock that
  // drifts.
  static Clock AssumeTsc(double ticks_per_second);

  bool is_tsc() const { return is_tsc_; }
  const std::string& reason() const { return reason_; }
  double ticks_per_second() const { return ticks_per_second_; }

  // 32.32 fixed point: nanoseconds in a tick.
  uint64_t ns_per_tick_fixed() const { return ns_per_tick_fixed_; }
  static uint64_t ScaleToNs(uint64_t ticks, uint64_t ns_per_tick_fixed) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(ticks) * ns_per_tick_fixed) >> 32);
  }
  uint64_t ToNs(uint64_t ticks) const { return ScaleToNs(ticks, ns_per_tick_fixed_); }

  // How far, in parts per million, the clock has drifted from CLOCK_MONOTONIC since it was
  // calibrated. Beyond 50 (a migration, a suspend) the phase that it timed is void.
  double DriftPpm() const;

 private:
  struct Reading {
    uint64_t ticks = 0;
    uint64_t monotonic_ns = 0;
  };
  static Reading ReadPair();

  bool is_tsc_ = false;
  std::string reason_;
  double ticks_per_second_ = 1e9;
  uint64_t ns_per_tick_fixed_ = uint64_t{1} << 32;
  Reading calibrated_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_CLOCK_H_
