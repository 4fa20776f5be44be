// From what the threads of a phase did to its result: adds them up, replays the reading roles, and
// says whether every answer was right.
#ifndef LEVELFIELD_WORKER_VERIFIER_H_
#define LEVELFIELD_WORKER_VERIFIER_H_

#include "plan/messages.h"
#include "result/result.h"
#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// Role by role, as the workload has them.
std::vector<RoleResult> Summarize(const Workload& workload, const PhaseRun& run, bool timed);

inline constexpr const char* kNoAnswers = "the engine keeps nothing, so its answers mean nothing";

// Checks the answers in the way that the phase and its store ask for.
void VerifyPhase(RunningPhase& now, const PhaseRun& run);

// Fills `checked`, `check_detail` and, where an answer was wrong, `outcome` and `message`. `before`
// is what the store held when the phase began. What writers wrote is for the verification to check.
void VerifyAnswers(const Workload& workload, const PhaseRun& run, const ExpectedState& before,
                   const StoredValues& values, bool keeps_answers, PhaseResult& result);

// The same for a store that was there before the run. What it held is not known, so hits and misses
// are counted; where `knows_values`, each value was checked in the loop. Takes back the counts of
// wrong answers that say nothing. Where it is known that the store was left with so many `entries`,
// those of the first keys, a get of one of them that finds nothing is wrong, and so is a scan that
// comes to the end with another number; 0: not known. What is found in one that was cut off is only
// counted.
void VerifyExisting(const Workload& workload, const PhaseRun& run, const StoreOrigin& origin,
                    uint64_t entries, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_VERIFIER_H_
