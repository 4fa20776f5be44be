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

struct Replayed {
  OperationCounts counts;
  uint64_t unknown_versions = 0;  // Hits with one. If there are any, the digest is unknown.
  bool are_bytes_known = true;    // No hit has an unknown size.
};

// What `operations` gets, seeks or scan steps with these keys find in a store in this state. A scan
// ends by itself, so `operations` is its limit.
Replayed Replay(const Role& role, const KeyPlan& keys, const KeyFormat& format, uint64_t operations,
                const ExpectedState& state, const StoredValues& values);

}  // namespace levelfield

#endif  // LEVELFIELD_CHECK_REPLAY_H_
