// What voids the number of a phase: all reasons, in one place. A reason follows from the phase's
// result alone, so that a report made from the files has the same. Pure. Any thread may call.
#ifndef LEVELFIELD_ANALYSIS_VALIDITY_H_
#define LEVELFIELD_ANALYSIS_VALIDITY_H_

#include <string>

#include "result/result.h"

namespace levelfield {

// The first reason, in this order: what its worker knows against it (`void_because`); fewer flushes
// than its level claims; a clock that ran away; an open loop that did nothing, or did not keep its
// rate; numbers that contradict each other; a cold cache that was not cold. Empty: the number
// counts.
std::string WhyVoid(const PhaseResult& phase);

// Makes a phase that is kOk kInvalid, with that reason as its message, if there is one, and says
// whether it did. Call it where the phase is complete.
bool VoidIfUnsound(PhaseResult& phase);

// The store of a run's acts is read back behind the last of them. Where it was wrong then, no act
// counts; where it was not read, the acts that wrote are not checked. Call it for a run that was
// read from files.
void JudgeActs(RunResult& run);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_VALIDITY_H_
