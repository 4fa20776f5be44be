#include "workload/key_format.h"

#include <bit>
#include <charconv>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace levelfield {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the digits are stored lowest byte first");

constexpr uint64_t kEightDigits = 100'000'000;
constexpr uint64_t kZeros = 0x3030303030303030;

// Eight decimal digits at once: halves of four digits, of two, of one, each in a lane of its own.
// The reciprocals are exact for the ranges of their lanes (tested over all of them).
uint64_t EightDigits(uint64_t x) {
  const uint64_t high4 = (x * 109951163) >> 40;  // x / 10000 for x < 10^8
  const uint64_t fours = high4 | ((x - high4 * 10000) << 32);
  const uint64_t high2 = ((fours * 10486) >> 20) & 0x0000007f0000007f;  // lane / 100
  const uint64_t twos = high2 | ((fours - high2 * 100) << 16);
  const uint64_t high1 = ((twos * 103) >> 10) & 0x000f000f000f000f;  // lane / 10
  return (high1 | ((twos - high1 * 10) << 8)) + kZeros;
}

#if defined(__x86_64__)
// The same for the four numbers of a register, 7 instructions a key instead of 20.
[[gnu::target("avx2")]] inline __m256i EightDigitsOfFour(__m256i x) {
  const __m256i high4 = _mm256_srli_epi64(_mm256_mul_epu32(x, _mm256_set1_epi64x(109951163)), 40);
  const __m256i low4 = _mm256_sub_epi64(x, _mm256_mul_epu32(high4, _mm256_set1_epi64x(10000)));
  const __m256i fours = _mm256_or_si256(high4, _mm256_slli_epi64(low4, 32));
  const __m256i high2 = _mm256_srli_epi16(_mm256_mulhi_epu16(fours, _mm256_set1_epi16(5243)), 3);
  const __m256i low2 = _mm256_sub_epi16(fours, _mm256_mullo_epi16(high2, _mm256_set1_epi16(100)));
  const __m256i twos = _mm256_or_si256(high2, _mm256_slli_epi32(low2, 16));
  const __m256i high1 = _mm256_mulhi_epu16(twos, _mm256_set1_epi16(6554));
  const __m256i low1 = _mm256_sub_epi16(twos, _mm256_mullo_epi16(high1, _mm256_set1_epi16(10)));
  const __m256i ones = _mm256_or_si256(high1, _mm256_slli_epi16(low1, 8));
  return _mm256_add_epi64(ones, _mm256_set1_epi64x(static_cast<long long>(kZeros)));
}

// Keys of 16 bytes of numbers below 10^8, as many as make whole registers; returns how many.
[[gnu::target("avx2")]] size_t StorePaddedAvx2(const uint64_t* x, size_t count, char* keys) {
  const __m256i zeros = _mm256_set1_epi64x(static_cast<long long>(kZeros));
  size_t i = 0;
  for (; i + 4 <= count; i += 4, keys += 64) {
    const __m256i digits =
        EightDigitsOfFour(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i)));
    const __m256i even = _mm256_unpacklo_epi64(zeros, digits);  // Keys 0 and 2.
    const __m256i odd = _mm256_unpackhi_epi64(zeros, digits);   // Keys 1 and 3.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys),
                        _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys + 32),
                        _mm256_permute2x128_si256(even, odd, 0x31));
  }
  return i;
}

bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#else
size_t StorePaddedAvx2(const uint64_t*, size_t, char*) { return 0; }
bool HasAvx2() { return false; }
#endif

}  // namespace

void KeyFormat::Format(std::span<const uint64_t> indexes, char* keys) const {
  size_t i = 0;
  if (key_size_ == kDigits && !has_high_digits_ && HasAvx2()) {
    i = StorePaddedAvx2(indexes.data(), indexes.size(), keys);
  }
  for (; i < indexes.size(); ++i) {
    char* const low_digits = keys + (i + 1) * key_size_ - 8;
    const uint64_t high = has_high_digits_ ? indexes[i] / kEightDigits : 0;
    const uint64_t low = EightDigits(indexes[i] - high * kEightDigits);
    std::memcpy(low_digits, &low, 8);
    if (!has_high_digits_) continue;
    const uint64_t digits = EightDigits(high);
    std::memcpy(low_digits - 8, &digits, 8);
  }
  if (!missing_) return;
  for (i = 1; i <= indexes.size(); ++i) {
    char& last = keys[i * key_size_ - 1];
    last = static_cast<char>(last + 10);
  }
}

std::optional<uint64_t> KeyFormat::Parse(std::string_view key) const {
  uint64_t index = 0;
  if (key.size() != key_size_) return std::nullopt;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error != std::errc() || end != key.data() + key.size() || key[0] == '-') return std::nullopt;
  if (index >= kLimit) return std::nullopt;
  return index;
}

}  // namespace levelfield
