// Whether the numbers of a result can all be true at once. Compares numbers that were obtained in
// different ways. A broken counter, a torn merge of threads or an edited file then voids the phase
// instead of being printed. Pure; any thread.
#ifndef LEVELFIELD_ANALYSIS_CONSISTENCY_H_
#define LEVELFIELD_ANALYSIS_CONSISTENCY_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// The first contradiction, with both its numbers; empty: there is none. Members that a result of an
// older version lacks are not missed.
std::string ContradictionIn(const PhaseResult& phase);

// Makes a phase kInvalid where what was seen of its commits is less than what is claimed
// (analysis/durability.h), and says whether it did. One that is kInvalid already has that for its
// reason then.
bool VoidIfNotDurable(PhaseResult& phase);
// Makes a phase that is kOk kInvalid for that, or where it contradicts itself.
bool VoidIfInconsistent(PhaseResult& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_CONSISTENCY_H_
