// The intervals of a result as CSV, a row for each operation of each role in each of them. Pure.
#ifndef LEVELFIELD_REPORT_INTERVALS_CSV_H_
#define LEVELFIELD_REPORT_INTERVALS_CSV_H_

#include <string>

#include "analysis/result_files.h"
#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// The rows of one interval. `result` is what it is of: it knows the round.
std::string IntervalRows(const Result& result, const StoredInterval& stored);

// What is wrong with a result directory that has none.
Status NoIntervals(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_INTERVALS_CSV_H_
