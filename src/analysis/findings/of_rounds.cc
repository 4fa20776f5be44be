// How much was measured: too few operations, fewer than asked for, too short a time for a rate to
// settle, rounds that stalled.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analysis/findings/findings.h"
#include "analysis/steady_state.h"
#include "base/quote.h"
#include "base/text.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// Opening and compacting always do few. The least of all rounds and engines.
void FindFewOperations(const Findings& of, Remarks& remarks) {
  constexpr uint64_t kFew = 100;
  Remark remark{.kind = RemarkKind::kFewOperations, .numbers = {{"few", kFew}}};
  for (const WorkloadStandings& workload : of.standings.workloads) {
    uint64_t least = kFew;
    for (const Series* const series : of.shown) {
      for (const RunResult* const round : series->rounds) {
        const PhaseResult* const phase = PhaseAt(*round, workload.place);
        if (StatisticsOf(phase) == nullptr || phase->family == "maintenance") continue;
        least = std::min(least, phase->roles[0].Operations());
      }
    }
    if (least == kFew) continue;
    remark.cases.push_back({.workload = workload.name,
                            .numbers = {{"operations", static_cast<double>(least)}},
                            .place = workload.place});
  }
  AddIfAny(std::move(remark), remarks);
}

// The --duration that the run had, in seconds.
double DurationOf(const Result& result, const RunResult& run) {
  const std::string of_variant = TextIn(run.variant.settings, "duration");
  return std::strtod((of_variant.empty() ? SettingOf(result, "duration") : of_variant).c_str(),
                     nullptr);
}

// Workloads that had done all of their operations before --duration, in every round; with their
// engines, if not all that ran them did.
void FindEndedEarly(const Findings& of, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kEndedEarly};
  for (size_t place = 0; place < PlacesIn(of.series); ++place) {
    std::vector<RemarkCase> early;
    size_t ran = 0;
    for (const Series& series : of.series) {
      size_t rounds = 0;
      size_t early_rounds = 0;
      for (const RunResult* const run : series.rounds) {
        const PhaseResult* const phase = PhaseAt(*run, place);
        if (phase == nullptr || phase->outcome != Outcome::kOk || phase->implicit) continue;
        if (phase->act) continue;  // It has a time of its own.
        if (phase->repetition.warm_up || run->is_baseline_engine) continue;
        ++rounds;
        early_rounds += EndedBefore(*phase, DurationOf(of.result, *run)) ? 1 : 0;
      }
      ran += rounds == 0 ? 0 : 1;
      if (rounds == 0 || early_rounds != rounds) continue;
      early.push_back({.engine = of.NameOf(series.sum),
                       .workload = Printable(series.sum.phases[place].workload),
                       .place = place});
    }
    if (early.size() == ran) {  // All did: their names say nothing.
      for (RemarkCase& one : early) one.engine.clear();
    }
    std::ranges::move(early, std::back_inserter(remark.cases));
  }
  AddIfAny(std::move(remark), remarks);
}

// Of each round that --duration ended: the logarithm of its later half's rate over its earlier
// one's.
std::vector<double> LaterHalvesOf(const Series& series, size_t place, const Result& result) {
  std::vector<double> logarithms;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const phase = PhaseAt(*run, place);
    if (phase == nullptr || run->is_baseline_engine || !phase->ticks || phase->act) continue;
    if (phase->outcome != Outcome::kOk || phase->implicit || phase->repetition.warm_up) continue;
    const double duration = DurationOf(result, *run);
    if (duration <= 0 || EndedBefore(*phase, duration)) continue;
    const std::optional<double> times = LaterHalfOf(TicksOf(*phase), 0);
    if (times) logarithms.push_back(std::log(*times));
  }
  return logarithms;
}

// Workloads that --duration ended while their rate still went up or down, by a tenth or more from
// the earlier half to the later. The interval of a rate covers how its rounds differ, and cannot
// see what all of them do. Where a count ends the workload, the store that grows is the reason.
void FindStillChanging(const Findings& of, Remarks& remarks) {
  constexpr double kMuch = 1.1;
  constexpr size_t kLeastRounds = 3;
  constexpr double kConfidence = 0.99;
  Remark remark{.kind = RemarkKind::kStillChanging};
  for (size_t place = 0; place < PlacesIn(of.series); ++place) {
    for (const Series& series : of.series) {
      const RateRatio ratio =
          CompareRounds(LaterHalvesOf(series, place, of.result), kLeastRounds, kConfidence);
      if (!ratio.interval) continue;
      if (ratio.interval->low < kMuch && ratio.interval->high > 1 / kMuch) continue;
      remark.cases.push_back({.engine = of.NameOf(series.sum),
                              .workload = Printable(series.sum.phases[place].workload),
                              .numbers = {{"share", ratio.ratio, RemarkUnit::kShare}},
                              .place = place,
                              .series = of.IndexOf(series)});
    }
  }
  AddIfAny(std::move(remark), remarks);
}

// Fills that --duration cut: how far each engine came, and how long the rest took. Medians of the
// rounds. One remark a fill.
void FindCutFills(const Findings& of, Remarks& remarks) {
  for (size_t place = 0; place < PlacesIn(of.series); ++place) {
    Remark remark{.kind = RemarkKind::kFillCut};
    for (const Series& series : of.series) {
      std::vector<double> shares;
      std::vector<double> seconds;
      for (const RunResult* const run : series.rounds) {
        const PhaseResult* const phase = PhaseAt(*run, place);
        if (phase == nullptr || !phase->rest || phase->roles.empty()) continue;
        uint64_t done = 0;
        for (const RoleResult& role : phase->roles) {
          if (role.name == phase->rest->role) done = role.Operations();
        }
        shares.push_back(static_cast<double>(done) /
                         static_cast<double>(done + phase->rest->operations));
        seconds.push_back(phase->rest->seconds);
      }
      if (shares.empty()) continue;
      remark.cases.push_back({.engine = of.NameOf(series.sum),
                              .workload = Printable(series.sum.phases[place].workload),
                              .numbers = {{"share", Median(shares), RemarkUnit::kShare},
                                          {"seconds", Median(seconds), RemarkUnit::kSeconds}},
                              .place = place,
                              .series = of.IndexOf(series)});
    }
    AddIfAny(std::move(remark), remarks);
  }
}

void FindRareStalls(const Findings& of, Remarks& remarks) {
  const Standings& standings = of.standings;
  Remark remark{
      .kind = RemarkKind::kRareStalls,
      .numbers = {{"rounds", static_cast<double>(standings.rounds), RemarkUnit::kRounds}}};
  for (const WorkloadStandings& workload : standings.workloads) {
    for (size_t i = 0; i < workload.figures.size(); ++i) {
      if (workload.figures[i].stalls == 0) continue;
      remark.cases.push_back(
          {.engine = standings.engines[i],
           .workload = workload.name,
           .numbers = {{"stalls", static_cast<double>(workload.figures[i].stalls)}},
           .place = workload.place,
           .series = of.IndexOf(*of.shown[i])});
    }
  }
  AddIfAny(std::move(remark), remarks);
}

}  // namespace

void FindHowMuchWasMeasured(const Findings& of, Remarks& remarks) {
  FindFewOperations(of, remarks);
  FindEndedEarly(of, remarks);
  FindStillChanging(of, remarks);
  FindCutFills(of, remarks);
  FindRareStalls(of, remarks);
}

}  // namespace levelfield
