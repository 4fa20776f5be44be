// All that a result says, decided once: its figures, the verdicts on them, and the remarks. Screen,
// tables, pages and lines for programs write parts of this value; none of them judges. Pure.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_FINDINGS_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_FINDINGS_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/findings/remark.h"
#include "analysis/series.h"
#include "analysis/standings.h"
#include "result/result.h"

namespace levelfield {

struct Findings {
  explicit Findings(const Result& its_result)
      : result(its_result), series(SeriesOf(its_result)), sums(SumsOf(its_result, series)) {}
  // `standings` and `remarks` point into `series`.
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;
  Findings(Findings&&) = default;

  const Result& result;
  std::vector<Series> series;
  Result sums;                            // With a run for each of the series.
  std::vector<const Series*> shown = {};  // Those with a column: ShownOf(series).
  Standings standings = {};               // Of those shown.
  std::vector<Remark> remarks = {};       // In the order of their kinds.

  // Of an engine; with its variant, if the result has several. Printable.
  std::string NameOf(const RunResult& run) const { return NameIn(result, run); }
  // The marks behind a figure, and behind the name of a workload: "!^".
  std::string MarksOf(const Series& of, size_t place) const;
  std::string MarksOf(size_t place) const;
  // Of one of `series`: RemarkCase::series.
  size_t IndexOf(const Series& of) const { return static_cast<size_t>(&of - series.data()); }
};

// Of one variant (VariantsOf). The result has to outlive them.
Findings FindingsOf(const Result& result, const ComparisonRules& rules);

// The parts of `remarks`, a file each.
using Remarks = std::vector<Remark>;
void AddIfAny(Remark remark, Remarks& remarks);  // Unless it has no cases.
void FindFailures(const Findings& of, Remarks& remarks);
void FindWhatStoresHeld(const Findings& of, Remarks& remarks);
void FindHowMuchWasMeasured(const Findings& of, Remarks& remarks);
void FindWhetherRoundsAgree(const Findings& of, Remarks& remarks);
void FindWhatTheMachineDid(const Findings& of, Remarks& remarks);
void FindHowItWasSetUp(const Findings& of, Remarks& remarks);
void FindHowFarHostsAreApart(const Findings& of, Remarks& remarks);
void FindFleet(const Findings& of, Remarks& remarks);
void FindWhereTheTimeGoes(const Findings& of, Remarks& remarks);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_FINDINGS_H_
