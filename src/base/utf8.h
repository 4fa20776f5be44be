// Where characters begin and end in bytes that may be anything. Pure, for any thread.
#ifndef LEVELFIELD_BASE_UTF8_H_
#define LEVELFIELD_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace levelfield {

// Bytes of the UTF-8 character at the front of `text`, which is not empty, or 0 when there is none.
// Overlong forms, surrogates and what lies beyond U+10FFFF are none (Unicode 15, table 3-7).
inline size_t CharacterBytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  if (lead == 0xe0 && second < 0xa0) return 0;
  if (lead == 0xed && second > 0x9f) return 0;
  if (lead == 0xf0 && second < 0x90) return 0;
  if (lead == 0xf4 && second > 0x8f) return 0;
  return bytes;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UTF8_H_
