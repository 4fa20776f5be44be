// What the rows of all comparisons of one report have in common: rows that the machine disturbed,
// that stalled, that nothing can be said of. Pure.
#ifndef LEVELFIELD_ANALYSIS_FINDINGS_OF_COMPARISONS_H_
#define LEVELFIELD_ANALYSIS_FINDINGS_OF_COMPARISONS_H_

#include <vector>

#include "analysis/comparison.h"
#include "analysis/findings/remark.h"

namespace levelfield {

// Of the rows that compare anything.
std::vector<Remark> RemarksOnRows(const std::vector<Comparison>& comparisons);

// Each once: the warnings that an engine's build has.
std::vector<Remark> BuildsIn(const std::vector<Comparison>& comparisons);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FINDINGS_OF_COMPARISONS_H_
