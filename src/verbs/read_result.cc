#include "verbs/read_result.h"

#include "analysis/validity.h"
#include "result/result_files.h"

namespace levelfield {

StatusOr<Result> ReadResultDirectory(const std::string& path) {
  StatusOr<Result> result = ReadResultFiles(path);
  if (!result.ok()) return result;
  for (RunResult& run : result->runs) {
    for (PhaseResult& phase : run.phases) {
      const bool is_void = VoidIfUnsound(phase);
      if (is_void && run.outcome == Outcome::kOk) run.outcome = Outcome::kInvalid;
    }
  }
  return result;
}

}  // namespace levelfield
