// Begins a phase: decides whether it can run on the store, with this engine and in its durability
// class. Then opens the store for it, and empties it if the phase needs an empty one. Made once by
// a worker, because it remembers what filled the store; only the worker's main thread uses it.
#ifndef LEVELFIELD_WORKER_PHASE_OPENING_H_
#define LEVELFIELD_WORKER_PHASE_OPENING_H_

#include <set>
#include <string>

#include "worker/running_phase.h"

namespace levelfield {

// Whether merges do what the model of the store expects: with the merge operator chosen in the
// engine's settings, if any.
bool MergesAsPuts(const SettingList& engine_settings);

class PhaseOpening {
 public:
  // Whether the phase can run at all, before its store is opened. If not, its result says why, or
  // that it is done.
  bool IsPossible(RunningPhase& now);
  // Opens the store for it. If that fails, its result says why.
  bool Open(RunningPhase& now);

 private:
  // Always returns false.
  bool Refuse(RunningPhase& now, const std::string& reason);
  void TellConfiguration(RunningPhase& now);

  // The workload that should have filled the store and could not, if nothing filled it before.
  std::string unfilled_by_;
  bool is_filled_ = false;
  std::set<std::string> told_classes_;  // Durability classes whose configuration has been reported.
  std::set<std::string> told_overridden_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_OPENING_H_
