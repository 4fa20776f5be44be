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

// The first `front` and the last `back` bytes, or a little less, so that no character is cut.
std::string WithoutMiddle(std::string_view text, size_t front, size_t back) {
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  size_t behind = text.size() - back;
  while (front > 0 && is_inside(text[front])) --front;
  while (behind < text.size() && is_inside(text[behind])) ++behind;
  return std::string(text.substr(0, front)) + "..." + std::string(text.substr(behind));
}

}  // namespace

std::string Printable(std::string_view text) { return WithoutControls(text, ""); }

std::string PrintableLines(std::string_view text) { return WithoutControls(text, "\n\t"); }

std::string Shortened(std::string_view message) {
  constexpr size_t kLongestWord = 1 << 10;
  constexpr size_t kLongest = 8 << 10;
  std::string out;
  while (!message.empty()) {
    const size_t end = std::min(message.find_first_of(" \n"), message.size() - 1) + 1;
    const std::string_view word = message.substr(0, end);
    out += word.size() > kLongestWord ? WithoutMiddle(word, 200, 20) : std::string(word);
    message.remove_prefix(end);
  }
  return out.size() > kLongest ? WithoutMiddle(out, kLongest / 2, kLongest / 4) : out;
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
