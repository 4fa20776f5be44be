// The figures of one engine's one workload over all rounds, computed once for every format. Pure.
#ifndef LEVELFIELD_REPORT_FIGURES_H_
#define LEVELFIELD_REPORT_FIGURES_H_

#include <optional>
#include <vector>

#include "analysis/series.h"
#include "stats/statistics.h"

namespace levelfield {

struct Figures {
  std::vector<double> rates;                  // Operations a second of the rounds that have one,
  std::optional<double> median = {};          // their median,
  std::optional<Interval> interval = {};      // and the interval that holds it with 95 %.
  std::optional<double> charged = {};         // The median over the time of settling besides,
  std::optional<double> settle_seconds = {};  // and the median of that time.
};
// Of the phase with that place in the plan.
Figures FiguresOf(const Series& series, size_t phase);

// The phase with that place; null for an engine that did not come to it.
const PhaseResult* PhaseAt(const RunResult& run, size_t place);

// The places of the plan, as many as the run with the most phases has.
size_t PlacesIn(const Result& sums);

// The first engine's phase with that place that there is: it says what runs there. Null: none.
const PhaseResult* NamedAt(const Result& sums, size_t place);

// One run for each of the series: all of its rounds put together.
Result SumsOf(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FIGURES_H_
