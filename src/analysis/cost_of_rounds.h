// A cost over all rounds of an engine, as every table shows it. Pure.
#ifndef LEVELFIELD_ANALYSIS_COST_OF_ROUNDS_H_
#define LEVELFIELD_ANALYSIS_COST_OF_ROUNDS_H_

#include <cstddef>
#include <optional>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "stats/statistics.h"

namespace levelfield {

struct RoundsCost {
  double median = 0;
  std::optional<Interval> interval = {};  // That holds the median with 95 %.
};

// Of the phase with that place in the plan. Nothing: no round that ended well has it.
std::optional<RoundsCost> CostOfRounds(const Series& series, size_t phase, Ratio Cost::*cost);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COST_OF_ROUNDS_H_
