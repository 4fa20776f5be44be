// Turns what the threads of a phase did into its result: adds it up, replays the reading roles, and
// says whether every answer was right.
#ifndef LEVELFIELD_WORKER_VERIFIER_H_
#define LEVELFIELD_WORKER_VERIFIER_H_

#include "plan/messages.h"
#include "result/result.h"
#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// By role, in the order of the workload.
std::vector<RoleResult> Summarize(const Workload& workload, const PhaseRun& run, bool timed);

inline constexpr const char* kNoAnswers = "the engine keeps nothing, so its answers mean nothing";

// Checks the answers in the way that suits the phase and its store.
void VerifyPhase(RunningPhase& now, const PhaseRun& run);

// Fills `checked`, `check_detail` and, if an answer was wrong, `outcome` and `message`. `before` is
// what the store held when the phase began. The verification of the store checks what writers
// wrote.
void VerifyAnswers(const Workload& workload, const PhaseRun& run, const ExpectedState& before,
                   const StoredValues& values, bool keeps_answers, PhaseResult& result);

// The same for a store from before the run. Its contents are unknown, so hits and misses are only
// counted; if `knows_values`, each value was checked in the loop. Removes counts of wrong answers
// that say nothing. If the store is known to have been left with so many `entries` (0: not known),
// those of the first keys, two more things are wrong: a get of one of them that finds nothing, and
// a scan that ends with another number. In a store that was cut off, entries found are only
// counted.
void VerifyExisting(const Workload& workload, const PhaseRun& run, const StoreOrigin& origin,
                    uint64_t entries, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_VERIFIER_H_
