// Records what the workers of a plan report, one run after another. Each phase that ends goes to
// the results and, once it is on the disk, to the listeners. The driver makes one once it has the
// results' directory, and calls it on its one thread.
#ifndef LEVELFIELD_DRIVER_RUN_RECORDER_H_
#define LEVELFIELD_DRIVER_RUN_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/commit_audits.h"
#include "driver/first_trouble.h"
#include "driver/interval_report.h"
#include "driver/progress_view.h"
#include "driver/result_directory.h"
#include "driver/run_listener.h"
#include "driver/supervisor.h"
#include "plan/trial.h"
#include "result/result.h"

namespace levelfield {

class RunRecorder : public RunObserver {
 public:
  // All of these must outlive it. A listener reports the ends of phases itself. Without one `view`
  // does. `intervals` exists with --report_file.
  RunRecorder(ResultDirectory& results, std::optional<IntervalReport>& intervals,
              const CommitAudits& audits, ProgressView& view, RunListener* listener,
              FirstTrouble& trouble)
      : results_(results),
        intervals_(intervals),
        audits_(audits),
        view_(view),
        listener_(listener),
        trouble_(trouble) {}

  // `row` is what is known of the run now. An error if the disk has no room for its results. Then
  // it should not begin.
  Status BeginRun(const Trial& trial, const RunResult& row);
  // The worst outcome of the run's phases so far.
  Outcome worst() const { return worst_; }
  // Adds rows for the phases that it never reached. Leaves a run open of which something could not
  // be recorded: it is then read as cut off.
  void EndRun(const RunResult& row);

  // Whether the rates so far are this precise (--precision).
  bool IsPreciseTo(double precision) const;

  // The rate of the last workload so far. Nothing: it has none.
  std::optional<double> LastRate() const {
    return rates_.empty() ? std::nullopt : std::optional(rates_.rbegin()->second.back());
  }
  // How long that took, in its last round.
  double LastSeconds() const { return last_seconds_; }

  void StageBegan(size_t phase, Stage stage) override;
  void Progressed(uint64_t operations) override;
  void IntervalEnded(size_t phase, const PhaseInterval& interval) override;
  void Complete(PhaseResult& phase) override { audits_.AddTo(trial_.planned, phase); }
  void PhaseEnded(size_t phase, const PhaseResult& result) override;

 private:
  // Returns whether the phase was recorded. Only then is it reported.
  bool AddPhase(const PhaseResult& phase);
  void Keep(const Status& status);
  void CompleteIntervals(const PhaseResult& phase);

  ResultDirectory& results_;
  std::optional<IntervalReport>& intervals_;
  const CommitAudits& audits_;
  ProgressView& view_;
  RunListener* const listener_;
  FirstTrouble& trouble_;
  Trial trial_ = {};  // The present trial.
  RunResult row_ = {};
  size_t next_phase_ = 0;
  bool lacks_something_ = false;  // It could not be written.
  Outcome worst_ = Outcome::kOk;
  // Rates of the rounds so far, for each phase of each engine that has any.
  std::map<std::pair<size_t, size_t>, std::vector<double>> rates_;
  double last_seconds_ = 0;  // Of the last one with a rate.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_RECORDER_H_
