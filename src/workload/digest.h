// The digest of what was read. Every byte of every value goes through Digest::Add inside the timed
// region (2-4 ns for 100 bytes): a number for bytes that nobody read is not a read (one published
// table has 1,005,185 MB/s).
//
// A value is summed in four lanes of 64 bits, so one flipped bit always changes its sum; the sum is
// bound to the key it was read for by an exclusive or, which does not distribute over addition, so
// that two values that changed places do not cancel; and the bound sums are added up, so that the
// digest does not depend on the order of the operations. Belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_DIGEST_H_
#define LEVELFIELD_WORKLOAD_DIGEST_H_

#include <cstdint>
#include <cstring>

#include "base/random.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

class Digest {
 public:
  // `key` is whatever the bytes belong to: the index of a key, or the place of an entry in a scan.
  [[gnu::always_inline]] void Add(lf_bytes bytes, uint64_t key) {
    // 2^32 over the golden ratio, the part of it that fits an instruction.
    lanes_ += Sum(bytes.data, bytes.size) ^ (key * 0x61c88647);
  }

  uint64_t Value() const {
    return Mix64(lanes_[0]) + Mix64(lanes_[1] ^ 1) + Mix64(lanes_[2] ^ 2) + Mix64(lanes_[3] ^ 3);
  }

 private:
  // GCC makes two halves of these where the processor has no registers of 32 bytes.
  typedef uint64_t Lanes __attribute__((vector_size(32), aligned(8)));
  static constexpr size_t kLaneBytes = sizeof(Lanes);

  [[gnu::always_inline]] static Lanes Load(const char* p) {
    Lanes lanes;
    std::memcpy(&lanes, p, kLaneBytes);
    return lanes;
  }

  // Loads overlap rather than stop at a tail: what is summed twice depends on the size alone.
  [[gnu::always_inline]] static Lanes Sum(const char* p, size_t n) {
    // 97 to 128 bytes: the family's 100-byte values, without a loop. Not from 65 on: of 96 bytes
    // the middle 32 would be summed twice at the same place, and a flipped top bit of a lane would
    // add 2^64, which is nothing.
    if (n - 97 < 32) [[likely]] {
      return Load(p) + Load(p + 32) + Load(p + n - 64) + Load(p + n - 32);
    }
    if (n <= kLaneBytes) return SumShort(p, n);
    const char* const last = p + n - kLaneBytes;
    Lanes sum = Load(last);
    for (; p < last; p += kLaneBytes) sum += Load(p);
    return sum;
  }

  [[gnu::always_inline]] static Lanes SumShort(const char* p, size_t n) {
    uint64_t a = 0;
    uint64_t b = 0;
    uint64_t c = 0;
    uint64_t d = n;
    if (n >= 16) {
      std::memcpy(&a, p, 8);
      std::memcpy(&b, p + 8, 8);
      std::memcpy(&c, p + n - 16, 8);
      uint64_t last = 0;
      std::memcpy(&last, p + n - 8, 8);
      d += last;
    } else if (n >= 8) {
      std::memcpy(&a, p, 8);
      std::memcpy(&b, p + n - 8, 8);
    } else if (n != 0) {
      std::memcpy(&a, p, n);
    }
    return Lanes{a, b, c, d};
  }

  Lanes lanes_ = {};
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_DIGEST_H_
