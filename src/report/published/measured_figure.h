// Our own figure for one that was published: found in results of the jobs of a suite, by job,
// workload and engine. What is not there is a figure too, with the reason. Pure.
#ifndef LEVELFIELD_REPORT_PUBLISHED_MEASURED_FIGURE_H_
#define LEVELFIELD_REPORT_PUBLISHED_MEASURED_FIGURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/series.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

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
  // The engines of results of that job, in their order, without floors.
  std::vector<std::string> EnginesOf(const std::string& job) const;

 private:
  struct OfResult {
    const Result* result;
    std::vector<Series> series;
  };
  std::vector<OfResult> results_;
};

// Two figures as rates: candidate over baseline. In pairs where both are of the same result.
RateRatio CompareFigures(const MeasuredFigure& baseline, const MeasuredFigure& candidate,
                         double confidence);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_MEASURED_FIGURE_H_
