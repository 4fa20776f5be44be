// When the operations of a role at a rate are due: an absolute schedule in nanoseconds from its
// begin. It is fixed before anything is done, and nothing that happens moves it. Each thread has
// its own part of it and asks for its times one by one. Pure; belongs to one thread.
//
// Poisson: independent users. Each thread's gaps are exponential and come from its own stream;
// together the threads' schedules are a Poisson process of the whole rate. Constant: the threads'
// operations are due in turn. Either may have a rate that changes over time (rate_curve.h). Trace:
// as recorded, at so many times the speed.
#ifndef LEVELFIELD_LOOP_LOAD_MODEL_H_
#define LEVELFIELD_LOOP_LOAD_MODEL_H_

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/random.h"
#include "stats/rate_curve.h"
#include "workload/trace/trace_plan.h"

namespace levelfield {

// The rate of all threads of the role together. DueNs is the constant schedule: their operations
// are due in turn, a batch at a time.
struct Pace {
  uint64_t rate = 1;  // Entries a second; of a curve the most.
  uint64_t threads = 1;
  uint64_t thread = 0;
  uint64_t batch = 1;  // Entries in an operation.
  const RateCurve* curve = nullptr;  // Outlives it. Null: the rate is always the same.

  // The time from the begin of the role until the operation is due that has `count` entries from
  // number `n` (from 0) on. It is due when its last entry is, so that none is early.
  uint64_t DueNs(uint64_t n, uint64_t count = 1) const {
    const unsigned __int128 first = static_cast<unsigned __int128>(n) * threads + thread * batch;
    if (curve != nullptr) return curve->DueNs(static_cast<double>(first + count - 1));
    return static_cast<uint64_t>((first + count - 1) * 1'000'000'000 / rate);
  }
};

enum class Arrival { kPoisson, kConstant, kTrace };

inline std::string_view ArrivalName(Arrival arrival) {
  return arrival == Arrival::kPoisson    ? "poisson"
         : arrival == Arrival::kConstant ? "constant"
                                         : "trace";
}

struct LoadPlan {
  Arrival arrival = Arrival::kPoisson;
  Pace pace;
  uint64_t seed = 0;  // For this thread's gaps.
  // For kTrace: this thread's steps, which outlive the plan, and the speed as a multiple.
  std::span<const TraceStep> steps = {};
  double speed = 1;
};

class LoadModel {
 public:
  explicit LoadModel(const LoadPlan& plan)
      : plan_(plan),
        gap_(static_cast<double>(plan.pace.threads) * 1e9 * kParts /
             static_cast<double>(plan.pace.rate)),
        random_(plan.seed) {}

  // When the thread's next operation, of `count` entries, is due. A Poisson gap costs 10 ns. With a
  // trace it may be asked once for each of the thread's steps.
  uint64_t NextDueNs(uint64_t count = 1) {
    if (plan_.arrival == Arrival::kTrace) {
      return static_cast<uint64_t>(static_cast<double>(plan_.steps[next_++].time_ns) / plan_.speed);
    }
    if (plan_.arrival == Arrival::kConstant) {
      const uint64_t due_ns = plan_.pace.DueNs(next_, count);
      next_ += count;
      return due_ns;
    }
    // u is in (0, 1], so a gap is finite: at most 36.7 times the mean.
    const double u = static_cast<double>((random_.Next() >> 11) + 1) * 0x1p-53;
    if (plan_.pace.curve != nullptr) {
      due_entries_ += -std::log(u) * static_cast<double>(plan_.pace.threads * count);
      return plan_.pace.curve->DueNs(due_entries_);
    }
    due_parts_ += static_cast<uint64_t>(-std::log(u) * gap_ * static_cast<double>(count) + 0.5);
    return due_parts_ / kParts;
  }

 private:
  // Parts of a nanosecond. Whole nanoseconds would be wrong by some per cent at the highest rates
  // (fio's gaps of whole microseconds are 5 % off at 100,000 a second). 64 bits of parts are 200
  // days.
  static constexpr uint64_t kParts = 1024;

  LoadPlan plan_;
  double gap_;  // The mean for one entry, in parts.
  Random random_;
  uint64_t next_ = 0;       // Constant: the first entry of the next operation. Trace: its step.
  uint64_t due_parts_ = 0;  // Poisson: when the last operation was due,
  double due_entries_ = 0;  // and with a curve, how much of its area was over then.
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_LOAD_MODEL_H_
