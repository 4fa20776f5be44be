// Random streams. Every stream of the program is seeded by DeriveSeed from a seed, a purpose, a role
// and a thread, so every engine sees the same operations (worker/stream_seeds.h says which streams a
// workload has). Single-threaded; a stream belongs to one thread.
#ifndef LEVELFIELD_BASE_RANDOM_H_
#define LEVELFIELD_BASE_RANDOM_H_

#include <bit>
#include <cstdint>
#include <string_view>

namespace levelfield {

// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
// 2014): a bijection of 64 bits in which every input bit moves every output bit.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr uint64_t DeriveSeed(uint64_t seed, std::string_view purpose, std::string_view role,
                              uint64_t thread) {
  constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;
  uint64_t state = Mix64(seed + kGamma);
  for (const std::string_view text : {purpose, role}) {
    for (const char c : text) state = Mix64(state ^ static_cast<unsigned char>(c)) + kGamma;
    state = Mix64(state ^ 0x100);  // No byte: "ab" + "c" differs from "a" + "bc".
  }
  return Mix64(state ^ thread);
}

// wyrand (Wang Yi, the generator of wyhash, 2019; it passes BigCrush and PractRand): a Weyl
// sequence through one multiplication of 128 bits. Five instructions a draw, where xoshiro256++
// takes twelve of the sixty that an operation of the loop may cost.
class Random {
 public:
  explicit constexpr Random(uint64_t seed) : state_(Mix64(seed)) {}

  constexpr uint64_t Next() {
    state_ += 0xa0761d6478bd642f;
    const unsigned __int128 product =
        static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428db);
    return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
  }

  // Uniform in [0, bound) by Lemire's multiplication, without its rejection step: the bias is bound
  // / 2^64, below 1e-9 for the ten billion keys of the largest store (`%` costs 7 ns more).
  constexpr uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_RANDOM_H_
