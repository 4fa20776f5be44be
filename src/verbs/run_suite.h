// The verbs `suite` and `benchmark.sh`: jobs of published experiments, each a run of its own, and
// report.tsv, to which each job adds its rows.
#ifndef LEVELFIELD_VERBS_RUN_SUITE_H_
#define LEVELFIELD_VERBS_RUN_SUITE_H_

#include "verbs/answer.h"

namespace levelfield {

// With --preset all of its jobs, and the page of what was published beside what they came to.
Answer SuiteVerb(const Words& words);

// That page, of results of its jobs. Exit code 1 where one is missing.
Answer PublishedPageOf(const std::string& suite, const Words& directories);

// As RocksDB's script of this name: jobs, then flags; everything else from the environment.
Answer BenchmarkShVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_RUN_SUITE_H_
