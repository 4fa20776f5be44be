// The figures far below the fastest, and where the time of an operation goes there: computing,
// waiting for syncs or for the device. So a reader sees whether an engine does more than the others
// or waits, and for what.
#include <algorithm>

#include "analysis/cost.h"
#include "analysis/findings/findings.h"
#include "analysis/read_ahead.h"
#include "base/quote.h"

namespace levelfield {
namespace {

constexpr double kFarBehind = 0.1;
constexpr size_t kMostNamed = 12;

// The time of an operation and the shares of it (analysis/cost.h), without those below a tenth.
// Nothing where it is not known.
std::optional<std::vector<RemarkNumber>> TimeOf(const PhaseResult& phase) {
  constexpr double kLeast = 0.1;
  constexpr double kPageBytes = 4096;
  double seconds = 0;
  double operations = 0;
  for (const RoleResult& role : phase.roles) {
    seconds += role.thread_seconds;
    operations += static_cast<double>(role.Operations());
  }
  const Cost cost = CostOf(phase);
  if (!cost.computing.value || operations == 0) return std::nullopt;
  const Resources& used = *phase.resources;
  std::vector<RemarkNumber> numbers = {
      {"time", seconds * 1e9 / operations, RemarkUnit::kNanoseconds}};
  const auto add = [&](std::string_view name, const Ratio& share) {
    if (share.value >= kLeast) numbers.push_back({name, *share.value, RemarkUnit::kShare});
  };
  const bool is_fetched =
      used.io && static_cast<double>(used.io->storage_read_bytes) >= kPageBytes * operations;
  add("computing", cost.computing);
  add("in_syncs", cost.in_syncs);
  add(is_fetched ? "waiting_for_reads_of_the_device" : "waiting", cost.waiting);
  std::ranges::stable_sort(numbers.begin() + 1, numbers.end(), std::greater<>(),
                           &RemarkNumber::value);
  const double syncs = used.syncs ? static_cast<double>(used.syncs->calls) / operations : 0;
  if (syncs >= 1.5) numbers.push_back({"syncs", syncs, RemarkUnit::kTimes});
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
      std::optional<std::vector<RemarkNumber>> numbers = TimeOf(*phase);
      if (!numbers) continue;
      if (remark.cases.size() == kMostNamed) {
        ++more;
        continue;
      }
      remark.cases.push_back({.engine = of.standings.engines[i],
                              .workload = workload.name,
                              .numbers = std::move(*numbers),
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
