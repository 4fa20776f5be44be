// The figures far below the fastest, and where the time of an operation goes there, so that a
// reader sees whether an engine does more than the others or waits, and for what.
#include "analysis/findings/findings.h"
#include "analysis/read_ahead.h"
#include "analysis/time_spent.h"

namespace levelfield {
namespace {

constexpr double kFarBehind = 0.1;
constexpr size_t kMostNamed = 12;

// The time of an operation, its shares, and how often it syncs, if more than once.
std::vector<RemarkNumber> NumbersOf(const TimeSpent& spent) {
  std::vector<RemarkNumber> numbers = {{"time", spent.operation_ns, RemarkUnit::kNanoseconds}};
  for (const auto& [on, share] : spent.shares) {
    numbers.push_back({NameOf(on), share, RemarkUnit::kShare});
  }
  if (spent.syncs_per_operation >= 1.5) {
    numbers.push_back({"syncs", spent.syncs_per_operation, RemarkUnit::kTimes});
  }
  return numbers;
}

}  // namespace

void FindWhereTheTimeGoes(const Findings& of, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kFarBehind};
  size_t more = 0;
  for (const WorkloadStandings& workload : of.standings.workloads) {
    for (size_t i = 0; i < workload.figures.size(); ++i) {
      const StandingFigure& figure = workload.figures[i];
      const Series& series = *of.shown[i];
      if (!figure.rate || !workload.is_ranked() || figure.share >= kFarBehind) continue;
      const PhaseResult* const phase = series.MiddleRound(workload.place);
      // What the kernel's read-ahead decides has a remark of its own.
      if (phase == nullptr || ReadAheadOf(series.sum, *phase)) continue;
      const std::optional<TimeSpent> spent = TimeSpentIn(series, workload.place);
      if (!spent) continue;
      if (remark.cases.size() == kMostNamed) {
        ++more;
        continue;
      }
      remark.cases.push_back({.engine = of.standings.engines[i],
                              .workload = workload.name,
                              .numbers = NumbersOf(*spent),
                              .place = workload.place,
                              .series = of.IndexOf(series)});
    }
  }
  if (remark.cases.empty()) return;
  if (more != 0) {
    remark.numbers.push_back({"more", static_cast<double>(more), RemarkUnit::kFigures});
  }
  remarks.push_back(std::move(remark));
}

}  // namespace levelfield
