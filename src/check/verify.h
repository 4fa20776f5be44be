// Reads a whole store back, outside the timing, and compares it with the model: every entry is
// there, with the right bytes, in order, and nothing else is. If that would take too long, it reads
// a uniform sample and states the bound that this gives.
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
  lf_code code = LF_OK;    // From the engine's calls.
  std::string error;       // If the engine failed.
  std::string difference;  // The first difference; empty: the store is right.
  std::string extent;      // "all entries", or "a sample of ...".
  uint64_t entries = 0;    // How many were read.
  uint64_t bytes = 0;      // Keys and values of the whole store; 0: not all was read.
};

// `progress` is called every few hundred entries, with the number read and the number expected.
// When it returns false the rest is skipped, and `extent` says so.
Verification VerifyStore(Session& session, const lf_engine& table, const ExpectedState& state,
                         const StoredValues& values, const KeyShape& shape,
                         const std::function<bool(uint64_t, uint64_t)>& progress);

// The same for a store that was not empty at the start: reads the keys that `state` wrote or
// erased, and ignores the others.
Verification VerifyTouched(Session& session, const lf_engine& table, const ExpectedState& state,
                           const StoredValues& values, const KeyShape& shape,
                           const std::function<bool(uint64_t, uint64_t)>& progress);

}  // namespace levelfield

#endif  // LEVELFIELD_CHECK_VERIFY_H_
