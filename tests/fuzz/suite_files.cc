#include "settings/suite.h"
#include "targets.h"

namespace levelfield::fuzz {

void SuiteFiles(std::string_view bytes) {
  const StatusOr<Suite> suite = ParseSuite("fuzzed", bytes);
  if (!suite.ok()) return;
  (void)SuiteText(*suite);
  std::string jobs;
  for (const SuiteJob& job : suite->jobs) jobs += (jobs.empty() ? "" : ",") + job.name;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>(), std::vector<std::string>{"--num=10", "--engine=all"}}) {
    (void)PlanJobs(*suite, jobs, {}, words);
  }
  (void)MisspeltVariables(*suite, {}, {"NUM_KEY", "NUM_KEYS", "DB_DIR"});
}

}  // namespace levelfield::fuzz
