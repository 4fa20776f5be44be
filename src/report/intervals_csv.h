// The intervals of a result as CSV, a row for each operation of each role in each of them. Pure.
#ifndef LEVELFIELD_REPORT_INTERVALS_CSV_H_
#define LEVELFIELD_REPORT_INTERVALS_CSV_H_

#include <string>

#include "result/result.h"
#include "result/time_series_json.h"

namespace levelfield {

// The names of the columns, with their units; one line.
std::string IntervalsHeader();

// The rows of one interval. `result` is what it is of: it knows the round.
std::string IntervalRows(const Result& result, const StoredInterval& stored);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_INTERVALS_CSV_H_
