// The directory of one invocation's results: manifest.json, which is there before anything runs,
// results.jsonl, to which each phase is added as it ends, and intervals.jsonl with the intervals of
// the phases, where there are any. A kill at any instant leaves all readable.
#ifndef LEVELFIELD_RUN_RESULT_DIRECTORY_H_
#define LEVELFIELD_RUN_RESULT_DIRECTORY_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/status.h"
#include "result/result.h"
#include "result/time_series.h"
#include "run/plan.h"

namespace levelfield {

// Which phase of its run an interval is of.
struct IntervalPlace {
  size_t phase = 0;
  std::string workload;
};

class ResultDirectory {
 public:
  // Makes results/<time>-<name>. `command` and `engines` (descriptions) go into the manifest.
  static StatusOr<ResultDirectory> Create(const Settings& settings, const std::string& command,
                                          const std::vector<PlannedPhase>& phases,
                                          const nlohmann::ordered_json& engines,
                                          const std::string& store_path);

  const std::string& path() const { return path_; }

  // Into intervals.jsonl, which is on the disk when the phase itself has been added.
  Status AddInterval(size_t run, const std::string& engine, const IntervalPlace& phase,
                     const PhaseInterval& interval);
  Status AddPhase(size_t run, const std::string& engine, const Variant& variant,
                  const PhaseResult& phase);
  Status AddPrice(const Price& price);
  Status AddRun(size_t run, const RunResult& result);

 private:
  ResultDirectory(std::string path, AppendOnlyFile lines)
      : path_(std::move(path)), lines_(std::move(lines)) {}

  Status Add(std::string_view type, size_t run, nlohmann::ordered_json body);

  std::string path_;
  AppendOnlyFile lines_;
  std::optional<AppendOnlyFile> intervals_;  // From the first one on.
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_RESULT_DIRECTORY_H_
