// What a phase did to each key, for operations whose choice of keys depends on what they did
// before. It is a layer of the model (expected_state.h) that answers by itself, key by key, in
// constant time. Immutable, so any thread may ask.
#ifndef LEVELFIELD_WORKLOAD_KEY_HISTORY_H_
#define LEVELFIELD_WORKLOAD_KEY_HISTORY_H_

#include <cstdint>
#include <optional>

#include "workload/value_sizes.h"

namespace levelfield {

class KeyHistory {
 public:
  struct Last {  // The last thing that was done to a key.
    bool erases = false;
    uint32_t version = 0;
    uint64_t value_size = 0;
    // Set where the size depends on an unknown version; the history owns it.
    const ValueSizes* unknown_size = nullptr;
  };

  virtual ~KeyHistory() = default;
  // All touched keys lie in [0, range()).
  virtual uint64_t range() const = 0;
  // Empty: the key was left alone.
  virtual std::optional<Last> LastOf(uint64_t index) const = 0;
  // How many versions the phase used up, from its first one on.
  virtual uint64_t versions() const = 0;
  // A lower bound of the sizes of the values that it left.
  virtual uint64_t smallest_value() const = 0;

  // Whether few keys of the range were touched. Then the functions below find them without a walk
  // through the range; otherwise any key may be one.
  virtual bool is_sparse() const { return false; }
  // The number of touched keys, and the n-th of them.
  virtual uint64_t keys() const { return range(); }
  virtual uint64_t KeyAt(uint64_t n) const { return n; }
  // The first touched key at or after `from`, and the last one below `end`; range(): none.
  virtual uint64_t NextTouched(uint64_t from) const { return from < range() ? from : range(); }
  virtual uint64_t TouchedBefore(uint64_t end) const {
    return end == 0 ? range() : (end < range() ? end : range()) - 1;
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_HISTORY_H_
