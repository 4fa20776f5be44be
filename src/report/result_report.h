// The report of a result, or of one of its variants: heading, a table for each family of workloads
// with engines as columns, costs, durability, then what has to be said about the numbers. Pure.
#ifndef LEVELFIELD_REPORT_RESULT_REPORT_H_
#define LEVELFIELD_REPORT_RESULT_REPORT_H_

#include <string>
#include <vector>

#include "report/model.h"
#include "result/result.h"

namespace levelfield {

Report ResultReport(const Result& result);

// What no table has: rates against latencies where several rates were tried, and what the engines
// say of themselves (stats, sstables).
void AddStepsAndTexts(const Result& result, Report& report);

// Where and how it was measured, for whoever doubts the figures or wants them again.
void AddDetails(const Result& result, Report& report);

// What is claimed of each engine's acknowledged writes and what was seen of them, below the tables
// of figures: a table for each class of durability that was written in, by the first workload of
// each engine that wrote in it. Pure.

// Engines of which something was seen.
void AddDurabilityTables(const Result& result, Report& report);

// What a number does not say: deviations that the plug-ins declare, doubts about the store's place,
// why commits were not looked at.
std::vector<std::string> DurabilityNotes(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_RESULT_REPORT_H_
