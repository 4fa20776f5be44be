// Reads what a run left, for verbs.
#ifndef LEVELFIELD_VERBS_READ_RESULT_H_
#define LEVELFIELD_VERBS_READ_RESULT_H_

#include <string>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// What the files of a result directory have (result/result_files.h). A phase whose numbers are
// unsound counts for nothing, whoever wrote them (analysis/validity.h).
StatusOr<Result> ReadResultDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_READ_RESULT_H_
