// A whole decimal number. Pure; any thread.
#ifndef LEVELFIELD_BASE_DIGITS_H_
#define LEVELFIELD_BASE_DIGITS_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace levelfield {

// Digits alone, of at most 64 bits; else nothing.
inline std::optional<uint64_t> Digits(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_DIGITS_H_
