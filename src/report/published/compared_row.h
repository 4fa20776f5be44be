// A published row beside ours, and what became of the order of its engines. Pure.
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

// Our own figure for one that was published: found in results of the jobs of a suite, by job,
// workload and engine. What is not there is a figure too, with the reason. Pure.

// Which of a job's workloads.
struct WorkloadOf {
  std::string job;
  std::string workload;
  uint64_t nth = 1;  // Of those with its name.
};

struct MeasuredFigure {
  const Result* result = nullptr;  // Null: there is none of the job.
  std::string why_not = {};        // Why there is no number; empty: there is one.
  bool is_missing = false;         // Nobody ran it, as opposed to what the engine cannot do.
  RunResult run = {};              // A round of the engine, without its phases.
  PhaseResult phase = {};          // Of the middle round.
  std::vector<std::optional<double>> rates = {};  // Operations a second, round by round.
  double rate = 0;                                // Their median,
  std::optional<Interval> interval = {};          // and between which bounds it lies.
  size_t disturbed = 0;                           // Rounds in which the machine did something else.
  double micros = 0;                              // Of a thread for an operation, middle round.
  double mebibytes_per_second = 0;                // The same round.

  bool Has() const { return why_not.empty(); }
};

// Results of jobs, with their rounds put together once. They have to outlive it.
class MeasuredFigures {
 public:
  explicit MeasuredFigures(const std::vector<Result>& results);

  // A result is of a job if it has its name, or begins with it and a point: `readrandom.t1`.
  MeasuredFigure Find(const WorkloadOf& of, std::string_view engine) const;
  // The engines of results of that job, in their order, without baseline engines.
  std::vector<std::string> EnginesOf(const std::string& job) const;

 private:
  struct OfResult {
    const Result* result;
    std::vector<Series> series;
  };
  std::vector<OfResult> results_;
};

// Two figures as rates: candidate over baseline. Only rounds of the same result have an interval.
RateRatio CompareFigures(const MeasuredFigure& baseline, const MeasuredFigure& candidate,
                         double confidence);

// One engine of a row.
struct ComparedCell {
  std::string name;
  std::vector<std::optional<Quoted>> quoted = {};  // By unit; empty: not published.
  std::optional<double> then = {};  // Operations a second, as published or as follows,
  bool is_derived = false;          // from bytes.
  MeasuredFigure own;
  bool is_again = false;  // Published once more; ours is that of the column before.

  // Whether both can be held against others of the row.
  bool IsCompared() const { return then && own.Has() && !is_again; }
};

// Those that were published in their order, then the other engines that were run.
std::vector<ComparedCell> CompareRow(const Published& published, const PublishedRow& row,
                                     const MeasuredFigures& figures);

// Who was first and by how much, then and now, and whether the order of those that were published
// is another.
struct RowOrder {
  bool is_same = false;  // As published, and every pair is decided. It needs no text.
  std::string text;      // Empty: fewer than two engines can be compared.
};
RowOrder OrderOf(const std::vector<ComparedCell>& cells);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_COMPARED_ROW_H_
