// Every workload of every round as a row of CSV, for spreadsheets and programs: what it came to,
// its latencies and what it cost. A field that is not known is empty. The format's functions are
// declared with its row (settings/report_formats.h). Pure.
#ifndef LEVELFIELD_REPORT_CSV_H_
#define LEVELFIELD_REPORT_CSV_H_

#include <string>

#include "analysis/result_files.h"
#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// A field of CSV, as RFC 4180 has it.
std::string CsvField(const std::string& name);

// The intervals of a result as CSV, a row for each operation of each role in each of them. Pure.

// The rows of one interval. `result` is what it is of: it knows the round.
std::string IntervalRows(const Result& result, const StoredInterval& stored);

// What is wrong with a result directory that has none.
Status NoIntervals(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CSV_H_
