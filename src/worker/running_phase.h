// A phase while its worker runs it, and the worker's state for its phases. Only the worker's main
// thread uses both, except for the clock and IsInterrupted(), which any thread may ask.
#ifndef LEVELFIELD_WORKER_RUNNING_PHASE_H_
#define LEVELFIELD_WORKER_RUNNING_PHASE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/status.h"
#include "loop/original_streams.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "probe/condition_probe.h"
#include "probe/resource_probe.h"
#include "probe/sync_probe.h"
#include "result/result.h"
#include "worker/backups.h"
#include "worker/call_recorder.h"
#include "worker/known_store.h"
#include "worker/message_writer.h"

namespace levelfield {

// Reports a phase's progress to the driver about ten times a second, however often it is called.
class ProgressTicker {
 public:
  explicit ProgressTicker(MessageWriter& events) : events_(events) {}

  void Tell(uint64_t operations, uint64_t of) {
    const uint64_t now_ns = MonotonicNs();
    if (now_ns - last_ns_ < 90'000'000) return;
    last_ns_ = now_ns;
    events_.Send(Progressed{operations, of});
  }

 private:
  MessageWriter& events_;
  uint64_t last_ns_ = 0;
};

// Made once, before the first phase. The probes are never used while operations run.
struct WorkerState {
  // All of these outlive it.
  WorkerState(const WorkerSpec& its_spec, const Engine& engine, MessageWriter& its_events,
              const std::atomic<bool>& its_interrupted)
      : spec(its_spec),
        events(its_events),
        interrupted(its_interrupted),
        store(its_spec, engine, its_events),
        backups(its_spec.settings, its_spec.directory, its_spec.engine) {}

  const WorkerSpec& spec;
  MessageWriter& events;
  const std::atomic<bool>& interrupted;
  Clock clock = Clock::Known(spec.clock);
  ResourceProbe resources{spec.directory};         // For the measured time.
  ResourceProbe settle_resources{spec.directory};  // For the settling after it.
  ConditionProbe conditions;
  double copy_bytes_per_second = MeasureCopies();  // The fastest so far.
  KnownStore store;
  Backups backups;
  // For phases that ask the engine about itself right behind one whose store is closed and read
  // back: what it said before that, by the number of the phase that asks.
  std::map<size_t, std::string> answers;
  // The same of phases that only end what such a phase has left to the store's own threads: it was
  // done before the store was closed, and took so long.
  std::map<size_t, uint64_t> done_ns;
  OriginalStreams streams{spec.settings.dialect};  // Used with --compat=exact only.
  bool acts_wrote = false;  // Acts before this one, and nobody has read the store back.
  ProgressTicker progress{events};
  std::optional<CallRecorder> recorder = {};  // With --record.
};

class RunningPhase {
 public:
  // Both outlive it. `number` is the phase's in the specification.
  RunningPhase(WorkerState& worker, size_t number, PhaseResult& result)
      : worker_(worker), number_(number), result_(result) {}

  // The same phase with its own result, for one step of several.
  RunningPhase StepOf(PhaseResult& result) const { return {worker_, number_, result}; }

  WorkerState& worker() { return worker_; }
  KnownStore& store() { return worker_.store; }
  const WorkerSpec& spec() const { return worker_.spec; }
  const Settings& settings() const { return spec().settings; }
  const PlannedPhase& planned() const { return spec().phases[number_]; }
  const Workload& workload() const { return planned().workload; }
  bool needs_store() const { return workload().need != StoreNeed::kNone; }
  bool writes() const { return std::ranges::any_of(workload().roles, &Role::changes_store); }
  const Role& first_role() const { return workload().roles.front(); }
  size_t number() const { return number_; }
  MessageWriter& events() { return worker_.events; }
  PhaseResult& result() { return result_; }

  // `slow`: it may take long without any message.
  void BeginStage(Stage stage, bool slow) { events().Send(StageBegan{number_, stage, slow}); }
  void Tell(uint64_t operations, uint64_t of) { worker_.progress.Tell(operations, of); }
  bool IsInterrupted() const { return worker_.interrupted.load(); }

  // Whether the phase can go on; if not, its result says why. A usage error means that it cannot be
  // done here (unsupported). Any other error is a failure, also of the store, and so is a usage
  // error once the phase is under way: what is half done is not "cannot be done".
  bool Keep(const Status& status) {
    if (status.ok()) return true;
    const bool is_unsupported = status.kind() == ErrorKind::kUsage && !is_under_way_;
    End(is_unsupported ? Outcome::kUnsupported : Outcome::kFailed, status.message());
    if (!is_unsupported) EndRun();
    return false;
  }
  // The engine has carried out some of the phase.
  void IsUnderWay() { is_under_way_ = true; }
  void End(Outcome outcome, std::string message) {
    result_.outcome = outcome;
    result_.message = std::move(message);
  }
  // The store failed or is wrong: no other phase may run on it.
  void EndRun() { ends_run_ = true; }
  bool ends_run() const { return ends_run_; }

 private:
  WorkerState& worker_;
  const size_t number_;
  PhaseResult& result_;
  bool ends_run_ = false;
  bool is_under_way_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_RUNNING_PHASE_H_
