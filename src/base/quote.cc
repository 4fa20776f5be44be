#include "base/quote.h"

#include <algorithm>

namespace levelfield {
namespace {

// Bytes of the UTF-8 character at the front of `text`, or 0 when there is none. Overlong forms,
// surrogates and what lies beyond U+10FFFF are none (Unicode 15, table 3-7).
size_t CharacterBytes(std::string_view text) {
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

// U+202A to U+202E and U+2066 to U+2069 change the direction of what follows them.
bool TurnsText(std::string_view character) {
  return (character >= "\u202a" && character <= "\u202e") ||
         (character >= "\u2066" && character <= "\u2069");
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    const auto lead = static_cast<unsigned char>(text.front());
    // U+0080 to U+009F are controls too: terminals take U+009B for ESC [.
    const bool is_c1 = bytes == 2 && lead == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    if (bytes == 0 || lead < 0x20 || lead == 0x7f || is_c1 || TurnsText(text.substr(0, bytes))) {
      out += '?';
      text.remove_prefix(std::max<size_t>(bytes, 1));
    } else {
      out += text.substr(0, bytes);
      text.remove_prefix(bytes);
    }
  }
  return out;
}

std::string Quote(std::string_view text, size_t most) {
  const bool is_cut = text.size() > most;
  if (is_cut) {
    // Not inside a character.
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
    text = text.substr(0, most);
  }
  return '"' + Printable(text) + (is_cut ? "...\"" : "\"");
}

}  // namespace levelfield
