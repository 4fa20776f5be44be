// Reads the files of a result directory: manifest.json, results.jsonl (its lines are those of
// result_json.h), details.jsonl.gz and intervals.jsonl. Reading checks everything, because somebody
// else wrote the files. Any thread may call. Changes nothing.
#ifndef LEVELFIELD_RESULT_RESULT_FILES_H_
#define LEVELFIELD_RESULT_RESULT_FILES_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// Its manifest.json, an object whose checksum fits.
StatusOr<nlohmann::ordered_json> ReadManifest(const std::string& path);

// As its files have it. A run that has phases but no line of its own was cut off by a crash. It is
// returned as interrupted.
StatusOr<Result> ReadResultFiles(const std::string& path);

// An interval, and the phase that it belongs to.
struct StoredInterval {
  uint64_t run = 0;
  uint64_t round = 1;
  uint64_t phase = 0;  // Index within the run, from 0.
  std::string engine;
  std::string workload;
  PhaseInterval interval;
};

// Reads intervals.jsonl of a result directory line by line, if it exists. `*torn`: the last line
// was cut off by a crash, and is left out.
Status ForEachInterval(const std::string& directory, bool* torn,
                       const std::function<void(const StoredInterval&)>& take);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_FILES_H_
