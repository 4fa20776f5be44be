// Operations that begin when they are due, or at once if they are late. The schedule knows nothing
// of the engine. In an open loop, times count from when an operation was due; at a mere rate only
// the call is timed. A class around the operation waits before the clock starts, so closed loops
// stay as they are.
//
// Sleeping alone wakes up late: on a virtual machine by 54 us in the median and 150 us in one of a
// hundred times, and by as much again with the timer slack of 50 us that Linux gives a thread
// (prctl(2), PR_SET_TIMERSLACK). So an open loop has a slack of 1 ns, sleeps until a time before
// the due one that its own wake-ups have shown to be enough, and then reads the clock until it has
// come. Roles that only keep to a rate sleep all the way. None of their times count from the due
// time, and a background writer that kept its processor busy would take it from the measured
// threads.
#ifndef LEVELFIELD_LOOP_OPEN_LOOP_H_
#define LEVELFIELD_LOOP_OPEN_LOOP_H_

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "loop/load_model.h"
#include "loop/loop.h"
#include "stats/histogram.h"

namespace levelfield {

inline void SleepUntilNs(uint64_t ns) {
  const timespec until = {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                          .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

// On which the calling thread may run (--cpus).
inline uint64_t AllowedProcessors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<uint64_t>(CPU_COUNT(&allowed));
}

// Ticks is MonotonicTicks or TscTicks; a test has its own time.
template <class Ticks>
struct RealTime {
  static uint64_t Now() { return Ticks::Now(); }
  static void Sleep(uint64_t ns) { SleepUntilNs(MonotonicNs() + ns); }
};

// How long before a time a thread has to wake up to be there in time: as long as its wake-ups were
// late, the latest of some hundred. Belongs to the thread.
class WakeUps {
 public:
  // Where there are more threads than processors, all of them together may read the clock for half
  // of the processors' time; else they would keep each other from them.
  static WakeUps Of(const Pace& pace, uint64_t processors) {
    if (pace.threads <= processors) return WakeUps(kMostNs);
    const uint64_t rate = std::max<uint64_t>(pace.rate, 1);
    return WakeUps(std::min(kMostNs, processors * 500'000'000 * pace.batch / rate));
  }

  uint64_t lead_ns() const { return lead_ns_; }

  void Woke(uint64_t late_ns) {
    lead_ns_ = std::min(most_ns_, std::max(late_ns + late_ns / 4, lead_ns_ - lead_ns_ / 256));
  }

 private:
  static constexpr uint64_t kMostNs = 1'000'000;
  static constexpr uint64_t kFirstNs = 200'000;

  explicit WakeUps(uint64_t most_ns) : most_ns_(most_ns), lead_ns_(std::min(most_ns, kFirstNs)) {}

  uint64_t most_ns_;
  uint64_t lead_ns_;
};

// Waits until that tick; false if it was told to stop meanwhile.
template <class Time>
bool WaitUntil(uint64_t due, uint64_t ns_per_tick_fixed, const ThreadControl& control,
               WakeUps& wake_ups) {
  constexpr uint64_t kNapNs = 20'000'000;  // Short enough to notice a stop.
  for (uint64_t now = Time::Now(); now < due; now = Time::Now()) {
    if (control.IsStopped()) return false;
    const uint64_t left_ns = Clock::ScaleToNs(due - now, ns_per_tick_fixed);
    if (left_ns <= wake_ups.lead_ns()) continue;
    const uint64_t nap_ns = std::min(left_ns - wake_ups.lead_ns(), kNapNs);
    Time::Sleep(nap_ns);
    const uint64_t slept_ns = Clock::ScaleToNs(Time::Now() - now, ns_per_tick_fixed);
    wake_ups.Woke(slept_ns - std::min(slept_ns, nap_ns));
  }
  return true;
}

// How far a thread of an open loop is behind its schedule: at the end of each of many equal
// intervals, how long the oldest operation that was due and is not done has been waiting. Private
// to its thread, so it writes to nobody else's cache line.
//
// It starts with short intervals and doubles them whenever it has too many. So a run of 10 ms and
// one of an hour both have a few hundred.
class BacklogSeries {
 public:
  static constexpr size_t kMost = 512;
  static constexpr size_t kParts = 8;  // The parts that are judged.

  // Both in the clock's ticks; its intervals begin at `begin`.
  BacklogSeries(uint64_t begin, uint64_t interval)
      : interval_(interval != 0 ? interval : 1), next_(begin + interval_) {
    waiting_.reserve(kMost);
  }

  // The thread's next operation was due at `due` and done at `end`. Ends never go back.
  void Done(uint64_t due, uint64_t end) {
    while (end >= next_) [[unlikely]] {
        Close(next_ > due ? next_ - due : 0);
      }
  }

  // The means of equal parts of the run, in ticks; none if it was over too soon.
  std::vector<uint64_t> Parts() const {
    std::vector<uint64_t> parts;
    if (waiting_.size() < kParts) return parts;
    for (size_t part = 0; part < kParts; ++part) {
      const size_t begin = waiting_.size() * part / kParts;
      const size_t end = waiting_.size() * (part + 1) / kParts;
      unsigned __int128 sum = 0;
      for (size_t i = begin; i < end; ++i) sum += waiting_[i];
      parts.push_back(static_cast<uint64_t>(sum / (end - begin)));
    }
    return parts;
  }

  uint64_t PartTicks() const { return interval_ * waiting_.size() / kParts; }

 private:
  void Close(uint64_t waiting) {
    if (waiting_.size() == kMost) {
      for (size_t i = 0; i < kMost / 2; ++i) waiting_[i] = waiting_[2 * i + 1];
      waiting_.resize(kMost / 2);
      interval_ *= 2;
      // The current interval is the first half of a longer one.
      next_ += interval_ / 2;
      return;
    }
    waiting_.push_back(waiting);
    next_ += interval_;
  }

  uint64_t interval_;
  uint64_t next_;  // The end of the current interval.
  std::vector<uint64_t> waiting_;
};

// What a thread of an open loop records about each operation beside its service time, and the timer
// that records it. Belongs to the thread.
//
//   response time   from when the operation was due to its end
//   lateness        from when a perfect generator would have begun it to when it began. A
//                   perfect generator begins an operation as soon as it is due and the one before
//                   is done, and its operations take as long as they really did. So a wait for the
//                   engine is not lateness, but a delay of the generator is, and so is what it does
//                   to all operations that were due meanwhile.
//
// `begin` and `interval` are in ticks, which `ns_per_tick_fixed` converts.
class OpenRecord {
 public:
  OpenRecord(uint64_t begin, uint64_t interval, uint64_t ns_per_tick_fixed, size_t statistics)
      : ns_per_tick_fixed_(ns_per_tick_fixed),
        due_(begin),
        perfect_end_(begin),
        backlog_(begin, interval),
        response_ns_(statistics) {}

  void SetDue(uint64_t due) { due_ = due; }

  void Add(size_t stats, uint64_t start, uint64_t end) {
    // The counter may differ by some ticks between processors; that makes nothing begin too early.
    const uint64_t perfect_start = std::min(std::max(due_, perfect_end_), start);
    perfect_end_ = perfect_start + (end - start);
    lateness_ns_.Add(ToNs(start - perfect_start));
    response_ns_[stats].Add(ToNs(end - std::min(due_, start)));
    backlog_.Done(due_, end);
  }

  // The same where several are in flight (loop/in_flight.h), so that each has a due time of its
  // own. `could_begin` is when it was due and there was room for it.
  void AddInFlight(uint64_t due, uint64_t could_begin, uint64_t start, uint64_t end) {
    lateness_ns_.Add(ToNs(start - std::min(could_begin, start)));
    response_ns_[0].Add(ToNs(end - std::min(due, start)));
    backlog_.Done(due, end);
  }

  const Histogram& lateness_ns() const { return lateness_ns_; }
  const Histogram& response_ns(size_t stats) const { return response_ns_.at(stats); }
  // Where it records them, by kind of call.
  std::span<Histogram> response_ns() { return response_ns_; }
  std::vector<uint64_t> BacklogNs() const {
    std::vector<uint64_t> parts = backlog_.Parts();
    for (uint64_t& part : parts) part = ToNs(part);
    return parts;
  }
  double BacklogSeconds() const { return static_cast<double>(ToNs(backlog_.PartTicks())) * 1e-9; }

 private:
  uint64_t ToNs(uint64_t ticks) const { return Clock::ScaleToNs(ticks, ns_per_tick_fixed_); }

  uint64_t ns_per_tick_fixed_;
  uint64_t due_;
  uint64_t perfect_end_;
  BacklogSeries backlog_;
  Histogram lateness_ns_;
  std::vector<Histogram> response_ns_;  // By kind of call.
};

template <class Time>
struct TimedOpen {
  uint64_t ns_per_tick_fixed;
  Histogram* histograms;  // Service times, one for each kind of call.
  OpenRecord* record;

  uint64_t Now() const { return Time::Now(); }
  void Record(size_t stats, uint64_t start, uint64_t end) {
    histograms[stats].Add(Clock::ScaleToNs(end - start, ns_per_tick_fixed));
    record->Add(stats, start, end);
  }
  void Attend(ThreadControl& control) { control.Attend(true); }
};

// Has each operation wait until it is due. A Schedule has
//     bool WaitForNext(uint64_t entries)   false: it was told to stop meanwhile
template <class Operation, class Schedule>
class Scheduled {
 public:
  static constexpr bool kWholeBlock = Operation::kWholeBlock;
  static constexpr bool kWaits = true;

  // The operation outlives it.
  Scheduled(Operation& operation, Schedule schedule)
      : operation_(operation), schedule_(std::move(schedule)) {}

  void BeginBlock(const KeyBlock& block) {
    operation_.BeginBlock(block);
    if (kWholeBlock) entries_ = block.count();
  }
  void Prepare(const NumberedKey& at) {
    operation_.Prepare(at);
    is_given_up_ = !schedule_.WaitForNext(entries_);
  }
  // LF_NOT_FOUND ends the loop before an operation that was never due; is_given_up() distinguishes
  // this from the end of a scan.
  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    if (is_given_up_) [[unlikely]] {
      return LF_NOT_FOUND;
    }
    return operation_.Call(at);
  }
  size_t Statistics() const { return operation_.Statistics(); }
  bool is_given_up() const { return is_given_up_; }

 private:
  Operation& operation_;
  Schedule schedule_;
  uint64_t entries_ = 1;  // Entries in an operation.
  bool is_given_up_ = false;
};

// The schedule of an open loop.
template <class Time>
class OpenSchedule {
 public:
  // What it refers to outlives it. `begin`: a tick, the start of the schedule.
  OpenSchedule(const LoadPlan& plan, uint64_t begin, uint64_t ns_per_tick_fixed,
               const WakeUps& wake_ups, OpenRecord& record, const ThreadControl& control)
      : model_(plan),
        begin_(begin),
        ns_per_tick_fixed_(ns_per_tick_fixed),
        ticks_per_ns_(0x1p32 / static_cast<double>(ns_per_tick_fixed)),
        wake_ups_(wake_ups),
        record_(record),
        control_(control) {}

  bool WaitForNext(uint64_t entries) {
    const auto due_ticks = static_cast<double>(model_.NextDueNs(entries)) * ticks_per_ns_;
    const uint64_t due = begin_ + static_cast<uint64_t>(due_ticks);
    record_.SetDue(due);
    return WaitUntil<Time>(due, ns_per_tick_fixed_, control_, wake_ups_);
  }

 private:
  LoadModel model_;
  uint64_t begin_;
  uint64_t ns_per_tick_fixed_;
  double ticks_per_ns_;
  WakeUps wake_ups_;
  OpenRecord& record_;
  const ThreadControl& control_;
};

// The schedule of a role at a rate: each operation is due at a time that was fixed when the first
// began, so a late one does not move those after it.
class RateSchedule {
 public:
  RateSchedule(const Pace& pace, const ThreadControl& control) : pace_(pace), control_(control) {}

  bool WaitForNext(uint64_t entries) {
    constexpr uint64_t kNapNs = 20'000'000;  // Short enough to notice a stop.
    if (next_ == 0) start_ns_ = MonotonicNs();
    const uint64_t due_ns = start_ns_ + pace_.DueNs(next_, entries);
    next_ += entries;
    for (uint64_t now = MonotonicNs(); now < due_ns; now = MonotonicNs()) {
      if (control_.IsStopped()) return false;
      SleepUntilNs(std::min(due_ns, now + kNapNs));
    }
    return true;
  }

 private:
  Pace pace_;
  const ThreadControl& control_;
  uint64_t start_ns_ = 0;
  uint64_t next_ = 0;  // The first entry of the next operation.
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_OPEN_LOOP_H_
