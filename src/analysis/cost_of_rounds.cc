#include "analysis/cost_of_rounds.h"

#include <vector>

namespace levelfield {

std::optional<RoundsCost> CostOfRounds(const Series& series, size_t phase, Ratio Cost::*cost) {
  std::vector<double> values;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const round = PhaseAt(*run, phase);
    if (round == nullptr || round->outcome != Outcome::kOk || round->roles.empty()) continue;
    if (const Ratio ratio = CostOf(*round).*cost; ratio.value) values.push_back(*ratio.value);
  }
  if (values.empty()) return std::nullopt;
  return RoundsCost{Median(values), MedianInterval(values)};
}

}  // namespace levelfield
