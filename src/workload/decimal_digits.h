// Eight decimal digits at once, for keys: numbers below 10^8 to their digits, and back. A digit is
// a byte of a 64-bit integer, the first one lowest, as in memory.
#ifndef LEVELFIELD_WORKLOAD_DECIMAL_DIGITS_H_
#define LEVELFIELD_WORKLOAD_DECIMAL_DIGITS_H_

#include <bit>
#include <cstdint>
#include <cstring>

namespace levelfield::digits {

static_assert(std::endian::native == std::endian::little,
              "the digits are stored lowest byte first");

inline constexpr uint64_t kEightDigits = 100'000'000;
inline constexpr uint64_t kZeros = 0x3030303030303030;

// The digits of x < 10^8. Makes halves of four digits, of two, of one, each in its own lane. The
// reciprocals are exact for the ranges of their lanes (tested over all of them).
[[gnu::always_inline]] inline uint64_t Make(uint64_t x) {
  const uint64_t high4 = (x * 109951163) >> 40;  // x / 10000 for x < 10^8
  const uint64_t fours = high4 | ((x - high4 * 10000) << 32);
  const uint64_t high2 = ((fours * 10486) >> 20) & 0x0000007f0000007f;  // lane / 100
  const uint64_t twos = high2 | ((fours - high2 * 100) << 16);
  const uint64_t high1 = ((twos * 103) >> 10) & 0x000f000f000f000f;  // lane / 10
  return (high1 | ((twos - high1 * 10) << 8)) + kZeros;
}

// What stands there, with a byte of 0 to 9 for each digit.
[[gnu::always_inline]] inline uint64_t Load(const char* text) {
  uint64_t ones = 0;
  std::memcpy(&ones, text, sizeof(ones));
  return ones ^ kZeros;
}

// Not 0 if one of the bytes is no digit: 0x76 more sets the highest bit of what is above 9.
[[gnu::always_inline]] inline uint64_t Others(uint64_t ones) {
  return (ones | (ones + 0x7676767676767676)) & 0x8080808080808080;
}

// Their number: tens and ones join in pairs, pairs in fours.
[[gnu::always_inline]] inline uint64_t NumberOf(uint64_t ones) {
  const uint64_t twos = (ones * 10 + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const uint64_t fours = (twos * 100 + (twos >> 16)) & 0x0000ffff0000ffff;
  return (fours * 10000 + (fours >> 32)) & 0xffffffff;
}

}  // namespace levelfield::digits

#endif  // LEVELFIELD_WORKLOAD_DECIMAL_DIGITS_H_
