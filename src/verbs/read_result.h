// Reads what a run left, for verbs.
#ifndef LEVELFIELD_VERBS_READ_RESULT_H_
#define LEVELFIELD_VERBS_READ_RESULT_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// What the files of a result directory have (result/result_files.h). A phase whose numbers are
// unsound counts for nothing, whoever wrote them (analysis/validity.h).
StatusOr<Result> ReadResultDirectory(const std::string& path);

// The result directories in a directory, in the order in which they began.
std::vector<std::string> ResultsIn(const std::string& root);

// The name of what `choose` asks besides: its answer is in the result before.
inline constexpr const char* kWhatIfName = "choose-what-if";

// The path of a result directory as typed. `latest` is the newest one in `results/` that answers
// what somebody has asked, `latest~1` the one before it, unless there is something of that name. A
// usage error if there are not so many.
StatusOr<std::string> ResultPath(const std::string& typed);
// Of all of them.
Status FindResults(std::vector<std::string>& typed);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_READ_RESULT_H_
