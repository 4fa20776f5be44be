// What a fleet's figures are of, and which of its ranks is behind the others.
#include <algorithm>

#include "analysis/findings/far_behind.h"
#include "analysis/findings/findings.h"
#include "base/quote.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

void AddRanksBehind(const std::string& engine, const PhaseResult& phase, Remark& remark) {
  const FleetResult& fleet = *phase.fleet;
  std::vector<double> rates;
  for (size_t i = 0; i < fleet.rank_seconds.size(); ++i) {
    const double seconds = fleet.rank_seconds[i];
    rates.push_back(seconds > 0 ? static_cast<double>(fleet.rank_operations[i]) / seconds : 0);
  }
  for (const size_t rank : FarBehind(rates)) {
    remark.cases.push_back(
        {.engine = engine,
         .workload = phase.workload,
         .numbers = {{"rank", static_cast<double>(rank), RemarkUnit::kCount},
                     {"share", rates[rank] / Median(rates), RemarkUnit::kShare}}});
  }
}

}  // namespace

void FindFleet(const Findings& of, Remarks& remarks) {
  Remark fleets{.kind = RemarkKind::kFleet};
  Remark behind{.kind = RemarkKind::kRankBehind};
  double ranks = 0;
  double error_ns = 0;
  for (const RunResult& run : of.result.runs) {
    const std::string engine = Printable(RunName(run.engine, run.variant));
    for (const PhaseResult& phase : run.phases) {
      if (!phase.fleet || phase.implicit || phase.outcome != Outcome::kOk) continue;
      AddRanksBehind(engine, phase, behind);
      const FleetResult& fleet = *phase.fleet;
      ranks = std::max(ranks, static_cast<double>(fleet.ranks));
      error_ns = std::max(error_ns, static_cast<double>(fleet.clock_error_ns));
      const double share = fleet.span_seconds > 0 ? fleet.common_seconds / fleet.span_seconds : 0;
      const auto same = std::ranges::find(fleets.cases, phase.workload, &RemarkCase::workload);
      if (same == fleets.cases.end()) {
        fleets.cases.push_back(
            {.workload = phase.workload, .numbers = {{"share", share, RemarkUnit::kShare}}});
      } else {
        same->numbers.front().value = std::min(same->numbers.front().value, share);
      }
    }
  }
  fleets.numbers = {{"ranks", ranks, RemarkUnit::kCount},
                    {"error", error_ns, RemarkUnit::kNanoseconds}};
  AddIfAny(std::move(fleets), remarks);
  AddIfAny(std::move(behind), remarks);
}

}  // namespace levelfield
