#include "report/figures.h"

#include <algorithm>

namespace levelfield {
namespace {

std::optional<double> MedianOf(const std::vector<std::optional<double>>& of_rounds) {
  const std::vector<double> values = Present(of_rounds);
  return values.empty() ? std::nullopt : std::optional(Median(values));
}

}  // namespace

Figures FiguresOf(const Series& series, size_t phase) {
  Figures figures{.rates = Present(series.Rates(phase))};
  if (!figures.rates.empty()) figures.median = Median(figures.rates);
  figures.interval = MedianInterval(figures.rates);
  figures.charged = MedianOf(series.ChargedRates(phase));
  figures.settle_seconds = MedianOf(series.SettleSeconds(phase));
  return figures;
}

const PhaseResult* PhaseAt(const RunResult& run, size_t place) {
  return place < run.phases.size() ? &run.phases[place] : nullptr;
}

size_t PlacesIn(const Result& sums) {
  size_t places = 0;
  for (const RunResult& run : sums.runs) places = std::max(places, run.phases.size());
  return places;
}

const PhaseResult* NamedAt(const Result& sums, size_t place) {
  for (const RunResult& run : sums.runs) {
    if (const PhaseResult* const phase = PhaseAt(run, place)) return phase;
  }
  return nullptr;
}

Result SumsOf(const Result& result, const std::vector<Series>& series) {
  Result sums = WithoutRuns(result);
  for (const Series& of_engine : series) sums.runs.push_back(of_engine.sum);
  return sums;
}

}  // namespace levelfield
