// The files of a result directory, read: manifest.json and results.jsonl, whose lines are those of
// result_json.h. Reading checks everything: a result file is input that somebody else wrote. Any
// thread may call; nothing is changed.
#ifndef LEVELFIELD_ANALYSIS_RESULT_FILES_H_
#define LEVELFIELD_ANALYSIS_RESULT_FILES_H_

#include <string>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// A run that has phases but no line of its own was cut off by a crash; it comes back as failed.
StatusOr<Result> ReadResultDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_RESULT_FILES_H_
