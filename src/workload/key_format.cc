#include "workload/key_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "workload/permutation.h"

namespace levelfield {
namespace {

using digits::kEightDigits;
using digits::kZeros;

[[gnu::always_inline]] inline std::optional<uint64_t> ParseDecimal(std::string_view text) {
  if (text.size() < KeyFormat::kDigits) {
    uint64_t index = 0;
    for (const char digit : text) {
      if (digit < '0' || digit > '9') return std::nullopt;
      index = index * 10 + static_cast<uint64_t>(digit - '0');
    }
    return index;
  }
  // Indexes have no more than the last sixteen.
  const size_t zeros = text.size() - KeyFormat::kDigits;
  if (zeros != 0 && text.substr(0, zeros).find_first_not_of('0') != std::string_view::npos) {
    return std::nullopt;
  }
  return KeyFormat::ParseSixteen(text.data() + zeros);
}

// Makes eight hex digits at once: each nibble moves to a byte of its own, the first one last.
[[gnu::always_inline]] inline uint64_t EightHexDigits(uint64_t x) {
  x = (x & 0xffff) << 32 | x >> 16;
  x = (x & 0x000000ff000000ff) << 16 | (x & 0x0000ff000000ff00) >> 8;
  x = (x & 0x000f000f000f000f) << 8 | (x & 0x00f000f000f000f0) >> 4;
  const uint64_t letters = ((x + 0x0606060606060606) >> 4) & 0x0101010101010101;
  return x + kZeros + letters * ('a' - '0' - 10);
}

#if defined(__x86_64__)
// Makes eight decimal digits of each of four numbers: 7 instructions a key instead of 20.
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

// Stores the 16 bytes of each of four keys, whose digits end at `end`, `end` + stride, ...; `even`
// has keys 0 and 2, `odd` keys 1 and 3.
[[gnu::target("avx2")]] inline void StoreFour(__m256i even, __m256i odd, size_t stride, char* end) {
  const auto at = [&](size_t key) { return reinterpret_cast<__m128i*>(end - 16 + key * stride); };
  _mm_storeu_si128(at(0), _mm256_castsi256_si128(even));
  _mm_storeu_si128(at(1), _mm256_castsi256_si128(odd));
  _mm_storeu_si128(at(2), _mm256_extracti128_si256(even, 1));
  _mm_storeu_si128(at(3), _mm256_extracti128_si256(odd, 1));
}

[[gnu::target("avx2")]] inline __m256i LoadFour(const uint64_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}

// Stores keys that end in 16 decimal digits, as many as fill whole registers; returns how many.
template <bool kHasHighDigits>
[[gnu::target("avx2")]] size_t StoreDecimalAvx2(const uint64_t* x, size_t count,
                                                const KeyShape& shape, char* keys) {
  const size_t stride = shape.most;
  __m256i high = _mm256_set1_epi64x(static_cast<long long>(kZeros));
  size_t i = 0;
  for (char* end = keys + shape.size; i + 4 <= count; i += 4, end += 4 * stride) {
    __m256i low = LoadFour(x + i);
    if constexpr (kHasHighDigits) {
      // No vector instruction divides 64 bits, so these divisions are made one by one.
      alignas(32) uint64_t quotients[4];
      for (size_t key = 0; key < 4; ++key) quotients[key] = x[i + key] / kEightDigits;
      high = LoadFour(quotients);
      low = _mm256_sub_epi64(low, _mm256_mul_epu32(high, _mm256_set1_epi64x(kEightDigits)));
      high = EightDigitsOfFour(high);
    }
    low = EightDigitsOfFour(low);
    StoreFour(_mm256_unpacklo_epi64(high, low), _mm256_unpackhi_epi64(high, low), stride, end);
  }
  return i;
}

// Keys of 16 bytes for numbers below 10^8 leave no gap, so two are stored at once.
[[gnu::target("avx2")]] size_t StorePaddedAvx2(const uint64_t* x, size_t count, const KeyShape&,
                                               char* keys) {
  const __m256i zeros = _mm256_set1_epi64x(static_cast<long long>(kZeros));
  size_t i = 0;
  for (; i + 4 <= count; i += 4, keys += 64) {
    const __m256i digits = EightDigitsOfFour(LoadFour(x + i));
    const __m256i even = _mm256_unpacklo_epi64(zeros, digits);  // Keys 0 and 2.
    const __m256i odd = _mm256_unpackhi_epi64(zeros, digits);   // Keys 1 and 3.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys),
                        _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys + 32),
                        _mm256_permute2x128_si256(even, odd, 0x31));
  }
  return i;
}

// Stores keys that end in 16 hex digits: a table of 16 bytes turns a nibble into its digit.
[[gnu::target("avx2")]] size_t StoreHexAvx2(const uint64_t* x, size_t count, const KeyShape& shape,
                                            char* keys) {
  const size_t stride = shape.most;
  const __m256i highest_first = _mm256_broadcastsi128_si256(
      _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i digits = _mm256_broadcastsi128_si256(_mm_setr_epi8(
      '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'));
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  size_t i = 0;
  for (char* end = keys + shape.size; i + 4 <= count; i += 4, end += 4 * stride) {
    const __m256i bytes = _mm256_shuffle_epi8(LoadFour(x + i), highest_first);
    const __m256i low = _mm256_shuffle_epi8(digits, _mm256_and_si256(bytes, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(digits, _mm256_and_si256(_mm256_srli_epi64(bytes, 4), nibble));
    StoreFour(_mm256_unpacklo_epi8(high, low), _mm256_unpackhi_epi8(high, low), stride, end);
  }
  return i;
}

KeyFormat::StoreFours StoreFoursOf(const KeyShape& shape, bool has_high_digits) {
  if (shape.size - shape.prefix < KeyFormat::kDigits || !HasAvx2()) return nullptr;
  if (shape.kind == KeyKind::kHex) return StoreHexAvx2;
  if (shape.kind != KeyKind::kDecimal) return nullptr;
  if (has_high_digits) return StoreDecimalAvx2<true>;
  return shape.most == KeyFormat::kDigits ? StorePaddedAvx2 : StoreDecimalAvx2<false>;
}

#else
KeyFormat::StoreFours StoreFoursOf(const KeyShape&, bool) { return nullptr; }
#endif

uint64_t Power(uint64_t base, size_t exponent) {
  uint64_t power = 1;
  for (; exponent > 0; --exponent) power *= base;
  return power;
}

}  // namespace

uint64_t KeyShape::Limit() const {
  const size_t digits = size - std::min(prefix, size);
  if (kind == KeyKind::kInteger) return size == sizeof(uint64_t) ? KeyFormat::kLimit : 0;
  if (kind == KeyKind::kRocksDb) {  // The top bit marks missing keys.
    return std::min(uint64_t{1} << (8 * std::min<size_t>(digits, 7) - (digits > 0 ? 1 : 0)),
                    KeyFormat::kLimit);
  }
  if (kind == KeyKind::kDecimal) return Power(10, std::min(digits, KeyFormat::kDigits));
  return std::min(Power(16, std::min<size_t>(digits, 15)), KeyFormat::kLimit);
}

KeyFormat::KeyFormat(const KeyShape& shape, uint64_t range, bool missing)
    : shape_(shape),
      has_high_digits_(range > (shape.kind == KeyKind::kHex ? uint64_t{1} << 32 : kEightDigits)),
      is_narrow_((shape.kind == KeyKind::kDecimal || shape.kind == KeyKind::kHex) &&
                 shape.size - shape.prefix < (has_high_digits_ ? kDigits : kDigits / 2)),
      missing_(missing),
      has_eight_digits_(shape.kind == KeyKind::kDecimal && !is_narrow_ && !has_high_digits_ &&
                        !missing && !shape.vary()),
      has_sixteen_digits_(shape.kind == KeyKind::kDecimal && shape.prefix == 0 &&
                          shape.size == kDigits && !shape.vary()),
      store_fours_(StoreFoursOf(shape, has_high_digits_)) {}

std::string KeyFormat::Blank(size_t keys) const {
  const std::string key = std::string(shape_.prefix, 'a') +
                          std::string(shape_.size - shape_.prefix, '0') +
                          std::string(shape_.most - shape_.size, kFiller);
  std::string blank;
  blank.reserve(keys * key.size());
  for (size_t i = 0; i < keys; ++i) blank += key;
  return blank;
}

void KeyFormat::FormatDecimal(std::span<const uint64_t> indexes, char* keys) const {
  for (size_t i = 0; i < indexes.size(); ++i) {
    char* const low_digits = keys + i * stride() + shape_.size - 8;
    const uint64_t high = has_high_digits_ ? indexes[i] / kEightDigits : 0;
    const uint64_t low = digits::Make(indexes[i] - high * kEightDigits);
    std::memcpy(low_digits, &low, 8);
    if (!has_high_digits_) continue;
    const uint64_t digits = digits::Make(high);
    std::memcpy(low_digits - 8, &digits, 8);
  }
}

void KeyFormat::FormatHex(std::span<const uint64_t> indexes, char* keys) const {
  for (size_t i = 0; i < indexes.size(); ++i) {
    char* const low_digits = keys + i * stride() + shape_.size - 8;
    const uint64_t low = EightHexDigits(indexes[i] & 0xffffffff);
    std::memcpy(low_digits, &low, 8);
    if (!has_high_digits_) continue;
    const uint64_t high = EightHexDigits(indexes[i] >> 32);
    std::memcpy(low_digits - 8, &high, 8);
  }
}

// Makes the digits beside the keys and copies as many as a key has.
void KeyFormat::FormatNarrow(std::span<const uint64_t> indexes, char* keys) const {
  const size_t digits = shape_.size - shape_.prefix;
  const bool is_hex = shape_.kind == KeyKind::kHex;
  for (size_t i = 0; i < indexes.size(); ++i) {
    const uint64_t high = is_hex ? indexes[i] >> 32 : indexes[i] / kEightDigits;
    const uint64_t low = is_hex ? indexes[i] & 0xffffffff : indexes[i] % kEightDigits;
    const uint64_t all[2] = {is_hex ? EightHexDigits(high) : digits::Make(high),
                             is_hex ? EightHexDigits(low) : digits::Make(low)};
    std::memcpy(keys + i * stride() + shape_.size - digits,
                reinterpret_cast<const char*>(all) + sizeof(all) - digits, digits);
  }
}

void KeyFormat::FormatIntegers(std::span<const uint64_t> indexes, char* keys) const {
  for (size_t i = 0; i < indexes.size(); ++i) {
    std::memcpy(keys + i * sizeof(uint64_t), &indexes[i], sizeof(uint64_t));
  }
}

void KeyFormat::FormatRocksDb(std::span<const uint64_t> indexes, char* keys) const {
  const size_t bytes = NumberBytes();
  if (bytes == sizeof(uint64_t)) {
    for (size_t i = 0; i < indexes.size(); ++i) {
      const uint64_t number = __builtin_bswap64(indexes[i]);
      std::memcpy(keys + i * shape_.size + shape_.prefix, &number, sizeof(number));
    }
    return;
  }
  for (size_t i = 0; i < indexes.size(); ++i) {
    const uint64_t number = __builtin_bswap64(indexes[i]);
    std::memcpy(keys + i * shape_.size + shape_.prefix,
                reinterpret_cast<const char*>(&number) + sizeof(number) - bytes, bytes);
  }
}

void KeyFormat::FormatOneByOne(std::span<const uint64_t> indexes, char* keys) const {
  if (shape_.kind == KeyKind::kInteger) {
    FormatIntegers(indexes, keys);
  } else if (shape_.kind == KeyKind::kRocksDb) {
    FormatRocksDb(indexes, keys);
  } else if (is_narrow_) {
    FormatNarrow(indexes, keys);
  } else if (shape_.kind == KeyKind::kDecimal) {
    FormatDecimal(indexes, keys);
  } else {
    FormatHex(indexes, keys);
  }
}

void KeyFormat::MakeMissing(size_t count, char* keys) const {
  for (size_t i = 0; i < count; ++i) {
    char& last = keys[i * stride() + shape_.size - 1];
    switch (shape_.kind) {
      case KeyKind::kDecimal:
        last = static_cast<char>(last + 10);
        break;
      case KeyKind::kHex:
        last = static_cast<char>(last + (last <= '9' ? 'g' - '0' : 'g' + 10 - 'a'));
        break;
      case KeyKind::kInteger:
        last = static_cast<char>(last | 0x80);
        break;
      case KeyKind::kRocksDb:
        if (HasPadding()) {
          last = '1';
        } else {
          char& first = keys[i * stride() + shape_.prefix];
          first = static_cast<char>(first | 0x80);
        }
        break;
    }
  }
}

void KeyFormat::Format(std::span<const uint64_t> indexes, char* keys) const {
  const bool has_fours = store_fours_ != nullptr && indexes.size() >= 4;
  const size_t made = has_fours ? store_fours_(indexes.data(), indexes.size(), shape_, keys) : 0;
  if (made != indexes.size()) FormatOneByOne(indexes.subspan(made), keys + made * stride());
  if (missing_) MakeMissing(indexes.size(), keys);
}

size_t KeyFormat::FormatAny(uint64_t index, char* key) const {
  Format(std::span(&index, 1), key);
  return SizeOf(index);
}

std::optional<uint64_t> KeyFormat::ParseRocksDb(std::string_view key) const {
  const std::string_view number = key.substr(shape_.prefix, NumberBytes());
  const std::string_view padding = key.substr(shape_.prefix + NumberBytes());
  if (key.substr(0, shape_.prefix).find_first_not_of('a') != std::string_view::npos ||
      padding.find_first_not_of('0') != std::string_view::npos) {
    return std::nullopt;
  }
  uint64_t index = 0;
  for (const char byte : number) index = index << 8 | static_cast<unsigned char>(byte);
  return index < shape_.Limit() ? std::optional(index) : std::nullopt;
}

std::optional<uint64_t> KeyFormat::ParseAny(std::string_view key) const {
  if (key.size() < shape_.size || key.size() > shape_.most) return std::nullopt;
  const std::optional<uint64_t> index = ParseWithoutFiller(key.substr(0, shape_.size));
  const bool is_key = index && key.size() == SizeOf(*index) &&
                      key.find_first_not_of(kFiller, shape_.size) == std::string_view::npos;
  return is_key ? index : std::nullopt;
}

std::optional<uint64_t> KeyFormat::ParseWithoutFiller(std::string_view key) const {
  uint64_t index = 0;
  if (shape_.kind == KeyKind::kInteger) {
    std::memcpy(&index, key.data(), sizeof(index));
    return index < kLimit ? std::optional(index) : std::nullopt;
  }
  if (shape_.kind == KeyKind::kRocksDb) return ParseRocksDb(key);
  if (shape_.prefix != 0 &&
      key.substr(0, shape_.prefix).find_first_not_of('a') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = key.substr(shape_.prefix);
  if (shape_.kind == KeyKind::kDecimal) return ParseDecimal(digits);
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), index, 16);
  if (error != std::errc() || index >= kLimit) return std::nullopt;
  return index;
}

uint64_t KeyFormat::FirstBehindMissing(uint64_t index) const {
  if (shape_.kind == KeyKind::kInteger) return std::numeric_limits<uint64_t>::max();
  if (shape_.kind == KeyKind::kRocksDb) {
    return HasPadding() ? index + 1 : std::numeric_limits<uint64_t>::max();
  }
  const uint64_t digits = shape_.kind == KeyKind::kHex ? 16 : 10;
  return index / digits * digits + digits;
}

}  // namespace levelfield
