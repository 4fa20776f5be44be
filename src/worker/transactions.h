// What the counters of a role's transactions must be: what they were before, grown by each
// transaction that was acknowledged. Additions come to the same in whatever order they were made,
// so every counter is known exactly, however many threads there were; the verification of the store
// then compares them all. On the worker's main thread, before and after the phase.
#ifndef LEVELFIELD_WORKER_TRANSACTIONS_H_
#define LEVELFIELD_WORKER_TRANSACTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "result/result.h"
#include "worker/phase.h"
#include "workload/expected_state.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// By key index, 0 where there is no key.
using Counters32 = std::vector<uint32_t>;

// From the model, and where that does not know from the store itself. kUsage: what is in the store
// holds no counters.
StatusOr<Counters32> CountersBefore(const Role& role, const ExpectedState& model,
                                    bool store_existed, const ValueSource& values,
                                    const KeyShape& shape, Session& session,
                                    const lf_engine& table);

struct CountersAfter {
  Counters32 counters;  // Of the keys that were written; 0 of the others.
  uint64_t committed = 0;
  uint64_t conflicts = 0;
  std::vector<uint64_t> grown;  // By how much the counters of each set together.
};
CountersAfter Grow(const Role& role, const RoleRun& run, const Counters32& before);

// Whether all sets have grown alike, and what is to be said of it.
void JudgeTransactions(const Role& role, const CountersAfter& after, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_TRANSACTIONS_H_
