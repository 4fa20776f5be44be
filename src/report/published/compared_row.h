// A published row beside our own, and whether the order of its engines is the same. Pure.
#ifndef LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_
#define LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/series.h"
#include "report/published/published.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

// Our own figure for a published one, looked up in the results of a suite's jobs by job, workload
// and engine. A missing figure is one too, with the reason. Pure.

// Identifies a workload of a job.
struct WorkloadOf {
  std::string job;
  std::string workload;
  uint64_t nth = 1;  // Among those with its name.
};

struct MeasuredFigure {
  const Result* result = nullptr;  // Null: the job has none.
  std::string why_not = {};        // Why there is no number. Empty: there is one.
  // Nobody ran it. Other figures are absent because the engine cannot do it.
  bool is_missing = false;
  bool is_unsupported = false;                    // The engine cannot do it.
  RunResult run = {};                             // A round of the engine, without its phases.
  PhaseResult phase = {};                         // The middle round's.
  std::vector<std::optional<double>> rates = {};  // Operations a second, round by round.
  double rate = 0;                                // Median of the rates.
  std::optional<Interval> interval = {};          // Interval of that median.
  size_t disturbed = 0;             // Rounds in which something else used the machine.
  double micros = 0;                // Time of a thread per operation, in the middle round.
  double mebibytes_per_second = 0;  // In the same round.

  bool Has() const { return why_not.empty(); }
};

// Results of jobs, with their rounds combined once. They have to outlive it.
class MeasuredFigures {
 public:
  explicit MeasuredFigures(const std::vector<Result>& results);

  // A result belongs to a job if it has its name, or the name with a point and more:
  // `readrandom.t1`.
  MeasuredFigure Find(const WorkloadOf& of, std::string_view engine) const;
  // The engines in results of that job, in their order, without baseline engines.
  std::vector<std::string> EnginesOf(const std::string& job) const;

 private:
  struct OfResult {
    const Result* result;
    std::vector<Series> series;
  };
  std::vector<OfResult> results_;
};

// Two figures as rates: candidate over baseline. Only rounds of the same result give an interval.
RateRatio CompareFigures(const MeasuredFigure& baseline, const MeasuredFigure& candidate,
                         double confidence);

// One engine of a row.
struct ComparedCell {
  std::string name;
  std::vector<std::optional<Quoted>> quoted = {};  // By unit. Empty: not published.
  std::optional<double> then = {};                 // Operations a second, published or derived.
  bool is_derived = false;                         // Derived from bytes.
  MeasuredFigure own;
  bool is_again = false;  // Published once more. Our figure is that of the previous column.

  // Whether both can be compared with others of the row.
  bool IsCompared() const { return then && own.Has() && !is_again; }
};

// The published engines in their order, then the other engines that ran.
std::vector<ComparedCell> CompareRow(const Published& published, const PublishedRow& row,
                                     const MeasuredFigures& figures);

// Who was first and by how much, then and now, and whether the order of the published engines has
// changed.
struct RowOrder {
  bool is_same = false;  // As published, and every pair is decided. It needs no text.
  std::string text;      // Empty: fewer than two engines can be compared.
};
RowOrder OrderOf(const std::vector<ComparedCell>& cells);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_
