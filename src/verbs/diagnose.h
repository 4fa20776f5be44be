// The changes that findings advise, tried and judged.
#ifndef LEVELFIELD_VERBS_DIAGNOSE_H_
#define LEVELFIELD_VERBS_DIAGNOSE_H_

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/model.h"
#include "stats/statistics.h"
#include "verbs/verbs.h"

namespace levelfield {

// What a change that a finding advises did to the figure that the finding complains of.
struct TriedChange {
  std::string engine = {};
  std::string workload = {};
  std::string what;     // "leveldb, readmissing: --bloom_bits=10 instead of 0"
  std::string figures;  // Before and after; or why there are none.
  RateRatio ratio = {};
  bool less_is_better = false;
  std::string results = {};  // The directory of the experiment.
  Verdict verdict = Verdict::kNotRanked;
};

// Judges them. All verdicts of an output hold together with 95 %, as those of `compare` do.
void JudgeTogether(std::span<TriedChange* const> tried, double margin);
Report TriedReport(const std::vector<TriedChange>& tried);

// What changed from one result's directory to a later one's.
StatusOr<Report> ChangeReport(const std::string& earlier, const std::string& later, double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DIAGNOSE_H_
