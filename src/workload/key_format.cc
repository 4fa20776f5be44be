#include "workload/key_format.h"

#include <bit>
#include <charconv>

namespace levelfield {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the digits are stored lowest byte first");

// Eight decimal digits at once: halves of four, of two, of one digit, each in a lane of its own.
// The reciprocals are exact for the ranges of their lanes (tested over all of them).
inline uint64_t EightDigits(uint64_t x) {
  const uint64_t high4 = (x * 109951163) >> 40;  // x / 10000 for x < 10^8
  const uint64_t fours = high4 | ((x - high4 * 10000) << 32);
  const uint64_t high2 = ((fours * 10486) >> 20) & 0x0000007f0000007f;  // lane / 100
  const uint64_t twos = high2 | ((fours - high2 * 100) << 16);
  const uint64_t high1 = ((twos * 103) >> 10) & 0x000f000f000f000f;  // lane / 10
  return (high1 | ((twos - high1 * 10) << 8)) + 0x3030303030303030;
}

inline void SixteenDigits(uint64_t index, char* out) {
  const uint64_t high = index / 100'000'000;
  const uint64_t digits[2] = {EightDigits(high), EightDigits(index - high * 100'000'000)};
  std::memcpy(out, digits, sizeof(digits));
}

}  // namespace

void KeyFormat::Format(std::span<const uint64_t> indexes, char* keys) const {
  const size_t padding = key_size_ - kDigits;
  for (const uint64_t index : indexes) {
    std::memset(keys, '0', padding);
    SixteenDigits(index, keys + padding);
    keys += key_size_;
    if (missing_) keys[-1] = static_cast<char>(keys[-1] + 10);
  }
}

std::optional<uint64_t> KeyFormat::Parse(std::string_view key) const {
  uint64_t index = 0;
  if (key.size() != key_size_) return std::nullopt;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error != std::errc() || end != key.data() + key.size() || key[0] == '-') return std::nullopt;
  return index;
}

}  // namespace levelfield
