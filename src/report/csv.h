// Every workload of every round as a row of CSV, for spreadsheets and programs: what it came to,
// its latencies and what it cost. A field that is not known is empty. The format's functions are
// declared with its row (settings/report_formats.h). Pure.
#ifndef LEVELFIELD_REPORT_CSV_H_
#define LEVELFIELD_REPORT_CSV_H_

#include <string>

namespace levelfield {

// A field of CSV, as RFC 4180 has it.
std::string CsvField(const std::string& name);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CSV_H_
