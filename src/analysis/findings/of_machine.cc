// What the machine and the harness did to the figures.
#include <algorithm>

#include "analysis/cost.h"
#include "analysis/findings/findings.h"
#include "analysis/read_ahead.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/overhead.h"

namespace levelfield {
namespace {

// A case for each figure of which `number_of` says something.
template <class NumberOf>
std::vector<RemarkCase> CasesOf(const Findings& of, NumberOf number_of) {
  std::vector<RemarkCase> cases;
  for (const WorkloadStandings& workload : of.standings.workloads) {
    for (size_t i = 0; i < workload.figures.size(); ++i) {
      const std::optional<RemarkNumber> number = number_of(workload.figures[i]);
      if (!number) continue;
      cases.push_back({.engine = of.standings.engines[i],
                       .workload = workload.name,
                       .numbers = {*number},
                       .place = workload.place,
                       .series = of.IndexOf(*of.shown[i])});
    }
  }
  return cases;
}

void FindDisturbed(const Findings& of, Remarks& remarks) {
  size_t figures = 0;
  std::vector<RemarkCase> cases = CasesOf(of, [&](const StandingFigure& figure) {
    figures += figure.rate ? 1 : 0;
    return figure.is_disturbed ? std::optional(RemarkNumber{"disturbed", 1}) : std::nullopt;
  });
  if (cases.empty()) return;
  const auto disturbed = static_cast<double>(cases.size());
  remarks.push_back({.kind = RemarkKind::kDisturbed,
                     .cases = std::move(cases),
                     .numbers = {{"disturbed", disturbed},
                                 {"figures", static_cast<double>(figures), RemarkUnit::kFigures}}});
}

void FindMuchHarness(const Findings& of, Remarks& remarks) {
  std::vector<RemarkCase> cases = CasesOf(of, [](const StandingFigure& figure) {
    const double share = figure.harness_share.value_or(0);
    return share > 1 / kLeastTimesOverhead
               ? std::optional(RemarkNumber{"share", share, RemarkUnit::kShare})
               : std::nullopt;
  });
  AddIfAny({.kind = RemarkKind::kMuchHarness, .cases = std::move(cases)}, remarks);
}

void FindOthersWrote(const Findings& of, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kOthersWrote};
  for (const WorkloadStandings& workload : of.standings.workloads) {
    for (const Series* const series : of.shown) {
      const PhaseResult* const phase = PhaseAt(series->sum, workload.place);
      const auto bytes = phase != nullptr ? BytesOfOthersIn(*phase) : std::nullopt;
      if (!bytes) continue;
      remark.cases.push_back(
          {.engine = of.NameOf(series->sum),
           .workload = workload.name,
           .numbers = {{"came", static_cast<double>(bytes->came), RemarkUnit::kBytes},
                       {"own", static_cast<double>(bytes->most_own), RemarkUnit::kBytes}},
           .place = workload.place});
    }
  }
  AddIfAny(std::move(remark), remarks);
}

// The harness's own cost, by engine that does nothing or next to nothing.
void FindOverhead(const Findings& of, Remarks& remarks) {
  for (const Overhead& overhead : OverheadsOf(of.result)) {
    if (overhead.workload_ns.empty()) continue;
    const bool is_null = overhead.engine == "null";
    Remark remark{.kind = RemarkKind::kOverhead,
                  .numbers = {{"keys", static_cast<double>(overhead.keys), RemarkUnit::kKeys}},
                  .texts = {{"is", is_null ? "does nothing" : "an ordered map"}}};
    for (const auto& [workload, ns] : overhead.workload_ns) {
      remark.cases.push_back({.engine = Printable(overhead.engine),
                              .workload = Printable(workload),
                              .numbers = {{"time", ns, RemarkUnit::kNanoseconds}}});
    }
    if (overhead.clock_ns > 0 && is_null) {
      remark.numbers.push_back({"clock", overhead.clock_ns, RemarkUnit::kNanoseconds});
    }
    remarks.push_back(std::move(remark));
  }
}

}  // namespace

void FindWhatTheMachineDid(const Findings& of, Remarks& remarks) {
  FindDisturbed(of, remarks);
  FindOthersWrote(of, remarks);
  FindOverhead(of, remarks);
  FindMuchHarness(of, remarks);
  if (std::optional<Remark> remark = FindReadAhead(of.result, of.shown)) {
    remarks.push_back(std::move(*remark));
  }
}

}  // namespace levelfield
