// Histories as a person reads them: a table for each benchmark, in which the changes stand between
// the results. Pure.
#ifndef LEVELFIELD_REPORT_HISTORY_REPORT_H_
#define LEVELFIELD_REPORT_HISTORY_REPORT_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/model.h"
#include "result/result.h"
#include "stats/change_points.h"
#include "stats/statistics.h"

namespace levelfield {

// One benchmark over the results that there are: what each came to, in the order in which they
// began, and where its level changed. Results are of one history only where all is the same that
// decides what a rate is, but for the versions of the engine and of Levelfield: the machine, the
// settings, the workload's file, the workloads before it on its store, the disk and the limits.
// Pure.

struct HistoryPoint {
  std::string started;  // Of the result; UTC.
  std::string version;  // Of the engine.
  std::string git;      // Of Levelfield's source.
  size_t rounds = 0;    // That have a rate.
  double median = 0;    // Operations a second.
  std::optional<Interval> interval = {};
  std::optional<RateRatio> multiple = {};  // Of the yardstick's rate; absent: none ran beside it.
  std::string failure = {};                // Why it has no rate.
  std::string cut_off = {};                // "3 of 30 rounds; cut off"; empty: the result is whole.
};

// A benchmark's name: what its results have to have in common.
struct HistoryKey {
  std::string fingerprint;
  std::string engine;    // Without its version, unless another one ran beside it.
  std::string workload;  // "readrandom"; the second of one result: "readrandom (2)".
  std::map<std::string, std::string> settings;    // That are not their defaults: "num".
  std::map<std::string, std::string> conditions;  // All else: "after", "block_model".

  auto operator<=>(const HistoryKey&) const = default;
};

// What one result says of one benchmark.
struct Measured {
  HistoryKey key;
  std::string spec;     // "rocksdb@9.10"
  std::string machine;  // For people.
  HistoryPoint point;
};

struct History {
  HistoryKey key;
  std::string machine;
  std::vector<HistoryPoint> points;
  std::vector<ChangePoint> changes;  // Their indexes are of `points`.
};

// `defaults`: of settings; a setting that is its default, or is not in an older result, makes no
// difference. Phases that were not run, or that an engine does not support, say nothing.
std::vector<Measured> MeasuredIn(const Result& result,
                                 const std::map<std::string, std::string>& defaults);

// Ordered by machine, workload and engine; each one's points by time, and of one result by version.
std::vector<History> HistoriesOf(std::vector<Measured> measured, const ChangePointRules& rules);

// Of a benchmark whose last change is a slowdown: whether that is news. It is for so many results.
inline constexpr size_t kNewResults = 10;
bool IsSlowerOfLate(const History& history);

Report HistoryReport(const std::vector<History>& histories, const ChangePointRules& rules);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HISTORY_REPORT_H_
