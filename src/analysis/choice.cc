#include "analysis/choice.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/comparison.h"
#include "analysis/durability.h"
#include "analysis/equal_stores.h"
#include "analysis/series.h"

namespace levelfield {
namespace {

const PhaseResult* PhaseOf(const RunResult& run, const std::string& workload) {
  const auto it = std::ranges::find_if(run.phases, [&](const PhaseResult& phase) {
    return phase.workload == workload && !phase.implicit;
  });
  return it == run.phases.end() ? nullptr : &*it;
}

// The figure to compare: the highest rate that kept the objective if there is one, otherwise the
// rate.
std::optional<double> FigureOf(const RunResult& run, const std::string& workload) {
  const PhaseResult* const phase = PhaseOf(run, workload);
  if (phase == nullptr || phase->outcome != Outcome::kOk) return std::nullopt;
  if (phase->slo) return static_cast<double>(phase->slo->rate);
  return RateOf(*phase);
}

std::vector<std::optional<double>> FiguresOf(const Series& series, const std::string& workload) {
  std::vector<std::optional<double>> figures;
  for (const RunResult* const run : series.rounds) figures.push_back(FigureOf(*run, workload));
  return figures;
}

std::string WhyNot(const Series& series, const std::string& workload,
                   const std::vector<double>& figures) {
  if (!figures.empty() && figures.size() == series.rounds.size()) {
    const bool keeps = std::ranges::all_of(figures, [](double figure) { return figure > 0; });
    return keeps ? "" : "keeps the objective at no rate that was tried";
  }
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    const std::string& message = phase != nullptr ? phase->message : run->message;
    if (!message.empty()) return message;
  }
  return "did not run to its end";
}

// The largest distance of a round's ratio of two engines from the median ratio, as a logarithm.
// Nothing if fewer than two rounds have both.
std::optional<double> ScatterOf(const Candidate& one, const Candidate& other) {
  const PairedValues pairs = Paired(one.figures, other.figures);
  std::vector<double> logarithms;
  for (size_t i = 0; i < pairs.first.size(); ++i) {
    if (pairs.first[i] <= 0 || pairs.second[i] <= 0) continue;
    logarithms.push_back(std::log(pairs.first[i] / pairs.second[i]));
  }
  if (logarithms.size() < 2) return std::nullopt;
  const double median = Median(logarithms);
  double most = 0;
  for (const double value : logarithms) most = std::max(most, std::abs(value - median));
  return most;
}

const Candidate* FindCandidate(const Choice& choice, const std::string& engine) {
  const auto it = std::ranges::find(choice.candidates, engine, &Candidate::engine);
  return it == choice.candidates.end() ? nullptr : &*it;
}

// The scatter of two engines. If these rounds lack one of them, the largest of any two.
double ScatterIn(const Choice& stated, const std::string& one, const std::string& other) {
  const Candidate* const first = FindCandidate(stated, one);
  const Candidate* const second = FindCandidate(stated, other);
  if (first != nullptr && second != nullptr) {
    if (const auto scatter = ScatterOf(*first, *second)) return *scatter;
  }
  double most = 0;
  for (const Candidate& a : stated.candidates) {
    for (const Candidate& b : stated.candidates) {
      most = std::max(most, ScatterOf(a, b).value_or(0));
    }
  }
  return most;
}

// Compares each able candidate with the best by the highest rate that keeps the objective. The best
// is found from the same figures, so all pairs are one family.
void CompareKept(Choice& choice, double margin) {
  std::vector<Claim> claims;
  for (Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) continue;
    const PairedValues pairs = Paired(choice.candidates.front().figures, candidate.figures);
    candidate.to_best = ComparePaired(pairs.first, pairs.second);
    candidate.verdict = Judge(candidate.to_best, margin, 0);
    // It may keep more than the best does.
    const bool is_bound = candidate.is_at_least && &candidate != &choice.candidates.front();
    if (is_bound && candidate.to_best.interval) candidate.verdict = Verdict::kUnresolved;
    if (&candidate != &choice.candidates.front()) {
      claims.push_back({&candidate.to_best, 0, &candidate.verdict});
    }
  }
  HoldTogether(claims, margin, claims.size() * (claims.size() + 1) / 2);
}

// Compares their rates instead, in slices if they were measured in slices.
void CompareRates(const std::vector<Series>& all, const std::string& workload, double margin,
                  Choice& choice) {
  const std::vector<Comparison> pairs = CompareAllPairs(StoresOf(all), {.margin = margin});
  const std::string& best = choice.candidates.front().engine;
  choice.candidates.front().to_best = {.ratio = 1};
  for (const Comparison& pair : pairs) {
    if (pair.baseline != best) continue;
    const auto candidate = std::ranges::find(choice.candidates, pair.candidate, &Candidate::engine);
    const auto row = std::ranges::find(pair.workloads, workload, &ComparedWorkload::workload);
    if (candidate == choice.candidates.end() || row == pair.workloads.end()) continue;
    if (!candidate->why_not.empty()) continue;
    candidate->to_best = row->ratio;
    candidate->verdict = row->verdict;
    choice.in_slices = choice.in_slices || row->in_slices;
  }
  if (choice.in_slices) choice.needed_rounds = kLeastProcessPairs;
}

// The workload's phase in each store's series.
std::vector<PhaseOfSeries> PhasesOf(const std::vector<Series>& all, const std::string& workload) {
  std::vector<PhaseOfSeries> phases;
  for (const Series* const series : StoresOf(all)) {
    const auto& of = series->sum.phases;
    for (size_t i = 0; i < of.size(); ++i) {
      if (of[i].workload == workload && !of[i].implicit) phases.push_back({series, i});
    }
  }
  return phases;
}

Candidate CandidateOf(const Series& series, const std::string& workload) {
  Candidate candidate;
  candidate.engine = series.sum.engine;
  candidate.figures = FiguresOf(series, workload);
  const std::vector<double> figures = Present(candidate.figures);
  candidate.why_not = WhyNot(series, workload, figures);
  candidate.is_unknown = std::ranges::any_of(series.rounds, [&](const RunResult* run) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    return phase != nullptr && phase->outcome == Outcome::kInvalid;
  });
  candidate.is_at_least = std::ranges::any_of(series.rounds, [&](const RunResult* run) {
    const PhaseResult* const phase = PhaseOf(*run, workload);
    return phase != nullptr && phase->slo && phase->slo->is_at_least;
  });
  if (candidate.why_not.empty()) {
    for (const PhaseResult& phase : series.sum.phases) {
      if (phase.workload != workload || !candidate.deviation.empty()) continue;
      candidate.deviation = DurabilityOf(series.sum, phase).known_deviation;
    }
    candidate.rate = GeometricMean(figures);
    candidate.interval = GeometricMeanInterval(figures);
  }
  return candidate;
}

}  // namespace

std::vector<std::string> Leaders(const Choice& what_if, const Choice& stated) {
  if (!what_if.has_answer()) return {};
  const Candidate& first = what_if.candidates.front();
  std::vector<std::string> ahead;
  size_t leaders = 0;
  for (const Candidate& candidate : what_if.candidates) {
    if (!candidate.why_not.empty()) continue;
    ahead.push_back(candidate.engine);
    const double behind = std::log(first.rate / candidate.rate);
    const bool is_first = &candidate == &first;
    // Who is faster than an engine that ties does so, too, however little its own rounds differed.
    if (is_first || behind <= ScatterIn(stated, first.engine, candidate.engine)) {
      leaders = ahead.size();
    }
  }
  ahead.resize(leaders);
  return ahead;
}

std::vector<std::string> Choice::Best() const {
  std::vector<std::string> best;
  for (const Candidate& candidate : candidates) {
    if (!candidate.why_not.empty()) continue;
    if (best.empty() || candidate.verdict != Verdict::kSlower) best.push_back(candidate.engine);
  }
  return best;
}

const Candidate* Choice::Next() const {
  const Candidate* next = nullptr;
  for (const Candidate& candidate : candidates) {
    if (!candidate.why_not.empty() || &candidate == &candidates.front()) continue;
    if (next == nullptr || candidate.to_best.ratio > next->to_best.ratio) next = &candidate;
  }
  return next;
}

bool IsBehind(const Candidate& next) { return 1 / next.to_best.ratio >= 1.005; }

Fitting FittingOf(const Choice& choice) {
  Fitting fitting;
  for (const std::string& engine : choice.Best()) {
    const bool is_sound = FindCandidate(choice, engine)->deviation.empty();
    (is_sound ? fitting.engines : fitting.deviating).push_back(engine);
  }
  if (fitting.engines.empty()) fitting.engines.swap(fitting.deviating);
  return fitting;
}

std::vector<std::string> StatedAnswer(const Choice& stated) {
  if (!stated.has_answer()) return {};
  if (stated.is_ranked()) return stated.Best();
  std::vector<std::string> answer = {stated.candidates.front().engine};
  const Candidate* const next = stated.Next();
  if (next != nullptr && !IsBehind(*next)) answer.push_back(next->engine);
  return answer;
}

Choice Choose(const Result& result, const std::string& workload, double margin) {
  const std::vector<Series> all = SeriesOf(result);
  bool has_objective = false;
  Choice choice{.candidates = {}, .is_cut_off = IsCutOff(result)};
  for (const Series& series : all) {
    if (series.sum.is_baseline_engine) {
      choice.floors.push_back(series.sum.engine);
      continue;
    }
    choice.candidates.push_back(CandidateOf(series, workload));
    has_objective = has_objective || std::ranges::any_of(series.rounds, [&](const RunResult* run) {
                      const PhaseResult* const phase = PhaseOf(*run, workload);
                      return phase != nullptr && phase->slo.has_value();
                    });
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult& phase = series.sum.phases[i];
      const bool is_asked = phase.workload == workload && !phase.implicit;
      choice.disturbed += is_asked && IsDisturbed(series, i) ? 1 : 0;
    }
    choice.rounds = std::max(choice.rounds, series.rounds.size());
  }
  const std::string unequal = WhyUnequal(PhasesOf(all, workload));
  for (Candidate& candidate : choice.candidates) {
    if (unequal.empty() || !candidate.why_not.empty()) continue;
    candidate.why_not = "not ranked: " + unequal;
    candidate.is_unknown = true;
  }
  std::ranges::stable_sort(choice.candidates, std::greater(), &Candidate::rate);
  if (choice.candidates.empty()) return choice;
  has_objective ? CompareKept(choice, margin) : CompareRates(all, workload, margin, choice);
  return choice;
}

}  // namespace levelfield
