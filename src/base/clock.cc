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
#include <vector>

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

// Two threads, each bound to a processor of its own, pass a token to and fro. A reading after the
// token has come must not be below the sender's; the shortfall bounds the offset of the counters.
//
// Both must run at the same moment, or a handoff takes milliseconds and shows nothing. So on a busy
// machine they sleep until a moment that both know, and try then: the kernel prefers a thread that
// has slept to those that have been computing.
class TokenGame {
 public:
  static constexpr uint64_t kMost = 4000;

  explicit TokenGame(uint64_t most_ns) : begin_ns_(MonotonicNs()), end_ns_(begin_ns_ + most_ns) {}

  void Play(int self) {
    uint64_t until_ns = EndOfWindow(MonotonicNs());
    while (quick_.load(std::memory_order_relaxed) < kMost) {
      if (whose_turn_.load(std::memory_order_acquire) == self) {
        Take(self);
        continue;
      }
      const uint64_t now_ns = MonotonicNs();
      if (now_ns > end_ns_) return;
      if (now_ns < until_ns) continue;
      SleepUntilWindow(now_ns);
      until_ns = EndOfWindow(MonotonicNs());
    }
  }

  CounterHandoffs Seen() const {
    return {.quick = quick_.load(), .ticks_behind = std::max(behind_[0], behind_[1])};
  }

 private:
  static constexpr uint64_t kPeriodNs = 10'000'000;
  static constexpr uint64_t kWindowNs = 3'000'000;
  static constexpr uint64_t kQuickTicks = 20'000;

  void Take(int self) {
    const uint64_t sent = token_.load(std::memory_order_relaxed);
    __builtin_ia32_lfence();  // Else the counter would be read before the token has come.
    const uint64_t now = __builtin_ia32_rdtsc();
    if (now < sent) behind_[self] = std::max(behind_[self], sent - now);
    if (now < sent + kQuickTicks) quick_.fetch_add(1, std::memory_order_relaxed);
    token_.store(__builtin_ia32_rdtsc(), std::memory_order_relaxed);
    whose_turn_.store(1 - self, std::memory_order_release);
  }

  uint64_t NextPeriod(uint64_t now_ns) const {
    return begin_ns_ + ((now_ns - begin_ns_) / kPeriodNs + 1) * kPeriodNs;
  }
  uint64_t EndOfWindow(uint64_t now_ns) const {
    return NextPeriod(now_ns) - kPeriodNs + kWindowNs;
  }
  void SleepUntilWindow(uint64_t now_ns) const {
    const uint64_t until_ns = NextPeriod(now_ns);
    const timespec until = {static_cast<time_t>(until_ns / kSecondNs),
                            static_cast<long>(until_ns % kSecondNs)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }

  const uint64_t begin_ns_;
  const uint64_t end_ns_;
  std::atomic<uint64_t> token_{0};
  std::atomic<int> whose_turn_{0};
  std::atomic<uint64_t> quick_{0};
  uint64_t behind_[2] = {0, 0};
};

// Each of the two has a processor of its own if it can be bound to it.
void BindTo(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  (void)sched_setaffinity(0, sizeof one, &one);
}

// Between the first and the last of the processors that the process may use, which are the furthest
// apart. A process that may use only one has nothing to compare.
CounterHandoffs CompareCounters() {
  constexpr uint64_t kMostNs = 500'000'000;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) CPU_ZERO(&allowed);
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  if (processors.size() == 1) return {.quick = TokenGame::kMost};
  TokenGame game(kMostNs);
  const auto play = [&](int self) {
    if (!processors.empty()) BindTo(self == 0 ? processors.front() : processors.back());
    game.Play(self);
  };
  try {
    const std::jthread one(play, 0);
    const std::jthread other(play, 1);
  } catch (const std::system_error&) {
    return {.failure = "no second thread can be started to compare the processors' counters"};
  }
  return game.Seen();
}

std::string WhyNotTsc() {
  if (!ProcessorCallsItInvariant()) return "the processor does not call its counter invariant";
  if (const std::string source = KernelClocksource(); source != "tsc") {
    return fmt::format("the kernel keeps time by '{}', not by the counter", source);
  }
  return "";
}

#else

std::string WhyNotTsc() { return "not an x86-64 processor"; }

CounterHandoffs CompareCounters() { return {.failure = WhyNotTsc()}; }

#endif

// The narrowest of 40 (tsc, monotonic, tsc) triples.
CounterReading ReadCounters() {
  CounterReading best{.width = std::numeric_limits<uint64_t>::max()};
  for (int i = 0; i < 40; ++i) {
    const uint64_t before = TscTicks::Now();
    const uint64_t ns = MonotonicNs();
    const uint64_t after = TscTicks::Now();
    if (after - before < best.width) {
      best = {.ticks = before + (after - before) / 2, .monotonic_ns = ns, .width = after - before};
    }
  }
  return best;
}

// Why the counters of two processors do not agree; empty: they do.
std::string WhyApart(const CounterSource& source) {
  constexpr int kTries = 12;  // Each of half a second, if the machine is busy.
  constexpr uint64_t kEnoughHandoffs = 1000;
  constexpr uint64_t kMostTicks = 200;  // 100 ns at 2 GHz, and less at more: the stricter end.
  uint64_t quick = 0;
  for (int i = 0; i < kTries && quick < kEnoughHandoffs; ++i) {
    const CounterHandoffs seen = source.compare();
    if (!seen.failure.empty()) return seen.failure;
    if (seen.ticks_behind > kMostTicks) {
      return fmt::format("two processors' counters are {} ticks apart", seen.ticks_behind);
    }
    quick += seen.quick;
  }
  if (quick >= kEnoughHandoffs) return "";
  return fmt::format(
      "the machine was too busy to compare two processors' counters: {} handoffs between them of "
      "the {} that it takes, in {} tries",
      quick, kEnoughHandoffs, kTries);
}

}  // namespace

CounterSource MachineCounters() {
  return {.why_untrusted = WhyNotTsc,
          .compare = CompareCounters,
          .read = ReadCounters,
          .sleep = [](uint64_t ns) { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }};
}

ClockChoice ChooseClock(const CounterSource& source) {
  // Both readings together may be off by so much of the time between them.
  constexpr double kMostError = 10e-6;
  constexpr int kTries = 6;
  if (std::string reason = source.why_untrusted(); !reason.empty()) return {.reason = reason};
  if (std::string reason = WhyApart(source); !reason.empty()) return {.reason = reason};
  CounterReading first = source.read();
  double error = 0;
  uint64_t sleep_ns = 25'000'000;
  for (int i = 0; i < kTries; ++i, sleep_ns *= 2) {
    if (const CounterReading again = source.read(); again.width < first.width) first = again;
    source.sleep(sleep_ns);
    const CounterReading second = source.read();
    const auto ticks = static_cast<double>(second.ticks - first.ticks);
    const auto ns = static_cast<double>(second.monotonic_ns - first.monotonic_ns);
    error = static_cast<double>(first.width + second.width) / 2 / ticks;
    if (error <= kMostError) return {.ticks_per_second = ticks / ns * 1e9};
  }
  return {.reason = fmt::format(
              "the machine was too busy to calibrate the counter: its readings beside "
              "CLOCK_MONOTONIC were uncertain by {:.0f} parts per million after {} tries",
              error * 1e6, kTries)};
}

ClockChoice ChosenClock(bool use_tsc) {
  if (!use_tsc) return {.reason = "--clock=monotonic was asked for"};
  static const ClockChoice choice = ChooseClock(MachineCounters());
  return choice;
}

Clock Clock::Calibrate(bool use_tsc) {
  return Known(use_tsc ? ChooseClock(MachineCounters()) : ChosenClock(false));
}

Clock Clock::Known(const ClockChoice& choice) {
  if (choice.is_tsc()) return AssumeTsc(choice.ticks_per_second);
  Clock clock;
  clock.reason_ = choice.reason;
  return clock;
}

std::string Clock::Words() const {
  return is_tsc_ ? fmt::format("tsc, {:.3f} GHz", ticks_per_second_ * 1e-9)
                 : "CLOCK_MONOTONIC: " + reason_;
}

Clock Clock::AssumeTsc(double ticks_per_second) {
  Clock clock;
  clock.is_tsc_ = true;
  clock.ticks_per_second_ = ticks_per_second;
  clock.ns_per_tick_fixed_ =
      static_cast<uint64_t>(std::llround(1e9 / ticks_per_second * 4294967296.0));
  clock.calibrated_ = ReadCounters();
  return clock;
}

double Clock::DriftPpm() const {
  if (!is_tsc_) return 0;
  const CounterReading now = ReadCounters();
  const double ns = static_cast<double>(now.monotonic_ns - calibrated_.monotonic_ns);
  if (ns < 1e8) return 0;  // Too short to tell: the two readings' own error would show up as drift.
  const double by_ticks =
      static_cast<double>(now.ticks - calibrated_.ticks) / ticks_per_second_ * 1e9;
  return (by_ticks / ns - 1) * 1e6;
}

}  // namespace levelfield
