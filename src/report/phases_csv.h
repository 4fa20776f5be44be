// Every workload of every round as a row of CSV, for spreadsheets and programs: what it came to,
// its latencies and what it cost. A field that is not known is empty. Pure.
#ifndef LEVELFIELD_REPORT_PHASES_CSV_H_
#define LEVELFIELD_REPORT_PHASES_CSV_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// The names of the columns, with their units, and a newline.
std::string PhasesHeader();

// A row for each phase that somebody asked for, in the order in which they ran.
std::string PhaseRows(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PHASES_CSV_H_
