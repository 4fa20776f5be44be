#include "result/choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/series.h"

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

}  // namespace

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
  struct Judged {
    const Series* series;
    Candidate candidate;
  };
  std::vector<Judged> judged;
  size_t able = 0;
  Choice choice;
  for (const Series& series : all) {
    if (series.sum.floor) continue;
    Judged one{&series, {}};
    one.candidate.engine = series.sum.engine;
    const std::vector<double> figures = Present(FiguresOf(series, workload));
    one.candidate.why_not = WhyNot(series, workload, figures);
    if (one.candidate.why_not.empty()) {
      one.candidate.median = Median(figures);
      one.candidate.interval = MedianInterval(figures);
      ++able;
    }
    choice.rounds = std::max(choice.rounds, series.rounds.size());
    judged.push_back(std::move(one));
  }
  std::ranges::stable_sort(judged, [](const Judged& a, const Judged& b) {
    return a.candidate.median > b.candidate.median;
  });
  const double confidence = ConfidenceOfEach(able > 1 ? able - 1 : 1);
  for (Judged& one : judged) {
    Candidate& candidate = one.candidate;
    if (candidate.why_not.empty()) {
      candidate.to_best = RatioOf(FiguresOf(*judged.front().series, workload),
                                  FiguresOf(*one.series, workload), confidence);
      candidate.verdict = Judge(candidate.to_best, margin, 0);
    }
    choice.candidates.push_back(std::move(candidate));
  }
  return choice;
}

}  // namespace levelfield
