// The generator that the db_bench family draws its keys and the bytes of its values from: the
// "minimal standard" of Park and Miller (Random Number Generators: Good Ones Are Hard to Find,
// 1988), x' = 16807 x mod 2^31 - 1. Kept for --compat=exact; everything else uses base/random.h.
#ifndef LEVELFIELD_WORKLOAD_PARK_MILLER_H_
#define LEVELFIELD_WORKLOAD_PARK_MILLER_H_

#include <cstdint>

namespace levelfield {

class ParkMiller {
 public:
  static constexpr uint32_t kModulus = 2147483647;

  // The seed is cut to 31 bits; 0 and the modulus, which would only repeat themselves, become 1.
  explicit constexpr ParkMiller(uint64_t seed) : state_(static_cast<uint32_t>(seed & kModulus)) {
    if (state_ == 0 || state_ == kModulus) state_ = 1;
  }

  constexpr uint32_t Next() {
    state_ = static_cast<uint32_t>(uint64_t{state_} * kMultiplier % kModulus);
    return state_;
  }

  // As if Next had been called so many times, in steps of the logarithm.
  constexpr void Skip(uint64_t draws) {
    uint64_t state = state_;
    for (uint64_t power = kMultiplier; draws != 0; draws >>= 1) {
      if (draws & 1) state = state * power % kModulus;
      power = power * power % kModulus;
    }
    state_ = static_cast<uint32_t>(state);
  }

  // The last draw; as a seed, it goes on from there.
  constexpr uint32_t state() const { return state_; }

 private:
  static constexpr uint64_t kMultiplier = 16807;
  uint32_t state_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_PARK_MILLER_H_
