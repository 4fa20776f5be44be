// `levelfield report --format=hlog`: what intervals.jsonl of a result directory holds, as
// HdrHistogram's files. The format's function is declared with its row.
#ifndef LEVELFIELD_VERBS_HDR_LOG_FILES_H_
#define LEVELFIELD_VERBS_HDR_LOG_FILES_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// Makes the directory `to`, which may not exist, with a .hlog and a .hgrm for each operation of
// each role of each workload, in an open loop two of each (of service times, and `-response`), and
// gives their names, a line each.
StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_HDR_LOG_FILES_H_
