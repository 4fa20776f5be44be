// What a thread's answers had to be: the same key stream again, outside the timing, against the
// model instead of the engine. Reading only; what writers did meanwhile cannot be replayed (those
// reads are checked in the loop).
#ifndef LEVELFIELD_RUN_REPLAY_H_
#define LEVELFIELD_RUN_REPLAY_H_

#include "run/tally.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// The tally of `operations` operations of a get, seek or scan with these keys on a store in this
// state. Of a scan, which ends by itself, `operations` is the most there may be.
Tally Replay(const Role& role, const KeyPlan& keys, const KeyFormat& format, uint64_t operations,
             const ExpectedState& state, const ValueSource& values);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_REPLAY_H_
