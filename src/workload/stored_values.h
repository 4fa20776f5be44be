// What a store's values are, for those who compare what was read with what was written: the replay,
// the judge and the verification. Off the measured path, where threads use the value classes
// themselves. Immutable, so any thread may ask.
#ifndef LEVELFIELD_WORKLOAD_STORED_VALUES_H_
#define LEVELFIELD_WORKLOAD_STORED_VALUES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "levelfield/engine_abi.h"

namespace levelfield {

class StoredValues {
 public:
  virtual ~StoredValues() = default;

  // The bytes of a key's version, into out[0, size).
  virtual void Write(uint64_t key_index, uint32_t version, size_t size, char* out) const = 0;
  // The version that a value of the key is; empty where it is none, or does not show it.
  virtual std::optional<uint32_t> VersionOf(uint64_t key_index, lf_bytes value) const = 0;
  // Why a value of this size cannot be checked by itself, its version unknown; empty: it can.
  virtual std::string WhyAnonymous(size_t value_size) const = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_STORED_VALUES_H_
