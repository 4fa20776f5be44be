// The verbs `suite` and `benchmark.sh`: jobs of published experiments, each a run of its own, and
// report.tsv, to which each job adds its rows.
#ifndef LEVELFIELD_RUN_SUITE_H_
#define LEVELFIELD_RUN_SUITE_H_

#include "answer.h"

namespace levelfield {

Answer SuiteVerb(const Words& words);

// As RocksDB's script of this name: jobs, then flags; everything else from the environment.
Answer BenchmarkShVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_SUITE_H_
