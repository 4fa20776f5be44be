// Why a workload became slower or faster from one result to a later one, as far as their figures
// tell: whether an operation takes more processor time or waits longer, which of its costs and
// latencies moved with the rate and which did not, and what `diagnose` finds in one of the two
// alone. Pure.
#ifndef LEVELFIELD_ANALYSIS_LEVEL_CHANGE_H_
#define LEVELFIELD_ANALYSIS_LEVEL_CHANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/diagnosis.h"
#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// A figure of both results: medians of the rounds.
struct FigureOfBoth {
  const char* name = "";  // "written/put: device"
  double before = 0;
  double after = 0;
  std::string (*text)(double value) = nullptr;
};

// What a thread needs for an operation, in microseconds. The processor time is that of all of the
// engine's threads.
struct TimeOfOperation {
  double before = 0;
  double after = 0;
  double cpu_before = 0;
  double cpu_after = 0;

  // The share of the difference that is processor time.
  double ShareOfCpu() const { return (cpu_after - cpu_before) / (after - before); }
};

struct LevelChange {
  std::string engine = {};
  ComparedWorkload compared = {};
  std::optional<TimeOfOperation> time = {};  // Of a closed loop.
  std::vector<FigureOfBoth> moved = {};
  std::vector<FigureOfBoth> as_before = {};
  bool has_few_rounds = false;  // Too few to tell of some figures whether they moved.
};

struct LevelChanges {
  std::vector<Comparison> comparisons = {};  // With what else differs.
  // With a verdict of slower or faster; by 5 % or more if no yardstick gives any.
  std::vector<LevelChange> changed = {};
  std::vector<std::string> others = {};  // "leveldb, readrandom"
  std::vector<Finding> appeared = {};    // Found in the later result alone,
  std::vector<Finding> gone = {};        // and in the earlier one alone.
};

// Of results without variants. An error if they have nothing in common to compare.
StatusOr<LevelChanges> ChangesBetween(const Result& before, const EngineOptions& options_before,
                                      const Result& after, const EngineOptions& options_after,
                                      double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_LEVEL_CHANGE_H_
