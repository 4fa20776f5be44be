// How many phases of all runs have begun, and what part of all is done. Runs may live at once and take
// turns (slices), so that the one heard last is not the one that is furthest. Neither number goes back.
#ifndef LEVELFIELD_DRIVER_PHASE_COUNT_H_
#define LEVELFIELD_DRIVER_PHASE_COUNT_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace levelfield {

class PhaseCount {
 public:
  explicit PhaseCount(size_t phases_of_a_run) : of_a_run_(phases_of_a_run) {}

  // `part` of the phase is done: 0 to 1.
  void Reach(size_t run, size_t phase, double part) {
    if (phase >= of_a_run_) return;
    At(run).begun = std::max(At(run).begun, phase + 1);
    At(run).done = std::max(At(run).done, static_cast<double>(phase) + std::clamp(part, 0.0, 1.0));
  }
  // Whatever it has not begun, it will not.
  void End(size_t run) { At(run) = {of_a_run_, static_cast<double>(of_a_run_)}; }

  size_t begun() const {
    size_t begun = 0;
    for (const Run& run : runs_) begun += run.begun;
    return begun;
  }
  // In phases, the running ones in part.
  double done() const {
    double done = 0;
    for (const Run& run : runs_) done += run.done;
    return done;
  }

 private:
  struct Run {
    size_t begun = 0;
    double done = 0;
  };

  Run& At(size_t run) {
    if (run >= runs_.size()) runs_.resize(run + 1);
    return runs_[run];
  }

  size_t of_a_run_;
  std::vector<Run> runs_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_PHASE_COUNT_H_
