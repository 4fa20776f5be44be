// The digest of what was read. Every byte of every value goes through Fold inside the timed region
// (2-4 ns for 100 bytes): a number for bytes that nobody read is not a read (one published table
// has 1,005,185 MB/s). Fold is a sum of 64-bit words in lanes, which one flipped bit always
// changes; Combine binds it to the key it was read for, so that two swapped values do not cancel
// out; the sum of the combined folds does not depend on the order of the operations.
#ifndef LEVELFIELD_WORKLOAD_FOLD_H_
#define LEVELFIELD_WORKLOAD_FOLD_H_

#include <bit>
#include <cstdint>
#include <cstring>

#include "levelfield/engine_abi.h"

namespace levelfield {

namespace fold_internal {

typedef uint64_t Lanes __attribute__((vector_size(16)));

inline Lanes Load(const char* p) {
  Lanes lanes;
  std::memcpy(&lanes, p, sizeof(lanes));
  return lanes;
}

inline uint64_t FoldShort(const char* p, size_t n) {
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    std::memcpy(&low, p, 8);
    std::memcpy(&high, p + n - 8, 8);
  } else {
    std::memcpy(&low, p, n);
  }
  return (low ^ n) + std::rotl(high, 29);
}

}  // namespace fold_internal

inline uint64_t Fold(const char* p, size_t n) {
  using fold_internal::Lanes;
  using fold_internal::Load;
  if (n < 16) [[unlikely]] {
    return fold_internal::FoldShort(p, n);
  }
  const char* const last = p + n - 16;  // The last 16 bytes, which may overlap what is before them.
  Lanes a = Load(last);
  Lanes b = {n, 0};
  for (; p + 32 <= last; p += 32) {
    a += Load(p);
    b += Load(p + 16);
  }
  if (p < last) b += Load(p);
  if (p + 16 < last) a += Load(p + 16);
  return a[0] + std::rotl(a[1], 17) + std::rotl(b[0], 31) + std::rotl(b[1], 47);
}

inline uint64_t Fold(lf_bytes bytes) { return Fold(bytes.data, bytes.size); }

// What one answer adds to the digest: the fold of its value, bound to the key's index or fold.
inline uint64_t Combine(uint64_t fold, uint64_t key) {
  const uint64_t mixed = (fold ^ (key * 0x9e3779b97f4a7c15)) * 0xd6e8feb86659fd93;
  return mixed ^ (mixed >> 32);
}

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FOLD_H_
