// Which engine to choose, in words and figures. Pure.
#ifndef LEVELFIELD_REPORT_CHOICE_REPORT_H_
#define LEVELFIELD_REPORT_CHOICE_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "report/model.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

// Which engine fits a workload best, by the rounds of one result: all against the one with the
// highest median, in pairs of a round. Pure.

struct Candidate {
  std::string engine;
  double median = 0;  // Operations a second: the highest that keep the objective, or the rate.
  std::optional<Interval> interval;
  RateRatio to_best = {};                  // Its figure over that of the best; 1 of the best.
  Verdict verdict = Verdict::kIndicative;  // Of that ratio.
  std::string why_not;                     // It cannot be chosen; it has no figures then.
  std::vector<std::optional<double>> figures = {};  // Round by round.
};

struct Choice {
  std::vector<Candidate> candidates;  // The best first; those that cannot be chosen last.
  size_t rounds = 0;
  size_t needed_rounds = kLeastRepetitions;  // For verdicts.
  bool in_slices = false;

  bool has_answer() const { return !candidates.empty() && candidates.front().why_not.empty(); }
  bool is_ranked() const { return rounds >= needed_rounds; }
  // The best, and those of which it is not known that they are worse.
  std::vector<std::string> Best() const;
};

// Of the workload of that name. Verdicts hold together with 95 %.
Choice Choose(const Result& result, const std::string& workload, double margin);

// Who is ahead in one round of another question, and who is too close to be told apart from that
// one: closer than rounds of `stated` came to differ in what the two have to each other. First of
// all the one that is ahead; empty where there is no answer. Where `stated` has one round, nothing
// is known of how much rounds differ, and only who is ahead is told.
std::vector<std::string> Leaders(const Choice& what_if, const Choice& stated);

// The answer first. `asked` says what for; `objective` is that of --slo, empty without one.
Report ChoiceReport(const Choice& choice, const std::string& asked, const std::string& objective);

// What came of one change of the question.
struct WhatIf {
  std::string question;  // "four times the keys".
  Choice choice;
  std::string why_not = {};  // It was not tried.
};
Report WhatIfReport(const Choice& stated, const std::vector<WhatIf>& what_ifs);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CHOICE_REPORT_H_
