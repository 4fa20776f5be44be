// Which of the settings that a pilot tried is an engine's best, and which verdicts depend on it.
// Pure.
#ifndef LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_
#define LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "result/tried_setting.h"

namespace levelfield {

// Operations a second of that workload in the pilot, if it came to a figure.
std::optional<double> RateIn(const TriedSetting& tried, const std::string& workload);

// Marks one of each engine as chosen: that with the highest geometric mean of its rates over the
// workloads, if it is more than `margin` faster than `equal` and has a figure for each workload
// that `equal` has one for; else `equal`.
void ChooseBest(std::vector<TriedSetting>& tried, double margin);

// "turns with lmdb.writemap": a verdict that `winner` is `lead` times as fast as `loser` would be
// another one if the winner ran as `equal`, or the loser with something that was tried and not
// chosen, by the pilot's figures. Empty: it would not, or nothing was tried.
std::string TurnsWith(const std::vector<TriedSetting>& tried, const std::string& winner,
                      const std::string& loser, const std::string& workload, double lead,
                      double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_BEST_SETTINGS_H_
