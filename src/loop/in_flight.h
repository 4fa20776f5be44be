// The measured loop of --depth: a thread begins operations before earlier ones are answered, up to
// `depth` of them. Answers come in the order of the operations. Like RunLoop (loop.h) it neither
// locks, allocates, prints nor asks for a setting for an operation. Belongs to one thread.
//
// A latency begins when the operation is submitted, and in an open loop (Schedule) also when it was
// due, and ends when its answer is there. So what waits in the thread's own buffer, or behind
// others in the server, is part of it: with more in flight a server does more, and each waits
// longer.
//
// An Operation is a class with
//     void BeginBlock(const KeyBlock&), void Prepare(const NumberedKey&)    as in loop.h
//     lf_code Submit(const NumberedKey&, Asked&)        begins it; sets Asked::bytes
//     lf_code Answer(const Asked&, uint64_t most_ns)    of the oldest that has none, and folds it;
//                                                       LF_PENDING: not in that time
#ifndef LEVELFIELD_LOOP_IN_FLIGHT_H_
#define LEVELFIELD_LOOP_IN_FLIGHT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/loop.h"
#include "loop/open_loop.h"

namespace levelfield {

// An operation that is in flight. Times are ticks of the loop's clock.
struct Asked {
  uint64_t index = 0;  // Of its key.
  uint64_t bytes = 0;  // Of the key and of what is written.
  uint64_t due = 0;
  uint64_t could_begin = 0;  // When it was due and there was room for it.
  uint64_t start = 0;
};

// In a closed loop each is due as soon as there is room.
struct AtOnce {
  uint64_t NextDue() { return 0; }
  uint64_t WaitNs(uint64_t) { return 0; }
  void Woke(uint64_t, uint64_t) {}
};

// When the operations of an open loop are due, and how long a thread may sleep until then.
template <class Time>
class DueTimes {
 public:
  DueTimes(const LoadPlan& plan, uint64_t begin, uint64_t ns_per_tick_fixed,
           const WakeUps& wake_ups)
      : model_(plan),
        begin_(begin),
        ns_per_tick_fixed_(ns_per_tick_fixed),
        ticks_per_ns_(0x1p32 / static_cast<double>(ns_per_tick_fixed)),
        wake_ups_(wake_ups) {}

  uint64_t NextDue() {
    return begin_ + static_cast<uint64_t>(static_cast<double>(model_.NextDueNs(1)) * ticks_per_ns_);
  }
  // 0: so short that it reads the clock until then.
  uint64_t WaitNs(uint64_t ticks) const {
    constexpr uint64_t kNapNs = 20'000'000;  // Short enough to notice a stop.
    const uint64_t ns = Clock::ScaleToNs(ticks, ns_per_tick_fixed_);
    return ns <= wake_ups_.lead_ns() ? 0 : std::min(ns - wake_ups_.lead_ns(), kNapNs);
  }
  void Woke(uint64_t slept_ticks, uint64_t wait_ns) {
    const uint64_t ns = Clock::ScaleToNs(slept_ticks, ns_per_tick_fixed_);
    wake_ups_.Woke(ns - std::min(ns, wait_ns));
  }

 private:
  LoadModel model_;
  uint64_t begin_;
  uint64_t ns_per_tick_fixed_;
  double ticks_per_ns_;
  WakeUps wake_ups_;
};

// Records for a closed loop what its Timer (loop.h) records.
template <class Timer>
struct RecordClosed {
  Timer timer;

  uint64_t Now() const { return timer.Now(); }
  void Record(const Asked& asked, uint64_t end) { timer.Record(0, asked.start, end); }
  void Attend(ThreadControl& control) { timer.Attend(control); }
};

template <class Time>
struct RecordOpen {
  uint64_t ns_per_tick_fixed;
  Histogram* service_ns;
  OpenRecord* record;

  uint64_t Now() const { return Time::Now(); }
  void Record(const Asked& asked, uint64_t end) {
    service_ns->Add(Clock::ScaleToNs(end - asked.start, ns_per_tick_fixed));
    record->AddInFlight(asked.due, asked.could_begin, asked.start, end);
  }
  void Attend(ThreadControl& control) { control.Attend(true); }
};

template <class Operation, class Recorder, class Schedule>
class InFlightLoop {
 public:
  // What it refers to outlives it.
  InFlightLoop(Operation& operation, Recorder recorder, Schedule schedule, size_t depth,
               ThreadControl& control)
      : operation_(operation),
        recorder_(recorder),
        schedule_(std::move(schedule)),
        control_(control),
        ring_(depth) {}

  // Runs until `limit` operations, the stop signal or the first failure. Nothing is in flight
  // behind it, unless something failed.
  lf_code Run(KeyBlock& block, uint64_t limit) {
    uint64_t begun = 0;
    while (begun < limit && !control_.IsStopped()) {
      block.Fill(limit - begun);
      if (block.count() == 0) break;  // More threads than keys: this one has none.
      operation_.BeginBlock(block);
      for (size_t i = 0; i < block.count(); ++i) {
        const lf_code code = Begin(block.at(i));
        if (code == LF_NOT_FOUND) return Drain();  // Told to stop.
        if (code != LF_OK) return code;
        ++begun;
      }
    }
    return Drain();
  }

 private:
  static constexpr uint64_t kForever = std::numeric_limits<uint64_t>::max();

  bool is_full() const { return begun_ - answered_ == ring_.size(); }
  bool is_empty() const { return begun_ == answered_; }

  // Begins one when it is due and there is room. LF_NOT_FOUND: it was told to stop.
  lf_code Begin(const NumberedKey& key) {
    operation_.Prepare(key);
    const uint64_t due = schedule_.NextDue();
    if (const lf_code code = AwaitDue(due); code != LF_OK) return code;
    uint64_t could_begin = due;
    while (is_full()) {
      if (const lf_code code = TakeAnswer(kForever); code != LF_OK) return code;
      could_begin = std::max(due, last_end_);
    }
    if (const lf_code code = HeedSignals(); code != LF_OK) return code;
    Asked& asked = ring_[begun_ % ring_.size()];
    asked = {.index = key.index,
             .bytes = 0,
             .due = due,
             .could_begin = could_begin,
             .start = recorder_.Now()};
    const lf_code code = operation_.Submit(key, asked);
    if (code != LF_OK) return code == LF_NOT_FOUND ? LF_FAILED : code;
    ++begun_;
    return LF_OK;
  }

  // Takes answers until then, and sleeps where there is nothing to take.
  lf_code AwaitDue(uint64_t due) {
    for (uint64_t now = recorder_.Now(); now < due; now = recorder_.Now()) {
      if (control_.IsStopped()) return LF_NOT_FOUND;
      const uint64_t wait_ns = schedule_.WaitNs(due - now);
      lf_code code = LF_PENDING;
      if (!is_empty()) {
        code = TakeAnswer(wait_ns);
      } else if (wait_ns != 0) {
        SleepUntilNs(MonotonicNs() + wait_ns);
      }
      if (code != LF_PENDING && code != LF_OK) return code;
      if (code == LF_PENDING && wait_ns != 0) schedule_.Woke(recorder_.Now() - now, wait_ns);
    }
    return LF_OK;
  }

  // What the others wait for is seen when nothing is in flight: the server works in nobody else's
  // turn.
  lf_code HeedSignals() {
    const uint32_t signals = control_.signals.load(std::memory_order_relaxed);
    if (signals == 0) [[likely]] {
      return LF_OK;
    }
    if ((signals & ThreadControl::kAttend) != 0) {
      if (const lf_code code = Drain(); code != LF_OK) return code;
      recorder_.Attend(control_);
    }
    return (signals & ThreadControl::kStop) != 0 ? LF_NOT_FOUND : LF_OK;
  }

  lf_code TakeAnswer(uint64_t most_ns) {
    const Asked& asked = ring_[answered_ % ring_.size()];
    const lf_code code = operation_.Answer(asked, most_ns);
    if (code != LF_OK) return code == LF_NOT_FOUND ? LF_FAILED : code;
    last_end_ = recorder_.Now();
    recorder_.Record(asked, last_end_);
    ++answered_;
    control_.operations.store(answered_, std::memory_order_relaxed);
    return LF_OK;
  }

  lf_code Drain() {
    while (!is_empty()) {
      if (const lf_code code = TakeAnswer(kForever); code != LF_OK) return code;
    }
    return LF_OK;
  }

  Operation& operation_;
  Recorder recorder_;
  Schedule schedule_;
  ThreadControl& control_;
  std::vector<Asked> ring_;
  uint64_t begun_ = 0;
  uint64_t answered_ = 0;
  uint64_t last_end_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_IN_FLIGHT_H_
