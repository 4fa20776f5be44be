// Reads a whole store back, outside the timing, and compares it with the model: every entry is
// there, with the right bytes, in order, and nothing else is. Where that would take too long, a
// uniform sample is read and the bound it gives is stated.
#ifndef LEVELFIELD_CHECK_VERIFY_H_
#define LEVELFIELD_CHECK_VERIFY_H_

#include <cstdint>
#include <functional>
#include <string>

#include "engine/engine.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

struct Verification {
  lf_code code = LF_OK;    // Of the engine's calls.
  std::string error;       // Where the engine failed.
  std::string difference;  // The first one found; empty: the store is what it must be.
  std::string extent;      // "all entries", or "a sample of ...".
  uint64_t entries = 0;    // That were read.
  uint64_t bytes = 0;      // Of keys and values of all that the store has; 0: not all was read.
};

// `progress` is called every few thousand entries, with how many of them are read and are expected;
// when it returns false the rest is left out and `extent` says so.
Verification VerifyStore(Session& session, const lf_engine& table, const ExpectedState& state,
                         const StoredValues& values, const KeyShape& shape,
                         const std::function<bool(uint64_t, uint64_t)>& progress);

// The same for a store that was not empty at the start: reads the keys that `state` has written or
// erased, and leaves the others alone.
Verification VerifyTouched(Session& session, const lf_engine& table, const ExpectedState& state,
                           const StoredValues& values, const KeyShape& shape,
                           const std::function<bool(uint64_t, uint64_t)>& progress);

}  // namespace levelfield

#endif  // LEVELFIELD_CHECK_VERIFY_H_
