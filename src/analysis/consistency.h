// Whether the numbers of a result can all be true at once. Compares numbers that were obtained in
// different ways. A broken counter, a wrong merge of threads or an edited file then voids the phase
// instead of being printed (validity.h). Pure. Any thread may call.
#ifndef LEVELFIELD_ANALYSIS_CONSISTENCY_H_
#define LEVELFIELD_ANALYSIS_CONSISTENCY_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// The first contradiction, with both its numbers. Empty: there is none. The details may be
// missing.
std::string ContradictionIn(const PhaseResult& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CONSISTENCY_H_
