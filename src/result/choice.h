// Which engine fits a workload best, by the rounds of one result: all against the one with the
// highest median, in pairs of a round. Pure.
#ifndef LEVELFIELD_RESULT_CHOICE_H_
#define LEVELFIELD_RESULT_CHOICE_H_

#include <optional>
#include <string>
#include <vector>

#include "result/result.h"
#include "result/statistics.h"

namespace levelfield {

struct Candidate {
  std::string engine;
  double median = 0;  // Operations a second: the highest that keep the objective, or the rate.
  std::optional<Interval> interval;
  RateRatio to_best = {};                  // Its figure over that of the best; 1 of the best.
  Verdict verdict = Verdict::kIndicative;  // Of that ratio.
  std::string why_not;                     // It cannot be chosen; it has no figures then.
};

struct Choice {
  std::vector<Candidate> candidates;  // The best first; those that cannot be chosen last.
  size_t rounds = 0;

  bool has_answer() const { return !candidates.empty() && candidates.front().why_not.empty(); }
  // The best, and those of which it is not known that they are worse.
  std::vector<std::string> Best() const;
};

// Of the workload of that name. Verdicts hold together with 95 %.
Choice Choose(const Result& result, const std::string& workload, double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CHOICE_H_
