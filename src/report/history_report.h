// Histories for people: a table for each benchmark, with the changes between the results. Pure.
#ifndef LEVELFIELD_REPORT_HISTORY_REPORT_H_
#define LEVELFIELD_REPORT_HISTORY_REPORT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/model.h"
#include "result/result.h"
#include "stats/change_points.h"
#include "stats/statistics.h"

namespace levelfield {

// One benchmark over all results in the order in which they began, and the changes of its level.
// Results share a history only if everything is equal that decides a rate, except the versions of
// the engine and of Levelfield: the machine, the settings, the workload's file, the workloads
// before it on its store, the disk and the limits. Pure.

struct HistoryPoint {
  std::string started;      // The result's begin, in UTC.
  uint64_t started_ns = 0;  // The same, finer (Result).
  std::string version;      // The engine's version.
  std::string git;          // Commit of Levelfield's source.
  std::string library_sha256 = {};
  std::string name = {};       // --name.
  std::string directory = {};  // The result's. Empty: not known.
  bool is_disturbed = false;   // The machine was busy with other work.
  size_t rounds = 0;           // Rounds with a rate.
  double rate = 0;             // Operations a second, the geometric mean of the rounds.
  std::optional<Interval> interval = {};
  // As a multiple of the yardstick's rate. Absent: none ran beside it.
  std::optional<RateRatio> multiple = {};
  std::string failure = {};  // Why it has no rate.
  std::string cut_off = {};  // "3 of 30 rounds; cut off". Empty: the result is whole.
};

// A benchmark's identity: what its results must have in common.
struct HistoryKey {
  std::string fingerprint;
  std::string engine;    // Without its version, unless another one ran beside it.
  std::string workload;  // "readrandom". A second one in the same result is "readrandom (2)".
  std::map<std::string, std::string> settings;    // Settings that are not their defaults: "num".
  std::map<std::string, std::string> conditions;  // Everything else: "after", "block_model".

  auto operator<=>(const HistoryKey&) const = default;
};

// A benchmark's point in one result.
struct Measured {
  HistoryKey key;
  bool is_beside_stores = false;  // Of an engine that is no store, where it ran beside stores.
  std::string spec;               // "rocksdb@9.10"
  std::string machine;            // For people.
  HistoryPoint point;
};

struct History {
  HistoryKey key;
  std::string machine;
  std::vector<HistoryPoint> points;
  std::vector<ChangePoint> changes;  // Their indexes refer to `points`.
};

// `defaults` are those of settings. A setting that is its default, or is missing, makes no
// difference. Phases that did not run, or that an engine does not support, give no
// point.
std::vector<Measured> MeasuredIn(const Result& result,
                                 const std::map<std::string, std::string>& defaults);

// Ordered by machine, workload and engine. Points are ordered by time, and within a result by
// version.
std::vector<History> HistoriesOf(std::vector<Measured> measured, const ChangePointRules& rules);

// Whether a history whose last change is a slowdown is news. It is for this many results.
inline constexpr size_t kNewResults = 10;
bool IsSlowerOfLate(const History& history);

// Whether its rates are multiples of a yardstick's.
bool HasYardstick(const History& history);
// The rates, or with a yardstick the multiples of its rate, that the changes were found in. Nothing
// for a result without one.
std::vector<std::optional<double>> ValuesOf(const History& history);
// A row for each result, and one more where the level changes. `all`: what it stands beside.
Table HistoryTable(const History& history, const std::vector<History>& all);

// Those of two results or more; all if there are none, or with `has_single`.
std::vector<History> ShownOf(const std::vector<History>& all, bool has_single);

// A table for each of these, with a chart.
Report HistoryReport(const std::vector<History>& histories, const ChangePointRules& rules,
                     bool has_single);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HISTORY_REPORT_H_
