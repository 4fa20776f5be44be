// Which engine fits a workload best, from the rounds of one result.
//
// An engine can be chosen if it has a figure in every round, keeps the objective if there is one,
// and has the same store as the others. The one with the greatest mean is the best. Each of the
// others is compared with it, round by round. The answer is the best and all that are not told to
// be slower; from one round, those too close to it. Pure.
#ifndef LEVELFIELD_ANALYSIS_CHOICE_H_
#define LEVELFIELD_ANALYSIS_CHOICE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

struct Candidate {
  std::string engine;
  // Operations a second, the geometric mean of the rounds: the rate, or the highest that keeps the
  // objective.
  double rate = 0;
  std::optional<Interval> interval;
  RateRatio to_best = {};                  // Its figure over the best one's. The best has 1.
  Verdict verdict = Verdict::kIndicative;  // On that ratio.
  std::string why_not;                     // Why it cannot be chosen. Then it has no figures.
  bool is_unknown = false;  // It may do it: the conditions of the measurement voided its figures.
  // Of the highest rate that keeps the objective: in some round, higher ones could not be measured.
  bool is_at_least = false;
  std::string deviation = {};  // When it keeps less than it claims (KnownDeviation).
  std::vector<std::optional<double>> figures = {};  // Round by round.
};

struct Choice {
  std::vector<Candidate> candidates;  // The best first, those that cannot be chosen last.
  size_t rounds = 0;
  size_t needed_rounds = kLeastRepetitions;  // Rounds needed for verdicts.
  bool in_slices = false;
  size_t disturbed = 0;     // Engines in whose rounds the machine was busy with other work.
  bool is_cut_off = false;  // The run was ended before its end.
  std::vector<std::string> floors = {};  // Baseline engines, which keep no store: left out.

  bool has_answer() const { return !candidates.empty() && candidates.front().why_not.empty(); }
  bool is_ranked() const { return rounds >= needed_rounds; }
  // The best, and those not known to be worse.
  std::vector<std::string> Best() const;
  // The nearest to the best of those that can be chosen; null: there is no other.
  const Candidate* Next() const;
};

// Whether the best is ahead of it, if only by what two figures show.
bool IsBehind(const Candidate& next);

// Who fits: the best, without those that keep less than they claim if there are others.
struct Fitting {
  std::vector<std::string> engines;
  std::vector<std::string> deviating;  // Left out.
};
Fitting FittingOf(const Choice& choice);

// The best. If nothing is ranked, the one ahead, or both of two that are level.
std::vector<std::string> StatedAnswer(const Choice& stated);

// For the workload of that name. Verdicts hold together with 95 %.
Choice Choose(const Result& result, const std::string& workload, double margin);

// The engine that is ahead in one round of another question, then those too close to be told apart
// from it: closer than rounds of `stated` differed in the ratio of the two. Empty if there is no
// answer. If `stated` has one round, nobody knows how much rounds differ, so only the leader is
// returned.
std::vector<std::string> Leaders(const Choice& what_if, const Choice& stated);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CHOICE_H_
