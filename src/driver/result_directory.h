// The directory of one invocation's results: manifest.json, which exists before anything runs;
// results.jsonl and details.jsonl.gz, to which each phase is added when it ends; and
// intervals.jsonl with the intervals of the phases, if there are any. After a kill at any instant
// all of it is readable. It is <results>/<time, UTC>-<name>, or with -2, -3, ... behind it if that
// exists.
#ifndef LEVELFIELD_DRIVER_RESULT_DIRECTORY_H_
#define LEVELFIELD_DRIVER_RESULT_DIRECTORY_H_

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/status.h"
#include "plan/plan.h"
#include "result/result.h"
#include "result/time_series.h"

namespace levelfield {

// The phase that an interval belongs to.
struct IntervalPlace {
  uint64_t round = 1;
  size_t phase = 0;
  std::string workload;
};

// A manifest's description of the plan. The directory adds the time, the program and the machine.
struct Undertaking {
  std::string name;
  std::string command;  // As typed.
  nlohmann::ordered_json planned;
  nlohmann::ordered_json settings;
  nlohmann::ordered_json given;  // Names of flags.
  nlohmann::ordered_json workloads;
  std::vector<std::pair<std::string, double>> noise = {};  // Result::noise.
  nlohmann::ordered_json engines;                          // Descriptions.
  // Of a merged result, in place of this machine: where its parts ran.
  nlohmann::ordered_json machines = nlohmann::ordered_json::array();
};

class ResultDirectory {
 public:
  // Makes <results>/<time>-<name>. The machine is described at the store's place: at `store_path`,
  // or in the directory itself.
  static StatusOr<ResultDirectory> Create(const std::string& results, Undertaking undertaking,
                                          const std::string& store_path = "");
  // The same for runs of engines, with the number of planned rounds.
  static StatusOr<ResultDirectory> Create(
      const Settings& settings, const std::string& command, const std::vector<PlannedPhase>& phases,
      const nlohmann::ordered_json& engines, const std::string& store_path, uint64_t runs_of_round,
      const std::vector<std::pair<std::string, double>>& noise = {});

  const std::string& path() const { return path_; }

  // Reserves space for the lines of so many coming phases of the run, for its own and for the end,
  // so that none is lost if others fill the disk. Several runs may be under way.
  Status MakeRoom(size_t run, size_t phases);
  // Adds to intervals.jsonl, which is on the disk after SyncIntervals.
  Status AddInterval(size_t run, const std::string& engine, const IntervalPlace& phase,
                     const PhaseInterval& interval);
  Status SyncIntervals();
  // After kOk the phase is on the disk. After an error nothing of it is.
  Status AddPhase(size_t run, const RunResult& of, const PhaseResult& phase);
  Status AddOverhead(const Overhead& overhead);
  Status AddTried(const TriedSetting& tried);
  Status AddRun(size_t run, const RunResult& result);
  // The last line: the run was not cut off, or why it was.
  Status AddEnd(Completion::End end, const std::string& message);

 private:
  ResultDirectory(std::string path, AppendOnlyFile lines, AppendOnlyFile details)
      : path_(std::move(path)), lines_(std::move(lines)), details_(std::move(details)) {}

  Status Add(std::string_view type, size_t run, nlohmann::ordered_json body);
  Status AddDetailsOf(size_t run, size_t phase, nlohmann::ordered_json details);

  std::string path_;
  AppendOnlyFile lines_;
  AppendOnlyFile details_;
  uint64_t longest_line_ = 0;
  std::map<size_t, size_t> coming_;          // Phases to come of each run under way.
  std::vector<size_t> phases_;               // The number of phases of each run so far.
  std::optional<AppendOnlyFile> intervals_;  // From the first interval on.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RESULT_DIRECTORY_H_
