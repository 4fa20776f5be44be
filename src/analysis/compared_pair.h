// Compares two engines, or two variants of one, workload by workload. Pure.
#ifndef LEVELFIELD_ANALYSIS_COMPARED_PAIR_H_
#define LEVELFIELD_ANALYSIS_COMPARED_PAIR_H_

#include "analysis/comparison.h"
#include "analysis/series.h"
#include "analysis/yardstick.h"

namespace levelfield {

// Matches the phases of both by name, the n-th of a name with the n-th. Each verdict is what it
// would be alone. Without sessions, both ran in the same rounds.
Comparison CompareSeries(const Series& baseline, const Series& candidate, const Sessions* sessions,
                         const ComparisonRules& rules);

// Swaps baseline and candidate.
Comparison Inverse(Comparison comparison);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_COMPARED_PAIR_H_
