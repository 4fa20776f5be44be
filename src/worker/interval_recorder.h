// Watches the threads of a phase. Ten times a second it reads their progress and asks the engine
// what it is doing (ticks). Once in an interval it takes their histograms (loop/histogram_banks.h).
// It does all this on the one thread that waits for the others, which notice only the end of an
// interval.
//
// Nothing is lost and nothing is invented: ticks and intervals add up to what the threads did. A
// thread that hangs in a call hands its histograms over when the call ends. What ended before the
// call counts in the interval in which the call began, and the call itself in the one in which it
// ended. Intervals in between stay empty.
#ifndef LEVELFIELD_WORKER_INTERVAL_RECORDER_H_
#define LEVELFIELD_WORKER_INTERVAL_RECORDER_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "worker/phase.h"
#include "workload/workload.h"

namespace levelfield {

class IntervalRecorder {
 public:
  static constexpr uint64_t kTickNs = 100'000'000;
  // A longer phase has longer ticks: pairs of neighbours merge, and later ticks are as long.
  static constexpr size_t kMostTicks = 36'000;
  static constexpr size_t kMostIntervals = 4'000;

  // All of them outlive it; `store` and `curve` may be null. 0 seconds: no intervals. With the
  // curve of the first role's rate, an interval also ends where a part of the curve does, and what
  // was done in each part is added up.
  IntervalRecorder(const Workload& workload, PhaseRun& run, const Store* store,
                   double interval_seconds, const RateCurve* curve = nullptr);

  void Begin(uint64_t now_ns);
  std::chrono::nanoseconds UntilNext(uint64_t now_ns) const;
  // May be called at any time; does its work when it is due.
  void Look(uint64_t now_ns);
  // The 99th percentile of the first role in the last interval, once all of its threads have handed
  // over their histograms; nothing if it has been reported.
  std::optional<uint64_t> NewPercentile99();
  // When all threads have ended: takes the rest.
  void End(uint64_t now_ns);

 private:
  struct Watched {
    size_t role;
    const ThreadTask* task;
    const ThreadResult* result;
    std::optional<size_t> asked = {};  // The interval whose histograms it was asked for,
    size_t asked_part = 0;             // and the part of the curve that it is in.
    uint32_t rotations = 0;            // Made by then.
  };

  // How many operations each role has done in an interval, since `before`, which moves on.
  std::vector<uint64_t> Progress(std::vector<uint64_t>& before) const;
  uint64_t Ms(uint64_t now_ns) const { return (now_ns - begun_ns_) / 1'000'000; }
  void AddTick(uint64_t now_ns);
  void NoteActivities();
  void HalveTicks();
  void AddInterval(uint64_t now_ns);
  void SetNextInterval(uint64_t now_ns);
  bool HasParts() const { return !run_.load_parts.empty(); }
  double CurveSeconds(uint64_t now_ns) const;
  void HalveIntervals();
  void TakeRotated();
  void Add(size_t interval, size_t part, size_t role, const HistogramBanks::Taken& taken);

  const Workload& workload_;
  PhaseRun& run_;
  std::vector<ProcessId> others_;  // Work for the store beside this one.
  const Store* store_;
  const RateCurve* curve_;
  uint64_t interval_ns_;
  std::vector<Watched> threads_;
  bool is_told_ = true;  // Whether the last interval's percentile has been reported.
  uint64_t tick_ns_ = kTickNs;
  uint64_t begun_ns_ = 0;
  uint64_t next_tick_ns_ = 0;
  uint64_t next_interval_ns_ = 0;
  uint64_t interval_begin_ns_ = 0;  // Of the present one,
  size_t part_ = 0;                 // and the part that it is in.
  std::vector<uint64_t> at_tick_;  // Each role's operations by then.
  uint64_t dirtied_at_tick_ = 0;   // By this process, in bytes.
  std::vector<uint64_t> at_interval_;
  std::map<std::string, std::vector<uint64_t>>
      activities_;  // The ticks at the end of which each was seen.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_INTERVAL_RECORDER_H_
