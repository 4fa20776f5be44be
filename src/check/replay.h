// What a thread's answers should have been: the same key stream again, outside the timing, against
// the model instead of the engine. Reads only. What writers did meanwhile cannot be replayed (those
// reads are checked in the loop).
#ifndef LEVELFIELD_CHECK_REPLAY_H_
#define LEVELFIELD_CHECK_REPLAY_H_

#include "loop/operation_counts.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// The counts of `operations` gets, seeks or scan steps with these keys on a store in this state. A
// scan ends by itself, so `operations` is its limit. `unknown_versions` counts the hits with an
// unknown version; if there are any, the digest is unknown. `unknown_sizes` counts those with an
// unknown size as well; then the bytes are unknown.
OperationCounts Replay(const Role& role, const KeyPlan& keys, const KeyFormat& format,
                       uint64_t operations, const ExpectedState& state, const StoredValues& values,
                       uint64_t* unknown_versions = nullptr, uint64_t* unknown_sizes = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_CHECK_REPLAY_H_
