// The report of a result, or of one of its variants: heading, a table for each family of workloads
// with engines as columns, costs, durability, then notes on the numbers. Pure.
#ifndef LEVELFIELD_REPORT_RESULT_REPORT_H_
#define LEVELFIELD_REPORT_RESULT_REPORT_H_

#include <string>
#include <vector>

#include "analysis/findings/findings.h"
#include "analysis/series.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

Report ResultReport(const Result& result);

// What each workload cost each engine, per operation and per byte (analysis/cost.h), as medians
// over the rounds.

enum class CostDetail {
  kBrief,  // Processor time, bytes written per byte put, space: beside the tables of rates.
  kRest,   // Whatever kBrief leaves out.
  kAll,    // Every definition, and the reasons for missing numbers.
};

// Adds nothing if no phase has any cost. `sums` are the series' own, one run for each.
void AddCosts(const Result& sums, const std::vector<Series>& series, CostDetail detail,
              Report& report);
void AddCosts(const Result& result, CostDetail detail, Report& report);
// All costs of a result.
Report CostReport(const Result& result);

// The results of several variants side by side: for each workload a table with a row for each
// variant and a column for each engine. ResultReport of a part has the tables of one variant alone,
// with its notes. Adds nothing for a result without variants.
void AddVariants(const Result& result, Report& report);

// Content that no table has: rates against latencies if several rates were tried, and the engines'
// texts about themselves (stats, sstables).
void AddStepsAndTexts(const Findings& findings, Report& report);

// Where and how it was measured, for readers who doubt the figures or want to reproduce them.
void AddDetails(const Result& result, Report& report);

// Claims and observations about each engine's acknowledged writes, below the tables of figures: a
// table for each durability class written in, from the first workload of each engine that wrote in
// it. Pure.

// Only engines with an observation.
void AddDurabilityTables(const Result& result, Report& report);

// What the numbers do not say: deviations that the plug-ins declare, doubts about the store's
// place, reasons why commits were not audited.
std::vector<std::string> DurabilityNotes(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_RESULT_REPORT_H_
