// `levelfield report --format=intervals` and `--format=hlog`: what intervals.jsonl of a result
// directory holds, as CSV or as HdrHistogram's files.
#ifndef LEVELFIELD_VERBS_OVER_TIME_FILES_H_
#define LEVELFIELD_VERBS_OVER_TIME_FILES_H_

#include <string>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// The rows, without their header.
StatusOr<std::string> IntervalRowsOf(const std::string& directory, const Result& result);

// Makes the directory `to`, which may not exist, with a .hlog and a .hgrm for each operation of
// each role of each workload, in an open loop two of each (of service times, and `-response`), and
// gives their names, a line each.
StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_OVER_TIME_FILES_H_
