// Every workload of every round as a row of CSV, for spreadsheets and programs: its outcome,
// latencies and costs. An unknown field is empty. The format's functions are declared with its row
// (settings/report_formats.h). Pure.
#ifndef LEVELFIELD_REPORT_CSV_H_
#define LEVELFIELD_REPORT_CSV_H_

#include <string>

#include "base/status.h"
#include "result/result.h"
#include "result/result_files.h"

namespace levelfield {

// The intervals of a result as CSV, a row for each operation of each role in each interval. Pure.

// The rows of one interval. `result`, to which it belongs, has the round.
std::string IntervalRows(const StoredInterval& stored);

// The error for a result directory without intervals.
Status NoIntervals(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CSV_H_
