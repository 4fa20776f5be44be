// The rates of a sweep, and of a search for the highest rate that keeps an objective, after a
// closed loop that measured the capacity. It chooses the rates and judges their results. The caller
// runs them, so it can be a simulation.
#ifndef LEVELFIELD_PLAN_LOAD_STEPS_H_
#define LEVELFIELD_PLAN_LOAD_STEPS_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plan/load_settings.h"
#include "result/result.h"

namespace levelfield {

// Looks for the highest rate at which an objective is kept: a bisection between the highest rate
// that kept it and the lowest that did not, until they are two per cent apart. Pure: returns the
// rate to try next, takes the outcome, and finally returns the answer.
//
// It starts with half of the closed loop's rate, and continues with all of it. A rate that gave no
// answer (the generator was late) is tried once more, then lower ones. The result below such a rate
// is the highest measurable one, which may not be the highest possible.
//
// One run at the edge keeps an objective by chance. So the rate that was found is tried three more
// times. If one of them misses, a rate that is 3 % lower has to keep it four times, and so on.
class LoadSearch {
 public:
  enum class Outcome { kKept, kBroken, kUnknown };

  // `capacity`: operations a second of the closed loop.
  explicit LoadSearch(uint64_t capacity) : capacity_(capacity), rate_(capacity / 2) {
    if (rate_ == 0) rate_ = 1;
  }

  // The rate to try. None: the search is over.
  std::optional<uint64_t> Next() const { return is_over_ ? std::nullopt : std::optional(rate_); }

  // The outcome at that rate.
  void Tried(Outcome outcome) {
    const bool is_first_try = outcome == Outcome::kUnknown && !was_unknown_;
    was_unknown_ = is_first_try;
    if (is_first_try) return;
    if (is_confirming_) return Confirm(outcome);
    (outcome == Outcome::kKept ? kept_ : broken_) = rate_;
    if (outcome == Outcome::kBroken) missed_ = rate_;
    if (outcome != Outcome::kKept) is_bound_known_ = outcome == Outcome::kBroken;
    Choose();
  }

  // After the end: the highest rate that kept the objective. 0: none did.
  uint64_t Answer() const { return kept_; }
  // The lowest rate that missed it. 0: none did.
  uint64_t Missed() const { return missed_; }
  // No rate kept it, and it is unknown whether one could.
  bool is_given_up() const { return kept_ == 0 && !is_bound_known_; }
  // Higher rates may keep it, but could not be measured.
  bool is_at_least() const { return kept_ != 0 && !is_bound_known_; }

 private:
  // Rates below this fraction of the capacity are not tried.
  static constexpr uint64_t kLeastPart = 100;
  static constexpr int kTries = 4;  // At the rate that is the answer.

  void Choose() {
    if (broken_ == 0) {
      // All were kept. A closed loop with few threads can be beaten, but not by so much.
      rate_ = kept_ < capacity_ ? capacity_ : kept_ + kept_ / 4;
      if (kept_ >= 2 * capacity_ || rate_ <= kept_) BeginToConfirm();
      return;
    }
    if (kept_ == 0) {
      rate_ = broken_ / 2;
      is_over_ = rate_ == 0 || rate_ < capacity_ / kLeastPart;
      return;
    }
    rate_ = kept_ + (broken_ - kept_) / 2;
    if (broken_ - kept_ <= broken_ / 50 || rate_ == kept_) BeginToConfirm();
  }

  void BeginToConfirm() {
    is_confirming_ = true;
    rate_ = kept_;
    kept_tries_ = 1;
  }

  void Confirm(Outcome outcome) {
    if (outcome == Outcome::kKept) {
      kept_ = rate_;
      is_over_ = ++kept_tries_ == kTries;
      return;
    }
    if (outcome == Outcome::kBroken) missed_ = rate_;
    is_bound_known_ = outcome == Outcome::kBroken;
    kept_ = 0;
    kept_tries_ = 0;
    rate_ -= std::max<uint64_t>(rate_ * 3 / 100, 1);
    is_over_ = rate_ == 0 || rate_ < capacity_ / kLeastPart;
  }

  uint64_t capacity_;
  uint64_t rate_;
  uint64_t kept_ = 0;
  uint64_t broken_ = 0;  // 0: none yet.
  uint64_t missed_ = 0;  // Really missed.
  int kept_tries_ = 0;   // At rate_, while it is confirmed.
  bool is_confirming_ = false;
  bool was_unknown_ = false;
  bool is_over_ = false;
  bool is_bound_known_ = true;  // At broken_ the objective was really missed.
};

// An open loop to run on the present store.
struct StepAsked {
  uint64_t number = 0;  // From 1.
  uint64_t rate = 0;
  double seconds = 0;
};

// Its outcome. Nothing if the phase cannot go on (the engine failed, or was told to stop).
using RunStep = std::function<std::optional<LoadStep>(const StepAsked&)>;

// The length of a step: --duration if given. Otherwise 2 s, or long enough that twenty operations
// lie beyond the objective's percentile, but at most 60 s.
double StepSeconds(const LoadAsked& asked, double duration, uint64_t rate);

// Runs the steps and adds them to `closed`, whose first role has the capacity. If a search finds no
// answer because nothing can be said about the rates in question, the phase is invalid.
void RunLoadSteps(const LoadAsked& asked, double duration, const RunStep& run_step,
                  PhaseResult& closed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_LOAD_STEPS_H_
