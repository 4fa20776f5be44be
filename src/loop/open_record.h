// What a thread of an open loop writes down of each operation beside its service time, and the
// timer of the measured loop that does. Belongs to the thread.
//
//   response time   from when the operation was due to its end
//   lateness        from when a perfect generator would have begun it to when it began. That one
//                   begins an operation when it is due and the one before is done, all of which
//                   take as long as they did: so a wait for the engine is not the generator's, and
//                   what one of its delays does to all that were due meanwhile is
#ifndef LEVELFIELD_LOOP_OPEN_RECORD_H_
#define LEVELFIELD_LOOP_OPEN_RECORD_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "loop/backlog_series.h"
#include "loop/loop.h"
#include "stats/histogram.h"

namespace levelfield {

// `begin` and `interval` are ticks, of which a nanosecond is so many. `lanes`: of the operation.
class OpenRecord {
 public:
  OpenRecord(uint64_t begin, uint64_t interval, uint64_t ns_per_tick_fixed, size_t lanes)
      : ns_per_tick_fixed_(ns_per_tick_fixed),
        due_(begin),
        perfect_end_(begin),
        backlog_(begin, interval),
        response_ns_(lanes) {}

  void SetDue(uint64_t due) { due_ = due; }

  void Add(size_t lane, uint64_t start, uint64_t end) {
    // The counter may differ by some ticks between processors: nothing begins too early by that.
    const uint64_t perfect_start = std::min(std::max(due_, perfect_end_), start);
    perfect_end_ = perfect_start + (end - start);
    lateness_ns_.Add(ToNs(start - perfect_start));
    response_ns_[lane].Add(ToNs(end - std::min(due_, start)));
    backlog_.Done(due_, end);
  }

  const Histogram& lateness_ns() const { return lateness_ns_; }
  const Histogram& response_ns(size_t lane) const { return response_ns_.at(lane); }
  // Where it records them, lane by lane.
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
  std::vector<Histogram> response_ns_;  // By lane.
};

// Time is where the loop's ticks come from (operations/open_loop.h).
template <class Time>
struct TimedOpen {
  uint64_t ns_per_tick_fixed;
  Histogram* histograms;  // Service times, one for each lane of the operation.
  OpenRecord* record;

  uint64_t Now() const { return Time::Now(); }
  void Record(size_t lane, uint64_t start, uint64_t end) {
    histograms[lane].Add(Clock::ScaleToNs(end - start, ns_per_tick_fixed));
    record->Add(lane, start, end);
  }
  void Rotate(ThreadControl& control) { control.Rotate(); }
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_OPEN_RECORD_H_
