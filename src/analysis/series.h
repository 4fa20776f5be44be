// The repetitions of a result put together: for each engine what its rounds came to, phase by
// phase. Pure.
#ifndef LEVELFIELD_ANALYSIS_SERIES_H_
#define LEVELFIELD_ANALYSIS_SERIES_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

struct Series {
  // Everything of all rounds: histograms and counts added, the worst outcome. Of one round alone it
  // is that run.
  RunResult sum;
  std::vector<const RunResult*> rounds;  // In their order; they belong to the result.

  // Operations a second of the first role, round by round, of the phase with that place in the
  // plan; nothing for a round in which it is not ok.
  std::vector<std::optional<double>> Rates(size_t phase) const;
  // The same, each over the time that settling took besides; and that time.
  std::vector<std::optional<double>> ChargedRates(size_t phase) const;
  std::vector<std::optional<double>> SettleSeconds(size_t phase) const;
  // What a search for the highest rate that keeps an objective came to; 0 where it was kept at
  // none.
  std::vector<std::optional<double>> KeptRates(size_t phase) const;
  // That phase of the round whose rate is nearest to the median of them: what stands for all of
  // them and was really measured. Null where no round has a rate.
  const PhaseResult* MiddleRound(size_t phase) const;
};

// Operations a second of the first role; nothing for a phase that is not ok, or did nothing.
std::optional<double> RateOf(const PhaseResult& phase);

// The same over its time and what settling took after it; nothing where nothing was settled.
std::optional<double> ChargedRateOf(const PhaseResult& phase);

// One for each engine, and each of its variants, in the order in which they first ran. The result
// has to outlive them.
std::vector<Series> SeriesOf(const Result& result);

// The values that are there.
std::vector<double> Present(std::span<const std::optional<double>> values);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_SERIES_H_
