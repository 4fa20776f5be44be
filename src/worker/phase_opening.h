// The way into a phase: whether it can run on the store that is there, with this engine, in its
// durability class; and the store opened for it, emptied where it fills one. Made once by a worker,
// as it remembers what filled the store; the worker's main thread alone uses it.
#ifndef LEVELFIELD_WORKER_PHASE_OPENING_H_
#define LEVELFIELD_WORKER_PHASE_OPENING_H_

#include <set>
#include <string>

#include "worker/running_phase.h"

namespace levelfield {

// Whether merges do what the model of the store knows: with the merge operator that is chosen among
// the engine's settings, if it has any.
bool MergesAsPuts(const SettingList& engine_settings);

class PhaseOpening {
 public:
  // Whether the phase's operations are to be run now, on the open store; if not, its result says
  // why, or that it is done.
  bool Open(RunningPhase& now);

 private:
  bool IsPossible(RunningPhase& now);
  // False.
  bool Refuse(RunningPhase& now, const std::string& reason);
  void TellConfiguration(RunningPhase& now);

  // The workload that was to fill the store and could not, where nothing has filled it before.
  std::string unfilled_by_;
  bool is_filled_ = false;
  std::set<std::string> told_classes_;  // Of durability, whose configuration has been told.
  std::set<std::string> told_overridden_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_OPENING_H_
