// The report of a result, or of one of its variants: heading, a table for each family of workloads
// with engines as columns, costs, durability, then what has to be said about the numbers. Pure.
#ifndef LEVELFIELD_REPORT_RESULT_REPORT_H_
#define LEVELFIELD_REPORT_RESULT_REPORT_H_

#include "report/model.h"

namespace levelfield {

Report ResultReport(const Result& result);

// Where and how it was measured, for whoever doubts the figures or wants them again.
void AddDetails(const Result& result, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_RESULT_REPORT_H_
