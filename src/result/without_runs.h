// A result's own words without its runs, which are most of its bytes. Pure.
#ifndef LEVELFIELD_RESULT_WITHOUT_RUNS_H_
#define LEVELFIELD_RESULT_WITHOUT_RUNS_H_

#include "result/result.h"

namespace levelfield {

// A new member of Result is a mistake here that the compiler finds.
inline Result WithoutRuns(const Result& result) {
  const auto& [name, started, command, version, git, cpu, cpu_cache, fingerprint, kernel,
               conditions, workload_texts, settings, warnings, runs, prices, completion] = result;
  return {name,   started,    command,        version,  git,      cpu, cpu_cache, fingerprint,
          kernel, conditions, workload_texts, settings, warnings, {},  prices,    completion};
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_WITHOUT_RUNS_H_
