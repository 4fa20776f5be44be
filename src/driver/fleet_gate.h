// A run's side of a fleet's gates (fleet/gate.h): it asks its launcher, levelfield-mpi, by two
// pipes, and waits. One thread at a time.
#ifndef LEVELFIELD_DRIVER_FLEET_GATE_H_
#define LEVELFIELD_DRIVER_FLEET_GATE_H_

#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "fleet/gate.h"

namespace levelfield {

class FleetGate {
 public:
  // Comes to the first gate. `words` is what this rank was told: all have to be told the same.
  // Others may take `stall_seconds` longer to a gate than this one took.
  static StatusOr<FleetGate> Open(const std::string& words, double stall_seconds);

  const FleetPlace& place() const { return place_; }

  // Comes to the gate before a run, in which the first `ranks` take part; 0: all. `left` says why
  // the run before it was left early, `failure` why this one cannot begin.
  GateAnswer BeginRun(const std::string& name, uint64_t ranks, const std::string& left,
                      const std::string& failure);
  // This rank takes no part in the next run.
  void SkipRun();
  // A gate within the run.
  GateAnswer Meet(GateQuestion question);
  // Comes to the last gate, with the path of this rank's results.
  void End(const std::string& left, const std::string& results);

 private:
  FleetGate(UniqueFd answers, UniqueFd questions, double stall_seconds)
      : answers_(std::move(answers)),
        questions_(std::move(questions)),
        stall_seconds_(stall_seconds) {}

  GateAnswer Ask(GateQuestion question);
  StatusOr<std::string> ReadLine();

  UniqueFd answers_;
  UniqueFd questions_;
  double stall_seconds_;
  FleetPlace place_;
  uint64_t run_ = 0;
  uint64_t ranks_ = 0;                    // Of that run; 0: all.
  bool has_idled_ = false;                // It waits for others that have something to do.
  uint64_t answered_ns_ = MonotonicNs();  // When the last gate opened.
  std::string broken_;                    // Why nobody is asked any more. Empty: somebody is.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_FLEET_GATE_H_
