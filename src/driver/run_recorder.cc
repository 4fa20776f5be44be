#include "driver/run_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/series.h"
#include "base/clock.h"
#include "driver/run_row.h"
#include "stats/statistics.h"

namespace levelfield {

Status RunRecorder::BeginRun(const Trial& trial, const RunResult& row) {
  trial_ = trial;
  row_ = row;
  view_.BeginRun(trial.run, trial.what.Name());
  next_phase_ = 0;
  worst_ = Outcome::kOk;
  const Status room = results_.MakeRoom(trial.run, trial.phases().size());
  lacks_something_ = !room.ok();
  return room;
}

void RunRecorder::Keep(const Status& status) {
  lacks_something_ = lacks_something_ || !status.ok();
  trouble_.Keep(status);
}

void RunRecorder::EndRun(const RunResult& row) {
  if (lacks_something_) return;
  for (bool is_first = true; next_phase_ < trial_.phases().size(); is_first = false) {
    AddPhase(MissingPhase(trial_.phases()[next_phase_], row, is_first));
  }
  if (!lacks_something_) Keep(results_.AddRun(trial_.run, row));
  view_.EndRun(trial_.run);
}

bool RunRecorder::IsPreciseTo(double precision) const {
  return std::ranges::all_of(rates_,
                             [&](const auto& rates) { return IsPrecise(rates.second, precision); });
}

void RunRecorder::StageBegan(size_t phase, Stage stage) {
  if (listener_ != nullptr) listener_->StageBegan(phase, stage);
  if (!intervals_ || phase >= trial_.phases().size()) return;
  if (stage == Stage::kRun) {
    intervals_->Begin(trial_.what.Name(), trial_.phases()[phase].workload.name, MonotonicNs());
  } else {
    intervals_->End(MonotonicNs());
  }
}

void RunRecorder::Progressed(uint64_t operations) {
  if (listener_ != nullptr) listener_->Progressed(operations);
  if (intervals_) intervals_->Progress(operations, MonotonicNs());
}

void RunRecorder::IntervalEnded(size_t phase, const PhaseInterval& interval) {
  if (phase != next_phase_ || phase >= trial_.phases().size()) return;
  Keep(results_.AddInterval(trial_.run, trial_.what.Name(),
                            {row_.round, phase, trial_.phases()[phase].workload.name}, interval));
}

void RunRecorder::PhaseEnded(size_t phase, const PhaseResult& result) {
  if (phase != next_phase_ || phase >= trial_.phases().size()) return;
  CompleteIntervals(result);
  if (AddPhase(result) && listener_ == nullptr) view_.EndPhase(phase, result);
}

bool RunRecorder::AddPhase(const PhaseResult& phase) {
  ++next_phase_;
  const bool is_worse = phase.outcome == Outcome::kWrong || phase.outcome == Outcome::kFailed ||
                        phase.outcome == Outcome::kStopped ||
                        (phase.outcome == Outcome::kInvalid && worst_ == Outcome::kOk);
  if (is_worse && worst_ != Outcome::kFailed) worst_ = phase.outcome;
  const std::optional<double> rate = RateOf(phase);
  if (rate && !phase.implicit) {
    rates_[{trial_.planned, next_phase_}].push_back(*rate);
    last_seconds_ = phase.run_seconds;
  }
  Keep(results_.SyncIntervals());
  const Status kept = results_.AddPhase(trial_.run, row_, phase);
  Keep(kept);
  if (!kept.ok()) {
    view_.Say(fmt::format("{}: not kept: {}", phase.workload, kept.message()));
    return false;
  }
  // For a line that was longer than most. A lack of room is reported when the line comes.
  (void)results_.MakeRoom(trial_.run, trial_.phases().size() - next_phase_);
  if (listener_ == nullptr) return true;
  view_.Hide();
  listener_->PhaseEnded(phase);
  return true;
}

void RunRecorder::CompleteIntervals(const PhaseResult& phase) {
  if (!intervals_) return;
  intervals_->End(MonotonicNs());
  intervals_->Complete(phase.roles.empty() ? 0 : phase.roles.front().Operations());
  Keep(intervals_->status());
}

}  // namespace levelfield
