// Which of the settings that a pilot tried is best for an engine, and which verdicts depend on that
// choice. Pure.
#ifndef LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_
#define LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// Operations a second of that workload in the pilot, if it gave a figure.
std::optional<double> RateIn(const TriedSetting& tried, const std::string& workload);

// How many times as fast as the engine's `equal`: the geometric mean over the workloads. 0: one of
// them has no figure.
double TimesEqual(const std::vector<TriedSetting>& all, const TriedSetting& tried);

// Marks one setting of each engine as chosen: the one with the highest geometric mean of its rates
// over the workloads, if it is more than `margin` faster than `equal` and has a figure for each
// workload that `equal` has one for. Otherwise `equal` is chosen.
void ChooseBest(std::vector<TriedSetting>& tried, double margin);

// "turns with lmdb.writemap": by the pilot's figures, the verdict that `winner` is `lead` times as
// fast as `loser` would change if the winner ran as `equal`, or the loser with a tried setting that
// was not chosen. Empty: it would not change, or nothing was tried.
std::string TurnsWith(const std::vector<TriedSetting>& tried, const std::string& winner,
                      const std::string& loser, const std::string& workload, double lead,
                      double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_
