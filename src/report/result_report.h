// The report of a result, or of one of its variants: heading, a table for each family of workloads
// with engines as columns, costs, durability, then notes on the numbers. Pure.
#ifndef LEVELFIELD_REPORT_RESULT_REPORT_H_
#define LEVELFIELD_REPORT_RESULT_REPORT_H_

#include <string>
#include <vector>

#include "report/model.h"
#include "result/result.h"

namespace levelfield {

Report ResultReport(const Result& result);

// Content that no table has: rates against latencies if several rates were tried, and the engines'
// texts about themselves (stats, sstables).
void AddStepsAndTexts(const Result& result, Report& report);

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
