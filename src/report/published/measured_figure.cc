#include "report/published/measured_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace levelfield {
namespace {

constexpr double kMiB = 1 << 20;

bool IsOf(const Result& result, const std::string& job) {
  return result.name == job || result.name.starts_with(job + ".");
}

// Its place among the phases; nothing where it was not run so often.
std::optional<size_t> PlaceOf(const RunResult& run, const WorkloadOf& of) {
  uint64_t seen = 0;
  for (size_t i = 0; i < run.phases.size(); ++i) {
    const PhaseResult& phase = run.phases[i];
    if (phase.workload != of.workload || phase.implicit || phase.repetition.warm_up) continue;
    if (++seen == of.nth) return i;
  }
  return std::nullopt;
}

std::string WordsOf(const WorkloadOf& of) {
  return of.nth == 1 ? of.workload : fmt::format("{} ({}.)", of.workload, of.nth);
}

std::string WhyNot(const RunResult& run, const PhaseResult* phase) {
  const Outcome outcome = phase != nullptr ? phase->outcome : run.outcome;
  const std::string& message = phase != nullptr ? phase->message : run.message;
  std::string_view word = "no number";
  if (outcome == Outcome::kUnsupported) word = "unsupported";
  if (outcome == Outcome::kFailed) word = "failed";
  if (outcome == Outcome::kWrong) word = "wrong";
  if (outcome == Outcome::kInvalid) word = "void";
  if (outcome == Outcome::kNotRun) word = "not run";
  return message.empty() ? std::string(word) : fmt::format("{}: {}", word, message);
}

void TakeMiddleRound(const PhaseResult& middle, MeasuredFigure& figure) {
  figure.phase = middle;
  const RoleResult& role = middle.roles.front();
  double bytes = 0;
  for (const LaneResult& lane : role.lanes) bytes += static_cast<double>(lane.bytes);
  figure.micros = role.thread_seconds * 1e6 / static_cast<double>(role.Operations());
  figure.mebibytes_per_second = bytes / kMiB / role.seconds;
}

MeasuredFigure FigureOf(const Result& result, const Series& series, const WorkloadOf& of) {
  MeasuredFigure figure{.result = &result};
  figure.run = series.sum;
  figure.run.phases.clear();
  const std::optional<size_t> place = PlaceOf(series.sum, of);
  if (!place) {
    const bool ran = series.sum.outcome == Outcome::kOk;
    figure.is_missing = ran;
    figure.why_not = ran ? fmt::format("missing: {} has no {}", of.job, WordsOf(of))
                         : WhyNot(series.sum, nullptr);
    return figure;
  }
  const PhaseResult& sum = series.sum.phases[*place];
  figure.rates = series.Rates(*place);
  const std::vector<double> present = Present(figure.rates);
  const PhaseResult* const middle = series.MiddleRound(*place);
  if (sum.outcome != Outcome::kOk || middle == nullptr) {
    figure.why_not = WhyNot(series.sum, &sum);
    return figure;
  }
  figure.rate = Median(present);
  figure.interval = MedianInterval(present);
  TakeMiddleRound(*middle, figure);
  for (const RunResult* run : series.rounds) {
    if (*place >= run->phases.size()) continue;
    const auto& conditions = run->phases[*place].conditions;
    if (conditions && !DisturbancesOf(*conditions).empty()) ++figure.disturbed;
  }
  return figure;
}

}  // namespace

MeasuredFigures::MeasuredFigures(const std::vector<Result>& results) {
  for (const Result& result : results) results_.push_back({&result, SeriesOf(result)});
}

MeasuredFigure MeasuredFigures::Find(const WorkloadOf& of, std::string_view engine) const {
  MeasuredFigure missing;
  missing.is_missing = true;
  missing.why_not = fmt::format("missing: no result of {}", of.job);
  for (const OfResult& one : results_) {
    if (!IsOf(*one.result, of.job)) continue;
    missing.why_not = fmt::format("missing: {} was run without {}", of.job, engine);
    for (const Series& series : one.series) {
      if (EngineName(series.sum.engine) == engine) return FigureOf(*one.result, series, of);
    }
  }
  return missing;
}

std::vector<std::string> MeasuredFigures::EnginesOf(const std::string& job) const {
  std::vector<std::string> engines;
  for (const OfResult& one : results_) {
    if (!IsOf(*one.result, job)) continue;
    for (const Series& series : one.series) {
      const std::string engine = EngineName(series.sum.engine);
      if (series.sum.floor || std::ranges::find(engines, engine) != engines.end()) continue;
      engines.push_back(engine);
    }
  }
  return engines;
}

RateRatio CompareFigures(const MeasuredFigure& baseline, const MeasuredFigure& candidate,
                         double confidence) {
  if (baseline.result != candidate.result || baseline.rates.size() != candidate.rates.size()) {
    return CompareUnpaired(Present(baseline.rates), Present(candidate.rates), confidence);
  }
  std::vector<double> ours;
  std::vector<double> theirs;
  for (size_t i = 0; i < baseline.rates.size(); ++i) {
    if (!baseline.rates[i] || !candidate.rates[i]) continue;
    theirs.push_back(*baseline.rates[i]);
    ours.push_back(*candidate.rates[i]);
  }
  return ComparePaired(theirs, ours, confidence);
}

}  // namespace levelfield
