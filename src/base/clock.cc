#include "base/clock.h"

#include <fmt/format.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <system_error>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace levelfield {
namespace {

#if defined(__x86_64__)

bool ProcessorCallsItInvariant() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
}

std::string KernelClocksource() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  file >> name;
  return name;
}

struct CounterOffset {
  uint64_t ticks = 0;
  std::string unknown;  // Why it is unknown; empty: it is known.
};

// How far two threads' counters can be apart. Two threads pass a token to and fro. A reading after
// the token arrived must not be below the sender's; the shortfall bounds the offset. A process that
// may use only one processor has nothing to compare.
CounterOffset OffsetOfCounters() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) == 1) return {};
  constexpr int kRounds = 2000;
  std::atomic<uint64_t> token{0};
  std::atomic<int> whose_turn{0};
  uint64_t worst[2] = {0, 0};
  int rounds[2] = {0, 0};
  const auto player = [&](int self) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (; rounds[self] < kRounds; ++rounds[self]) {
      while (whose_turn.load(std::memory_order_acquire) != self) {
        if (std::chrono::steady_clock::now() > deadline) return;  // The machine is busy.
      }
      const uint64_t seen = token.load(std::memory_order_relaxed);
      __builtin_ia32_lfence();  // Else the counter would be read before the token has come.
      const uint64_t now = __builtin_ia32_rdtsc();
      if (now < seen) worst[self] = std::max(worst[self], seen - now);
      token.store(__builtin_ia32_rdtsc(), std::memory_order_relaxed);
      whose_turn.store(1 - self, std::memory_order_release);
    }
  };
  std::thread other;
  try {
    other = std::thread(player, 1);
  } catch (const std::system_error&) {
    return {.unknown = "no second thread can be started to compare the processors' counters"};
  }
  player(0);
  other.join();
  if (std::min(rounds[0], rounds[1]) < kRounds) {
    return {.unknown = "the processors were too busy to compare their counters within a second"};
  }
  return {.ticks = std::max(worst[0], worst[1]), .unknown = ""};
}

std::string WhyNotTsc() {
  if (!ProcessorCallsItInvariant()) return "the processor does not call its counter invariant";
  if (const std::string source = KernelClocksource(); source != "tsc") {
    return fmt::format("the kernel keeps time by '{}', not by the counter", source);
  }
  // 100 ns at 2 to 5 GHz; taken as 200 ticks, the stricter end.
  const CounterOffset offset = OffsetOfCounters();
  if (!offset.unknown.empty()) return offset.unknown;
  if (offset.ticks > 200) {
    return fmt::format("two processors' counters are {} ticks apart", offset.ticks);
  }
  return "";
}

#else

std::string WhyNotTsc() { return "not an x86-64 processor"; }

#endif

}  // namespace

// Ticks and nanoseconds of one moment: the narrowest of 40 (tsc, monotonic, tsc) triples.
Clock::Reading Clock::ReadPair() {
  Reading best;
  uint64_t narrowest = std::numeric_limits<uint64_t>::max();
  for (int i = 0; i < 40; ++i) {
    const uint64_t before = TscTicks::Now();
    const uint64_t ns = MonotonicNs();
    const uint64_t after = TscTicks::Now();
    if (after - before < narrowest) {
      narrowest = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

Clock Clock::Calibrate(bool use_tsc) {
  Clock clock;
  clock.reason_ = use_tsc ? WhyNotTsc() : "CLOCK_MONOTONIC was asked for";
  if (!clock.reason_.empty()) return clock;
  const Reading first = ReadPair();
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  const Reading second = ReadPair();
  const auto ticks = static_cast<double>(second.ticks - first.ticks);
  const auto ns = static_cast<double>(second.monotonic_ns - first.monotonic_ns);
  clock = AssumeTsc(ticks / ns * 1e9);
  clock.calibrated_ = second;
  return clock;
}

double Clock::TicksPerSecond(bool use_tsc) {
  if (!use_tsc) return 0;
  static const Clock clock = Calibrate(true);
  return clock.is_tsc() ? clock.ticks_per_second() : 0;
}

Clock Clock::Known(double ticks_per_second) {
  return ticks_per_second > 0 ? AssumeTsc(ticks_per_second) : Calibrate(false);
}

Clock Clock::AssumeTsc(double ticks_per_second) {
  Clock clock;
  clock.is_tsc_ = true;
  clock.ticks_per_second_ = ticks_per_second;
  clock.ns_per_tick_fixed_ =
      static_cast<uint64_t>(std::llround(1e9 / ticks_per_second * 4294967296.0));
  clock.calibrated_ = ReadPair();
  return clock;
}

double Clock::DriftPpm() const {
  if (!is_tsc_) return 0;
  const Reading now = ReadPair();
  const double ns = static_cast<double>(now.monotonic_ns - calibrated_.monotonic_ns);
  if (ns < 1e8) return 0;  // Too short to tell: the two readings' own error would show up as drift.
  const double by_ticks =
      static_cast<double>(now.ticks - calibrated_.ticks) / ticks_per_second_ * 1e9;
  return (by_ticks / ns - 1) * 1e6;
}

}  // namespace levelfield
