#include "analysis/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/series.h"

namespace levelfield {
namespace {

const PhaseResult* PhaseOf(const RunResult& run, const std::string& workload) {
  const auto it = std::ranges::find_if(run.phases, [&](const PhaseResult& phase) {
    return phase.workload == workload && !phase.implicit;
  });
  return it == run.phases.end() ? nullptr : &*it;
}

// What counts: the highest rate that kept the objective, where there was one.
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

// Both figures of the rounds that have both.
RateRatio RatioOf(const std::vector<std::optional<double>>& best,
                  const std::vector<std::optional<double>>& other, double confidence) {
  std::vector<double> of_best;
  std::vector<double> of_other;
  for (size_t i = 0; i < std::min(best.size(), other.size()); ++i) {
    if (!best[i] || !other[i]) continue;
    of_best.push_back(*best[i]);
    of_other.push_back(*other[i]);
  }
  return ComparePaired(of_best, of_other, confidence);
}

// How far the ratio of two engines came to be from its median in a round, as a logarithm; nothing
// where fewer than two rounds have both.
std::optional<double> ScatterOf(const Candidate& one, const Candidate& other) {
  std::vector<double> logarithms;
  for (size_t i = 0; i < std::min(one.figures.size(), other.figures.size()); ++i) {
    if (!one.figures[i] || !other.figures[i]) continue;
    if (*one.figures[i] <= 0 || *other.figures[i] <= 0) continue;
    logarithms.push_back(std::log(*one.figures[i] / *other.figures[i]));
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

// Of two engines; where they were not both in these rounds, the most of any two.
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

}  // namespace

std::vector<std::string> Leaders(const Choice& what_if, const Choice& stated) {
  std::vector<std::string> leaders;
  if (!what_if.has_answer()) return leaders;
  const Candidate& first = what_if.candidates.front();
  for (const Candidate& candidate : what_if.candidates) {
    if (!candidate.why_not.empty()) continue;
    const double behind = std::log(first.median / candidate.median);
    const bool is_first = &candidate == &first;
    if (is_first || behind <= ScatterIn(stated, first.engine, candidate.engine)) {
      leaders.push_back(candidate.engine);
    }
  }
  return leaders;
}

std::vector<std::string> Choice::Best() const {
  std::vector<std::string> best;
  for (const Candidate& candidate : candidates) {
    if (!candidate.why_not.empty()) continue;
    if (best.empty() || candidate.verdict != Verdict::kSlower) best.push_back(candidate.engine);
  }
  return best;
}

Choice Choose(const Result& result, const std::string& workload, double margin) {
  const std::vector<Series> all = SeriesOf(result);
  size_t able = 0;
  Choice choice;
  for (const Series& series : all) {
    if (series.sum.floor) continue;
    Candidate candidate;
    candidate.engine = series.sum.engine;
    candidate.figures = FiguresOf(series, workload);
    const std::vector<double> figures = Present(candidate.figures);
    candidate.why_not = WhyNot(series, workload, figures);
    if (candidate.why_not.empty()) {
      candidate.median = Median(figures);
      candidate.interval = MedianInterval(figures);
      ++able;
    }
    choice.rounds = std::max(choice.rounds, series.rounds.size());
    choice.candidates.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(choice.candidates, std::greater(), &Candidate::median);
  const size_t others = able > 1 ? able - 1 : 1;
  const double confidence = ConfidenceOfEach(others);
  choice.needed_rounds = RoundsForVerdicts(others);
  for (Candidate& candidate : choice.candidates) {
    if (!candidate.why_not.empty()) continue;
    candidate.to_best = RatioOf(choice.candidates.front().figures, candidate.figures, confidence);
    candidate.verdict = Judge(candidate.to_best, margin, 0);
  }
  return choice;
}

}  // namespace levelfield
