// The clock of the measured loop: the processor's time-stamp counter if it can be trusted, else
// CLOCK_MONOTONIC (8.8 against 21.9 ns a reading). It is trusted if the processor calls it
// invariant, the kernel itself keeps time by it, and two threads on different processors agree on
// it to 100 ns. What cannot be found out on a busy machine is tried again for some seconds.
//
// The loop reads raw ticks and scales a difference to nanoseconds by one multiplication; for
// CLOCK_MONOTONIC a tick is a nanosecond. A clock is a value; reading it needs no lock.
#ifndef LEVELFIELD_BASE_CLOCK_H_
#define LEVELFIELD_BASE_CLOCK_H_

#include <cstdint>
#include <ctime>
#include <functional>
#include <string>

#include "base/enum_names.h"

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

// What times operations. The names are also those of --clock.
enum class ClockKind { kNotKnown, kMonotonic, kTsc };
inline constexpr EnumName<ClockKind> kClockKindNames[] = {
    {ClockKind::kNotKnown, ""}, {ClockKind::kTsc, "tsc"}, {ClockKind::kMonotonic, "monotonic"}};
constexpr std::span<const EnumName<ClockKind>> NamesOf(ClockKind) { return kClockKindNames; }

// The clock that was chosen: the counter at this frequency, or CLOCK_MONOTONIC and why.
struct ClockChoice {
  double ticks_per_second = 0;  // 0: CLOCK_MONOTONIC.
  std::string reason = {};

  bool is_tsc() const { return ticks_per_second > 0; }
};

// The counter and CLOCK_MONOTONIC at one moment. `width` is how many ticks the moment took.
struct CounterReading {
  uint64_t ticks = 0;
  uint64_t monotonic_ns = 0;
  uint64_t width = 0;
};

// What two threads on two processors saw when they passed a token to and fro.
struct CounterHandoffs {
  uint64_t quick = 0;         // Handoffs that took a few microseconds, so they tell something.
  uint64_t ticks_behind = 0;  // How far a counter was behind the sender's reading, at most.
  std::string failure = {};   // Why nothing can be compared, now or later.
};

// Where the choice gets its readings: the machine, or a test's script.
struct CounterSource {
  // Why the processor or the kernel does not vouch for the counter. Empty: both do.
  std::function<std::string()> why_untrusted;
  // Tries for a while. On a busy machine it may see few handoffs, or none.
  std::function<CounterHandoffs()> compare;
  std::function<CounterReading()> read;
  std::function<void(uint64_t ns)> sleep;
};
CounterSource MachineCounters();

// Takes about 30 ms on an idle machine (an error below 2 ppm), and up to some 8 s on a busy one
// before it gives up.
ClockChoice ChooseClock(const CounterSource& source);

// The choice of this process, made at the first call. The driver asks, and tells its workers.
ClockChoice ChosenClock(bool use_tsc);

class Clock {
 public:
  // A clock of this process by the choice below, made anew.
  static Clock Calibrate(bool use_tsc);

  // From ChosenClock, in this process or in the driver's.
  static Clock Known(const ClockChoice& choice);

  // The counter, assumed to run at this frequency from now on. Tests use it to make a clock that
  // drifts.
  static Clock AssumeTsc(double ticks_per_second);

  bool is_tsc() const { return is_tsc_; }
  const std::string& reason() const { return reason_; }
  double ticks_per_second() const { return ticks_per_second_; }
  ClockKind kind() const { return is_tsc_ ? ClockKind::kTsc : ClockKind::kMonotonic; }
  // "tsc, 2.596 GHz", or "CLOCK_MONOTONIC: " and why.
  std::string Words() const;

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
  bool is_tsc_ = false;
  std::string reason_;
  double ticks_per_second_ = 1e9;
  uint64_t ns_per_tick_fixed_ = uint64_t{1} << 32;
  CounterReading calibrated_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_CLOCK_H_
