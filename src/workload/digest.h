// The digest of what was read. Digest::Add reads every byte of every value inside the timed region
// (2-4 ns for 100 bytes). A rate for bytes that nobody read is not a read rate (one published table
// has 1,005,185 MB/s).
//
// A value is summed in four lanes of 64 bits, so one flipped bit always changes its sum. An
// exclusive or binds the sum to the key it was read for. It does not distribute over addition, so
// two values that changed places do not cancel. The bound sums are added up, and so are the running
// totals (as in Fletcher's checksum). The second total weighs each answer by its place in the
// thread's stream. It catches what the first cannot: the same bit flipped up in one value and down
// in another. A replay goes through the same stream in the same order. Belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_DIGEST_H_
#define LEVELFIELD_WORKLOAD_DIGEST_H_

#include <cstdint>
#include <cstring>

#include "base/random.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

class Digest {
 public:
  // `key` is what the bytes belong to: the index of a key, or the place of an entry in a scan.
  [[gnu::always_inline]] void Add(lf_bytes bytes, uint64_t key) {
    // 2^32 over the golden ratio, the part of it that fits an instruction.
    total_ += Sum(bytes.data, bytes.size) ^ (key * 0x61c88647);
    total_of_totals_ += HalvesExchanged(total_);
  }

  uint64_t Value() const {
    uint64_t value = 0;
    for (int stats = 0; stats < 4; ++stats) {
      value = Mix64(value ^ total_[stats]);
      value = Mix64(value ^ total_of_totals_[stats]);
    }
    return value;
  }

 private:
  // GCC splits these in two where the processor has no registers of 32 bytes.
  typedef uint64_t Statistics __attribute__((vector_size(32), aligned(8)));
  static constexpr size_t kStatisticsBytes = sizeof(Statistics);

  // Ensures that no bit is the top one of its lane in both totals: two flips of a top bit add 2^64.
  [[gnu::always_inline]] static Statistics HalvesExchanged(Statistics statistics) {
    typedef uint32_t Halves __attribute__((vector_size(32)));
    const auto halves = reinterpret_cast<Halves>(statistics);
    return reinterpret_cast<Statistics>(
        __builtin_shufflevector(halves, halves, 1, 0, 3, 2, 5, 4, 7, 6));
  }

  [[gnu::always_inline]] static Statistics Load(const char* p) {
    Statistics statistics;
    std::memcpy(&statistics, p, kStatisticsBytes);
    return statistics;
  }

  // Loads overlap rather than stop at a tail: which bytes are summed twice depends on the size
  // alone.
  [[gnu::always_inline]] static Statistics Sum(const char* p, size_t n) {
    // 97 to 128 bytes: the family's 100-byte values, without a loop. It does not start at 65: the
    // middle 32 of 96 bytes would be summed twice at the same place, and a flipped top bit of a
    // lane would add 2^64, which is nothing.
    if (n - 97 < 32) [[likely]] {
      return Load(p) + Load(p + 32) + Load(p + n - 64) + Load(p + n - 32);
    }
    if (n <= kStatisticsBytes) return SumShort(p, n);
    const char* const last = p + n - kStatisticsBytes;
    Statistics sum = Load(last);
    for (; p < last; p += kStatisticsBytes) sum += Load(p);
    return sum;
  }

  [[gnu::always_inline]] static Statistics SumShort(const char* p, size_t n) {
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
    return Statistics{a, b, c, d};
  }

  Statistics total_ = {};
  Statistics total_of_totals_ = {};
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_DIGEST_H_
