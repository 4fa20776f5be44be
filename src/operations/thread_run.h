// The parts of the operations' run functions. They build the class that makes the calls, and have
// it measured here. Every choice of a template, above all the timer's, is made before the loop
// begins.
#ifndef LEVELFIELD_OPERATIONS_THREAD_RUN_H_
#define LEVELFIELD_OPERATIONS_THREAD_RUN_H_

#include <sys/prctl.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loop/in_flight.h"
#include "loop/open_loop.h"
#include "operations/task.h"

namespace levelfield {

// Runs the loop with the timer that the task asks for: all calls are timed, or with --histogram=0
// none. An open loop, which is there for its response times, is always timed (ThreadRun::RunOpen).
template <class Operation>
lf_code RunWithTimer(Operation& operation, const ThreadTask& task, KeyBlock& block,
                     std::span<Histogram> histograms) {
  const auto run = [&](auto timer) {
    return RunLoop(operation, timer, block, task.operations, *task.control);
  };
  const uint64_t scale = task.clock->ns_per_tick_fixed();
  if (!task.timed) return run(Untimed{});
  task.control->banks.Begin(histograms);
  if (task.clock->is_tsc()) return run(Timed<TscTicks>{scale, histograms.data()});
  return run(Timed<MonotonicTicks>{scale, histograms.data()});
}

// One kind of an operation's calls: what results call it, and what it does to the store.
struct CallKind {
  std::string_view name;  // Empty: it is not shown.
  Effects effects;
  Lookup lookup = Lookup::kNone;
};

class ThreadRun {
 public:
  ThreadRun(const ThreadTask& task, ThreadResult& result) : task_(task), result_(result) {}

  void Refuse(const std::string& reason) const {
    result_.code = LF_UNSUPPORTED;
    result_.error = reason;
  }
  // Whether the engine failed; if so, notes it in the result.
  bool HasFailed(lf_code code) const {
    if (code == LF_OK) return false;
    result_.code = code;
    result_.error = task_.table->last_error();
    return true;
  }

  KeyBlock Block(const KeyPlan& plan, size_t capacity = KeyBlock::kKeys) const {
    return KeyBlock(plan, KeyFormat(task_.key_shape, plan.range, task_.role->missing), capacity,
                    task_.role->cut);
  }

  // Operations as the loop counted them, without one that failed.
  uint64_t Operations() const { return task_.control->operations.load(); }

  // Measures an operation of one kind.
  template <class Operation>
  void One(Operation&& operation, size_t block_keys = KeyBlock::kKeys) const {
    ThreadStatistics& stats = BeginOne();
    KeyBlock block = Block(task_.keys, block_keys);
    Measure(operation, block, {&stats.latency_ns, 1});
    stats.counts = operation.counts(block.KeyBytes(Operations()), Operations());
  }

  // Measures an operation with several in flight (operations/in_flight.h).
  template <class Operation>
  void InFlight(Operation&& operation) const {
    ThreadStatistics& stats = BeginOne();
    KeyBlock block = Block(task_.keys);
    result_.start_ns = MonotonicNs();
    const bool is_given_up = RunInFlight(operation, block, {&stats.latency_ns, 1});
    Conclude(is_given_up);
    stats.counts = operation.counts(0, Operations());
  }

  // Measures an operation whose calls are of several kinds, in the order of its statistics.
  template <class Operation>
  void Kinds(Operation& operation, KeyBlock block, const std::vector<CallKind>& kinds) const {
    std::vector<Histogram> latencies(kinds.size());
    Measure(operation, block, latencies);
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].name.empty()) continue;
      const auto& [name, effects, lookup] = kinds[i];
      result_.statistics.push_back(
          {name, operation.counts(i), std::move(latencies[i]), i, effects, lookup});
    }
  }

  // The same for an operation that chooses its own keys; the loop's block makes none.
  template <class Operation>
  void Chosen(Operation& operation, const std::vector<CallKind>& kinds) const {
    KeyPlan no_keys = task_.keys;
    no_keys.order = KeyOrder::kNone;
    Kinds(operation, Block(no_keys), kinds);
  }

 private:
  ThreadStatistics& BeginOne() const {
    ThreadStatistics& stats = result_.statistics.emplace_back();
    stats.operation = task_.role->operation->result_name;
    stats.effects = task_.role->operation->effects;
    stats.lookup = task_.role->operation->lookup;
    return stats;
  }

  static constexpr uint64_t kFirstIntervalNs = 10'000;  // For the backlog, which doubles it.

  template <class Operation>
  void Measure(Operation& operation, KeyBlock& block, std::span<Histogram> histograms) const {
    const Role& role = *task_.role;
    bool is_given_up = false;  // Told to stop while it waited until it was due.
    result_.start_ns = MonotonicNs();
    if (task_.load) {
      is_given_up = task_.clock->is_tsc() ? RunOpen<TscTicks>(operation, block, histograms)
                                          : RunOpen<MonotonicTicks>(operation, block, histograms);
    } else if (role.rate == 0) {
      result_.code = RunWithTimer(operation, task_, block, histograms);
    } else {
      const Pace pace = {.rate = role.rate,
                         .threads = role.threads,
                         .thread = task_.thread,
                         .batch = role.batch,
                         .curve = role.curve.empty() ? nullptr : &role.curve};
      Scheduled paced(operation, RateSchedule(pace, *task_.control));
      result_.code = RunWithTimer(paced, task_, block, histograms);
      is_given_up = paced.is_given_up();
    }
    Conclude(is_given_up);
  }

  void Conclude(bool is_given_up) const {
    const Role& role = *task_.role;
    result_.end_ns = MonotonicNs();
    task_.control->LeaveGate();
    result_.end_ns -= task_.control->WaitedAtGateNs();
    if (is_given_up) {
      result_.code = LF_OK;
    } else if (result_.code == LF_NOT_FOUND && role.operation->is_scan()) {
      result_.found_end = true;
      result_.code = LF_OK;
    } else if (result_.code == LF_NOT_FOUND) {
      result_.code = LF_FAILED;
      result_.error = "answered 'not found' to a write";
    } else if (result_.code != LF_OK) {
      result_.error = task_.table->last_error();
    }
  }

  template <class Ticks, class Operation>
  bool RunOpen(Operation& operation, KeyBlock& block, std::span<Histogram> histograms) const {
    using Time = RealTime<Ticks>;
    return BeginOpen<Time>(histograms, [&](uint64_t begin, WakeUps wake_ups, OpenRecord& record) {
      const uint64_t scale = task_.clock->ns_per_tick_fixed();
      Scheduled open(operation, OpenSchedule<Time>(*task_.load, begin, scale, wake_ups, record,
                                                   *task_.control));
      result_.start_ns = MonotonicNs();
      result_.code = RunLoop(open, TimedOpen<Time>{scale, histograms.data(), &record}, block,
                             task_.operations, *task_.control);
      return open.is_given_up();
    });
  }

  template <class Operation>
  bool RunInFlight(Operation& operation, KeyBlock& block, std::span<Histogram> histograms) const {
    if (task_.load) {
      return task_.clock->is_tsc() ? RunInFlightOpen<TscTicks>(operation, block, histograms)
                                   : RunInFlightOpen<MonotonicTicks>(operation, block, histograms);
    }
    const uint64_t scale = task_.clock->ns_per_tick_fixed();
    const auto run = [&](auto timer) {
      InFlightLoop loop(operation, RecordClosed<decltype(timer)>{timer}, AtOnce(), task_.depth,
                        *task_.control);
      result_.code = loop.Run(block, task_.operations);
      return false;
    };
    if (!task_.timed) return run(Untimed{});
    task_.control->banks.Begin(histograms);
    if (task_.clock->is_tsc()) return run(Timed<TscTicks>{scale, histograms.data()});
    return run(Timed<MonotonicTicks>{scale, histograms.data()});
  }

  template <class Ticks, class Operation>
  bool RunInFlightOpen(Operation& operation, KeyBlock& block,
                       std::span<Histogram> histograms) const {
    using Time = RealTime<Ticks>;
    return BeginOpen<Time>(histograms, [&](uint64_t begin, WakeUps wake_ups, OpenRecord& record) {
      const uint64_t scale = task_.clock->ns_per_tick_fixed();
      InFlightLoop loop(operation, RecordOpen<Time>{scale, histograms.data(), &record},
                        DueTimes<Time>(*task_.load, begin, scale, wake_ups), task_.depth,
                        *task_.control);
      result_.start_ns = MonotonicNs();
      result_.code = loop.Run(block, task_.operations);
      return false;
    });
  }

  // Returns whether it was told to stop while it waited. The measurement begins with the schedule:
  // by then the set-up is over and delays nothing.
  template <class Time, class RunIt>
  bool BeginOpen(std::span<Histogram> histograms, RunIt run) const {
    const uint64_t scale = task_.clock->ns_per_tick_fixed();
    const auto ticks = [&](uint64_t ns) {
      return static_cast<uint64_t>(static_cast<double>(ns) * 1e-9 *
                                   task_.clock->ticks_per_second());
    };
    const uint64_t now_ns = MonotonicNs();
    const uint64_t lead_ns = task_.load_begin_ns > now_ns ? task_.load_begin_ns - now_ns : 0;
    const uint64_t begin = Time::Now() + ticks(lead_ns);
    OpenRecord& record =
        result_.open.emplace(begin, ticks(kFirstIntervalNs), scale, histograms.size());
    prctl(PR_SET_TIMERSLACK, 1);  // For this thread. See open_loop.h.
    WakeUps wake_ups = WakeUps::Of(task_.load->pace, AllowedProcessors());
    if (!WaitUntil<Time>(begin, scale, *task_.control, wake_ups)) return true;
    task_.control->banks.Begin(histograms, record.response_ns());
    return run(begin, wake_ups, record);
  }

  const ThreadTask& task_;
  ThreadResult& result_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_THREAD_RUN_H_
