// The directory of one invocation's results: manifest.json, which is there before anything runs,
// and results.jsonl, to which each phase is added as it ends. A kill at any instant leaves both
// readable.
#ifndef LEVELFIELD_RUN_RESULT_DIRECTORY_H_
#define LEVELFIELD_RUN_RESULT_DIRECTORY_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/status.h"
#include "result/result.h"
#include "run/plan.h"

namespace levelfield {

class ResultDirectory {
 public:
  // Makes results/<time>-<name>. `command` and `engines` (descriptions) go into the manifest.
  static StatusOr<ResultDirectory> Create(const Settings& settings, const std::string& command,
                                          const std::vector<PlannedPhase>& phases,
                                          const nlohmann::ordered_json& engines,
                                          const std::string& store_path);

  const std::string& path() const { return path_; }

  Status AddPhase(size_t run, const std::string& engine, const PhaseResult& phase);
  Status AddPrice(const Price& price);
  Status AddRun(size_t run, const RunResult& result);

 private:
  ResultDirectory(std::string path, AppendOnlyFile lines)
      : path_(std::move(path)), lines_(std::move(lines)) {}

  Status Add(std::string_view type, size_t run, nlohmann::ordered_json body);

  std::string path_;
  AppendOnlyFile lines_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_RESULT_DIRECTORY_H_
