// What a thread's answers had to be: the same key stream again, outside the timing, against the
// model instead of the engine. Reading only; what writers did meanwhile cannot be replayed (those
// reads are checked in the loop).
#ifndef LEVELFIELD_CHECK_REPLAY_H_
#define LEVELFIELD_CHECK_REPLAY_H_

#include "loop/operation_counts.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// The tally of `operations` operations of a get, seek or scan with these keys on a store in this
// state. Of a scan, which ends by itself, `operations` is the most there may be. `unknown_versions`
// counts the hits whose version is not known: where there are any, the digest is not;
// `unknown_sizes` those of which the size is not either: then the bytes are not.
OperationCounts Replay(const Role& role, const KeyPlan& keys, const KeyFormat& format,
                       uint64_t operations, const ExpectedState& state, const StoredValues& values,
                       uint64_t* unknown_versions = nullptr, uint64_t* unknown_sizes = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_CHECK_REPLAY_H_
