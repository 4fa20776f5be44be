// Jobs of a suite, one after another, and report.tsv, in which each of them has a row for each
// engine: of figures, or of `-` where it was not run, with the reason in report_notes.tsv.
// On the program's main thread.
#ifndef LEVELFIELD_VERBS_RUN_JOBS_H_
#define LEVELFIELD_VERBS_RUN_JOBS_H_

#include <string>
#include <vector>

#include "settings/suite.h"
#include "verbs/answer.h"

namespace levelfield {

// What jobs came to, and the directories of their results.
struct JobsDone {
  Answer answer;
  std::vector<std::string> directories = {};
};

// The first job that fails ends the list. All are looked through before the first begins. `typed`
// is for the results; `hint` goes behind the reason why a job cannot be done.
JobsDone RunJobs(std::vector<JobRun> runs, const std::string& typed, const std::string& hint = "");

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_RUN_JOBS_H_
