// What no single line of a workload file can show to be wrong; and what follows from several of
// them. Pure; an error names the line to blame.
#ifndef LEVELFIELD_WORKLOAD_FILE_ROLE_CHECKS_H_
#define LEVELFIELD_WORKLOAD_FILE_ROLE_CHECKS_H_

#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"

namespace levelfield {

// After the last line.
Status FinishWorkload(ParsedWorkload& parsed, const FileNumbers& numbers);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_ROLE_CHECKS_H_
