#include "analysis/findings/findings.h"

#include <algorithm>

namespace levelfield {
namespace {

std::string MarksWhere(const std::vector<Remark>& remarks, const auto& is_it) {
  std::string marks;
  for (const Remark& remark : remarks) {
    const std::string_view mark = RowOf(remark.kind).mark;
    const bool is_marked = !mark.empty() && std::ranges::any_of(remark.cases, is_it);
    if (is_marked && marks.find(mark) == marks.npos) marks += mark;
  }
  return marks;
}

}  // namespace

std::string Findings::MarksOf(const Series& of, size_t place) const {
  const size_t index = IndexOf(of);
  return MarksWhere(
      remarks, [&](const RemarkCase& one) { return one.series == index && one.place == place; });
}

std::string Findings::MarksOf(size_t place) const {
  return MarksWhere(remarks,
                    [&](const RemarkCase& one) { return !one.series && one.place == place; });
}

void AddIfAny(Remark remark, Remarks& remarks) {
  if (!remark.cases.empty()) remarks.push_back(std::move(remark));
}

Findings FindingsOf(const Result& result, const ComparisonRules& rules) {
  Findings findings(result);
  findings.shown = ShownOf(findings.series);
  findings.standings = StandingsOf(result, findings.series, rules);
  Remarks remarks;
  FindFailures(findings, remarks);
  FindWhatStoresHeld(findings, remarks);
  FindHowMuchWasMeasured(findings, remarks);
  FindWhetherRoundsAgree(findings, remarks);
  FindWhatTheMachineDid(findings, remarks);
  FindHowItWasSetUp(findings, remarks);
  FindHowFarHostsAreApart(findings, remarks);
  FindFleet(findings, remarks);
  FindWhereTheTimeGoes(findings, remarks);
  std::ranges::stable_sort(remarks, {}, &Remark::kind);
  findings.remarks = std::move(remarks);
  return findings;
}

}  // namespace levelfield
