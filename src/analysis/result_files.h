// The files of a result directory, read: manifest.json, results.jsonl, whose lines are those of
// result_json.h, details.jsonl.gz and intervals.jsonl. Reading checks everything: a result file is
// input that somebody else wrote. Any thread may call; nothing is changed.
#ifndef LEVELFIELD_ANALYSIS_RESULT_FILES_H_
#define LEVELFIELD_ANALYSIS_RESULT_FILES_H_

#include <functional>
#include <string>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// A run that has phases but no line of its own was cut off by a crash; it comes back as failed.
StatusOr<Result> ReadResultDirectory(const std::string& path);

// An interval, and the phase that it belongs to.
struct StoredInterval {
  uint64_t run = 0;
  uint64_t phase = 0;  // Of the run, from 0.
  std::string engine;
  std::string workload;
  PhaseInterval interval;
};

// Reads intervals.jsonl of a result directory, line by line in its order. There may be none.
// `*torn`: the last line was cut off by a crash, and is left out.
Status ForEachInterval(const std::string& directory, bool* torn,
                       const std::function<void(const StoredInterval&)>& take);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_RESULT_FILES_H_
