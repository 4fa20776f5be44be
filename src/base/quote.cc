#include "base/quote.h"

#include <algorithm>

#include "base/text.h"

namespace levelfield {
namespace {

// U+202A to U+202E and U+2066 to U+2069 change the direction of what follows them.
bool TurnsText(std::string_view character) {
  return (character >= "\u202a" && character <= "\u202e") ||
         (character >= "\u2066" && character <= "\u2069");
}

// All but those in `kept`.
std::string WithoutControls(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    const auto lead = static_cast<unsigned char>(text.front());
    // U+0080 to U+009F are controls too: terminals take U+009B for ESC [.
    const bool is_c1 = bytes == 2 && lead == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    const bool is_control = (lead < 0x20 && kept.find(text.front()) == kept.npos) || lead == 0x7f;
    if (bytes == 0 || is_control || is_c1 || TurnsText(text.substr(0, bytes))) {
      out += '?';
      text.remove_prefix(std::max<size_t>(bytes, 1));
    } else {
      out += text.substr(0, bytes);
      text.remove_prefix(bytes);
    }
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return WithoutControls(text, ""); }

std::string PrintableLines(std::string_view text) { return WithoutControls(text, "\n\t"); }

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
