// FNV-1a of 64 bits: names a text in 16 digits, the same on every machine. Not for what somebody
// may forge.
#ifndef LEVELFIELD_BASE_TEXT_HASH_H_
#define LEVELFIELD_BASE_TEXT_HASH_H_

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace levelfield {

inline std::string TextHash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_TEXT_HASH_H_
