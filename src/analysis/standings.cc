#include "analysis/standings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/cost.h"
#include "analysis/cost_of_rounds.h"
#include "analysis/equal_stores.h"
#include "base/quote.h"
#include "result/load_verdict.h"
#include "result/overhead.h"

namespace levelfield {
namespace {

NoRate InsteadOf(const PhaseResult& phase) {
  if (phase.outcome == Outcome::kWrong) return NoRate::kWrong;
  if (HasLoad(phase) && phase.roles[0].load->verdict == LoadOutcome::kNotSustainable) {
    return NoRate::kTooSlow;
  }
  return FromName<NoRate>(NameOf(phase.outcome)).value_or(NoRate::kNotMeasured);
}

StandingFigure FigureOf(const Series& series, size_t place) {
  const PhaseResult* const phase = PhaseAt(series.sum, place);
  if (phase == nullptr) return {};
  if (phase->outcome != Outcome::kOk) return {.instead = InsteadOf(*phase)};
  StandingFigure figure;
  const Figures figures = FiguresOf(series, place);
  figure.rate = figures.rate;
  figure.interval = figures.rate_interval;
  if (figures.rates.size() > 1) {
    const auto [least, greatest] = std::ranges::minmax(figures.rates);
    figure.range = Interval{least, greatest};
  }
  figure.is_disturbed = IsDisturbed(series, place);
  figure.p50_ns = PercentileOf(phase, 0.5);
  figure.p99_ns = PercentileOf(phase, 0.99);
  figure.p999_ns = PercentileOf(phase, 0.999);
  figure.is_at_most = HasUpperBounds(*phase);
  figure.cpu_us = figures.cpu_us;
  figure.stalls = RareStallsOf(series, place);
  figure.spent = TimeSpentIn(series, place);
  return figure;
}

std::optional<double> HarnessShareOf(const std::vector<Overhead>& overheads,
                                     const RunResult& run, const PhaseResult* phase) {
  const auto null = std::ranges::find(overheads, "null", &Overhead::engine);
  if (null == overheads.end() || phase == nullptr || run.is_baseline_engine) return std::nullopt;
  const std::optional<double> took_ns = OperationNs(*phase);
  const std::optional<double> null_ns = NsOf(*null, phase->workload);
  return took_ns && null_ns ? std::optional(*null_ns / *took_ns) : std::nullopt;
}

// Compares engines in one workload. `pairs` come from CompareAllPairs.
class Ranking {
 public:
  Ranking(const std::vector<Comparison>& pairs, size_t place, std::vector<StandingFigure>& figures)
      : pairs_(pairs), place_(place), figures_(figures) {}

  double Share(size_t baseline, size_t candidate) const {
    return *figures_[candidate].rate / *figures_[baseline].rate;
  }
  Verdict VerdictOn(size_t baseline, size_t candidate) const {
    const ComparedWorkload* const row = RowOf(baseline, candidate);
    return row == nullptr ? Verdict::kIndicative : row->verdict;
  }
  // The engine with the highest rate. Nothing if none has one.
  std::optional<size_t> Best() const {
    const auto best = std::ranges::max_element(
        figures_, {}, [](const StandingFigure& figure) { return figure.rate.value_or(0); });
    if (best == figures_.end() || best->rate.value_or(0) <= 0) return std::nullopt;
    return static_cast<size_t>(best - figures_.begin());
  }

 private:
  const ComparedWorkload* RowOf(size_t baseline, size_t candidate) const {
    const Comparison& pair =
        pairs_[baseline * (figures_.size() - 1) + candidate - (candidate > baseline ? 1 : 0)];
    const auto row = std::ranges::find(pair.workloads, place_, &ComparedWorkload::place);
    return row == pair.workloads.end() || !row->invalid.empty() ? nullptr : &*row;
  }

  const std::vector<Comparison>& pairs_;
  size_t place_;
  std::vector<StandingFigure>& figures_;
};

// Finds the best, the others' shares of its rate, and those that are told apart.
void Rank(const std::vector<Comparison>& pairs, size_t place, WorkloadStandings& workload) {
  std::vector<StandingFigure>& figures = workload.figures;
  const Ranking ranking(pairs, place, figures);
  const std::optional<size_t> best = ranking.Best();
  if (!best) return;
  figures[*best].is_best = true;
  figures[*best].share = 1;
  bool is_leader = true;
  size_t ranked = 0;
  for (size_t i = 0; i < figures.size(); ++i) {
    StandingFigure& figure = figures[i];
    if (!figure.rate) continue;
    ++ranked;
    if (i == *best) continue;
    figure.share = ranking.Share(*best, i);
    const Verdict verdict = ranking.VerdictOn(*best, i);
    // Too few rounds tell nobody apart, and other allocators are not compared. The screen says so
    // once, not at every figure.
    figure.is_tied = verdict != Verdict::kSlower && verdict != Verdict::kIndicative &&
                     verdict != Verdict::kNotRanked;
    workload.is_unjudged = workload.is_unjudged || verdict == Verdict::kNotRanked;
    is_leader = is_leader && verdict == Verdict::kSlower;
    workload.is_indicative = workload.is_indicative || verdict == Verdict::kIndicative;
  }
  if (!is_leader || ranked < 2) return;
  workload.leader = *best;
}

std::string NameOf(const PhaseResult& phase, std::map<std::string, size_t>& seen) {
  const std::string name = Printable(phase.workload);
  const size_t times = ++seen[name];
  return times == 1 ? name : fmt::format("{} ({})", name, times);
}

}  // namespace

size_t Standings::BestMostOften() const {
  std::vector<size_t> bests(engines.size());
  for (const WorkloadStandings& workload : workloads) {
    for (size_t i = 0; i < bests.size(); ++i) bests[i] += workload.figures[i].is_best ? 1 : 0;
  }
  return static_cast<size_t>(std::ranges::max_element(bests) - bests.begin());
}

std::vector<const Series*> ShownOf(const std::vector<Series>& series) {
  std::vector<const Series*> shown;
  for (const Series& one : series) {
    if (!one.sum.is_baseline_engine) shown.push_back(&one);
  }
  if (!shown.empty()) return shown;
  for (const Series& one : series) shown.push_back(&one);
  return shown;
}

Standings StandingsOf(const Result& result, const std::vector<Series>& all,
                      const ComparisonRules& rules) {
  const Result sums = SumsOf(result, all);
  const std::vector<const Series*> series = ShownOf(all);
  Standings screen;
  screen.rounds = RoundsOf(result, all);
  for (const Series* const one : series) screen.engines.push_back(NameIn(result, one->sum));
  const std::vector<Comparison> pairs = CompareAllPairs(series, rules);
  screen.is_in_slices = std::ranges::any_of(pairs, [](const Comparison& pair) {
    return std::ranges::any_of(pair.workloads, &ComparedWorkload::in_slices);
  });
  screen.space.resize(series.size());
  const std::vector<Overhead> overheads = OverheadsOf(result);
  std::map<std::string, size_t> seen;
  for (size_t place = 0; place < PlacesIn(sums); ++place) {
    const PhaseResult& named = *NamedAt(sums, place);
    if (named.implicit || named.repetition.warm_up) continue;
    for (size_t i = 0; i < series.size(); ++i) {
      const auto space = CostOfRounds(*series[i], place, &Cost::space);
      if (space) screen.space[i] = space;
    }
    if (named.IsText()) continue;
    WorkloadStandings workload{.name = NameOf(named, seen), .place = place};
    std::vector<PhaseOfSeries> phases;
    for (const Series* const one : series) {
      workload.few_keys.push_back(FewKeysOf(result, *one, place));
      phases.push_back({one, place});
    }
    workload.unequal = WhyUnequal(phases);
    workload.is_at_a_rate = HasLoad(named);
    workload.is_unsupported = std::ranges::all_of(series, [&](const Series* one) {
      const PhaseResult* const phase = PhaseAt(one->sum, place);
      return phase != nullptr && phase->outcome == Outcome::kUnsupported;
    });
    for (const Series* const one : series) {
      workload.figures.push_back(FigureOf(*one, place));
      screen.disturbed += workload.figures.back().is_disturbed ? 1 : 0;
      const PhaseResult* const phase = PhaseAt(one->sum, place);
      workload.figures.back().harness_share = HarnessShareOf(overheads, one->sum, phase);
      if (const OperationStatistics* const stats = StatisticsOf(phase);
          stats != nullptr && workload.operation.empty()) {
        workload.operation = stats->operation;
        workload.batch = phase->roles[0].batch;
      }
    }
    if (workload.is_ranked()) Rank(pairs, place, workload);
    screen.workloads.push_back(std::move(workload));
  }
  return screen;
}

}  // namespace levelfield
