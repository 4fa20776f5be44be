// Supervises one worker from its start to its end: reads its events, keeps the tail of its standard
// error, answers its one question, ends it when it makes no progress or when the user interrupts,
// and reports how it ended.
//
// After a first Ctrl-C the worker has 5 s to end its phase, whose numbers do not count. Then, or
// after a second one, it is killed. A worker that the kernel killed for its memory is told from
// others by the count of its memory group, or else by that of the machine.
#ifndef LEVELFIELD_DRIVER_SUPERVISOR_H_
#define LEVELFIELD_DRIVER_SUPERVISOR_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "driver/fleet_gate.h"
#include "driver/progress_view.h"
#include "plan/messages.h"
#include "result/result.h"
#include "store/store_files.h"

namespace levelfield {

// Events that the driver wants to hear of.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // Adds what only the observer knows of a phase, before anything judges it.
  virtual void Complete(PhaseResult&) {}
  virtual void PhaseEnded(size_t, const PhaseResult&) {}
  // Intervals of a phase that is about to end.
  virtual void IntervalEnded(size_t, const PhaseInterval&) {}
  // The worker's present stage (plan/messages.h), and its progress in it.
  virtual void StageBegan(size_t, Stage) {}
  virtual void Progressed(uint64_t) {}
};

struct RunEnd {
  bool interrupted = false;
  std::string clock;  // This and the next five are like RunResult's.
  ClockKind clock_kind = ClockKind::kNotKnown;
  std::string allocator;
  std::string cpus;
  std::vector<std::pair<std::string, std::string>> configuration;
  uint64_t round_trip_ns = 0;
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, Audit>> audits;  // By durability class.
  // The number of entries left in the store (store/store_directory.h).
  std::optional<uint64_t> entries;
  bool closed = false;             // The worker closed the store properly, and then ended so.
  std::string low_space;           // Why the guard stopped it, in one line. Empty: it did not.
  std::string failure;             // The failure of the run as a whole, in one line. Empty: none.
  FailureCause cause = FailureCause::kNotKnown;
  std::string died;                // "SIGSEGV": how its process ended, if that is the failure.
  std::string circumstances;       // At its death: free space, whether memory ran out.
  std::optional<RunResult> cache;  // Its facts, if they were requested.
  size_t failed_phase = 0;         // The phase of the failure.
  std::string failed_progress;     // "after 49846 operations"
  std::vector<std::string> stderr_tail;
  std::optional<RunResult::Memory> memory;  // With --memory.
};

// Whether a message quotes the C library: the disk was full then, even if it is no longer.
bool TellsOfAFullDisk(const std::string& message);

// One of several workers that take turns. All its threads are frozen outside its turns. The
// destructor leaves nothing behind.
class TurnTaker {
 public:
  // All of these must outlive it. `store` may be null.
  TurnTaker(const WorkerSpec& spec, StoreFiles* store, ProgressView& view, RunObserver& observer);
  TurnTaker(TurnTaker&&) noexcept;
  TurnTaker& operator=(TurnTaker&&) noexcept;
  ~TurnTaker();

  // Runs it until it gives its turn back, and returns for what. Nothing if its worker has ended.
  // The first turn starts the worker.
  std::optional<TurnEnded> Turn();
  pid_t process() const;  // Its worker's, after its first turn; -1: it could not be started.
  std::vector<ProcessId> others() const;  // Those that work for its store beside it.
  // What the machine did during the slices of the phase that is over.
  void TakeConditions(const Conditions& conditions);
  // Runs it to its end, and returns how it ended.
  RunEnd End();

 private:
  std::unique_ptr<class Supervisor> supervisor_;
};

// `store` is null if the worker has none, `gate` if it is in no fleet.
RunEnd Supervise(const WorkerSpec& spec, StoreFiles* store, ProgressView& view,
                 RunObserver& observer, FleetGate* gate = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_SUPERVISOR_H_
