// From the jobs of a suite to runs, as words behind `levelfield run`: variables have their values,
// flags that were given win over the suite's, and options reach the engines that they are of. Pure;
// any thread.
#ifndef LEVELFIELD_SETTINGS_JOB_PLANNER_H_
#define LEVELFIELD_SETTINGS_JOB_PLANNER_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "settings/suite.h"

namespace levelfield {

// One run of a job, in words behind `levelfield run`.
struct JobRun {
  std::string job;
  std::string test;
  std::string row;
  std::vector<std::string> words;
  std::vector<std::string> left_out;
  // Engines that were asked for and are not in the words, as they cannot do the job, and why.
  std::vector<std::string> without = {};
  std::string without_why = {};
  bool has_engines = true;  // False: none is left, and there is nothing to run.
  bool is_kept =
      true;  // Its store is there for other jobs, or was: it is in a directory of its own.
};

// The runs of `jobs` ("bulkload,readrandom"), in order. `values` are variables with other values
// than their defaults; `words` are flags of `levelfield run`, which win over the suite's.
StatusOr<std::vector<JobRun>> PlanJobs(const Suite& suite, const std::string& jobs,
                                       const SuiteVariables& values,
                                       const std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_JOB_PLANNER_H_
