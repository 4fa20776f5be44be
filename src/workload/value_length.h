// How long a value is that was made out of the one that lay below it: the lengths of a store whose
// values grow follow from those that it had before, and from how often each key was written.
#ifndef LEVELFIELD_WORKLOAD_VALUE_LENGTH_H_
#define LEVELFIELD_WORKLOAD_VALUE_LENGTH_H_

#include <cstdint>
#include <optional>

namespace levelfield {

enum class LengthRule {
  kOwn,    // Whatever lay below.
  kKept,   // That of the old value.
  kGrown,  // The old value's, one byte (the originals' comma) and a value's more.
};

// Of a value that was there before the run and was made by nobody that the run knows.
inline constexpr uint64_t kUnknownLength = ~uint64_t{0};

// After `writes` >= 1 of them; `old`: empty where there was no value. Of nothing, and of a value of
// no bytes, all rules but kKept make one of `value_size` bytes.
inline uint64_t LengthAfter(LengthRule rule, std::optional<uint64_t> old, uint64_t value_size,
                            uint64_t writes) {
  if (rule == LengthRule::kOwn) return value_size;
  if (old == kUnknownLength) return kUnknownLength;
  if (rule == LengthRule::kKept) return old.value_or(value_size);
  if (old.value_or(0) == 0) {
    return value_size == 0 ? 0 : value_size + (writes - 1) * (value_size + 1);
  }
  return *old + writes * (value_size + 1);
}

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_LENGTH_H_
