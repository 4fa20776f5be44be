// Findings as a person reads them. Pure.
#ifndef LEVELFIELD_VERBS_DIAGNOSE_H_
#define LEVELFIELD_VERBS_DIAGNOSE_H_

#include <span>
#include <string>
#include <vector>

#include "analysis/diagnosis.h"
#include "stats/statistics.h"
#include "verbs/verbs.h"

namespace levelfield {

// A paragraph each; where there are none, which rules were looked for, and whether the result was
// cut off before there was anything to look at.
std::string RenderFindings(const std::vector<Finding>& findings, const Result& of);

// What a change that a finding advises did to the figure that the finding complains of.
struct TriedChange {
  std::string what;     // "leveldb, readmissing: --bloom_bits=10 instead of 0"
  std::string figures;  // Before and after; or why there are none.
  RateRatio ratio = {};
  bool less_is_better = false;
  std::string results = {};  // The directory of the experiment.
  Verdict verdict = Verdict::kNotRanked;
};

// Judges them. All verdicts of an output hold together with 95 %, as those of `compare` do.
void JudgeTogether(std::span<TriedChange* const> tried, double margin);
std::string RenderTried(const std::vector<TriedChange>& tried);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DIAGNOSE_H_
