// Supervises one worker from its start to its end: reads its events, keeps the tail of its standard
// error, answers its one question, ends it when it makes no progress or when the user interrupts,
// and reports how it ended.
#ifndef LEVELFIELD_DRIVER_SUPERVISOR_H_
#define LEVELFIELD_DRIVER_SUPERVISOR_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/progress_view.h"
#include "plan/messages.h"
#include "result/result.h"
#include "store/store_files.h"

namespace levelfield {

// What the driver wants to hear of, as it happens.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void PhaseEnded(size_t, const PhaseResult&) {}
  // Of a phase that is about to end.
  virtual void IntervalEnded(size_t, const PhaseInterval&) {}
  // The stage that the worker is in (plan/messages.h), and what it has done in it.
  virtual void StageBegan(size_t, const std::string&) {}
  virtual void Progressed(uint64_t) {}
};

struct RunEnd {
  bool interrupted = false;
  std::string clock;
  std::string allocator;
  std::string cpus;                                                // As RunResult has it.
  std::vector<std::pair<std::string, std::string>> configuration;  // As RunResult has it.
  std::vector<std::string> notes;                                  // As RunResult has them.
  std::vector<std::pair<std::string, Audit>> audits;               // By the durability class.
  std::optional<uint64_t> entries;  // That the store was left with (store/store_directory.h).
  bool closed = false;              // The worker closed the store in good order, and then ended so.
  std::string low_space;            // The guard stopped it, in one line; empty: it did not.
  std::string failure;              // Of the run as a whole, in one line; empty: none.
  std::string circumstances;        // At its death: free space, whether memory ran out.
  std::optional<RunResult> cache;   // What it is, where that was asked.
  size_t failed_phase = 0;          // Where it was then.
  std::string failed_progress;      // "after 49846 operations"
  std::vector<std::string> stderr_tail;
  std::optional<RunResult::Memory> memory;  // With --memory.
};

// One of several workers that take turns: while it is not its turn, it is frozen with all of its
// threads. Nothing of it is left behind.
class TurnTaker {
 public:
  // All of these outlive it; `store` may be null.
  TurnTaker(const WorkerSpec& spec, StoreFiles* store, ProgressView& view, RunObserver& observer);
  TurnTaker(TurnTaker&&) noexcept;
  TurnTaker& operator=(TurnTaker&&) noexcept;
  ~TurnTaker();

  // Lets it go on until it gives its turn back, and says for what; nothing where its worker has
  // ended. The first turn starts the worker.
  std::optional<TurnEnded> Turn();
  pid_t process() const;  // Its worker's, after its first turn; -1: it could not be started.
  // What the machine did during the slices of the phase that is over.
  void TakeConditions(const Conditions& conditions);
  // Lets it go on to its end, and says what became of it.
  RunEnd End();

 private:
  std::unique_ptr<class Supervisor> supervisor_;
};

// `store` is null where the worker has none.
RunEnd Supervise(const WorkerSpec& spec, StoreFiles* store, ProgressView& view,
                 RunObserver& observer);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_SUPERVISOR_H_
