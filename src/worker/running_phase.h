// A phase while its worker is at it: what was planned, what has come of it so far, and whom to tell
// about it. Made for each phase and gone when it ends; the worker's main thread alone uses it, but
// IsInterrupted(), which any thread may ask.
#ifndef LEVELFIELD_WORKER_RUNNING_PHASE_H_
#define LEVELFIELD_WORKER_RUNNING_PHASE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "result/result.h"
#include "worker/progress_ticker.h"

namespace levelfield {

class RunningPhase {
 public:
  // All of these outlive it. `number` is the phase's in the specification.
  RunningPhase(const WorkerSpec& spec, size_t number, MessageWriter& events, ProgressTicker& ticker,
               const std::atomic<bool>& interrupted, PhaseResult& result)
      : spec_(spec),
        number_(number),
        events_(events),
        ticker_(ticker),
        interrupted_(interrupted),
        result_(result) {}

  // The same phase with a result of its own, for one step of several.
  RunningPhase StepOf(PhaseResult& result) const {
    return {spec_, number_, events_, ticker_, interrupted_, result};
  }

  const WorkerSpec& spec() const { return spec_; }
  const Settings& settings() const { return spec_.settings; }
  const PlannedPhase& planned() const { return spec_.phases[number_]; }
  const Workload& workload() const { return planned().workload; }
  const Role& first_role() const { return workload().roles.front(); }
  size_t number() const { return number_; }
  MessageWriter& events() { return events_; }
  PhaseResult& result() { return result_; }

  // MessageWriter::Stage, of this phase.
  void Stage(std::string_view stage, bool slow) {
    events_.Send(StageBegan{number_, std::string(stage), slow});
  }
  void Tell(uint64_t operations, uint64_t of) { ticker_.Tell(operations, of); }
  bool IsInterrupted() const { return interrupted_.load(); }

  // Whether the phase can go on; if not, its result says why. A mistake of usage is what cannot be
  // done here (unsupported); anything else has failed, and the store with it.
  bool Keep(const Status& status);
  // The store failed or is wrong: no other phase is to run on it.
  void EndRun() { ends_run_ = true; }
  bool ends_run() const { return ends_run_; }

 private:
  const WorkerSpec& spec_;
  const size_t number_;
  MessageWriter& events_;
  ProgressTicker& ticker_;
  const std::atomic<bool>& interrupted_;
  PhaseResult& result_;
  bool ends_run_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_RUNNING_PHASE_H_
