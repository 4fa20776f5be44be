// Texts, byte by byte: trims, parses and converts them. Pure.
#ifndef LEVELFIELD_BASE_TEXT_H_
#define LEVELFIELD_BASE_TEXT_H_

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levelfield {

// Without the blanks and line ends around it.
std::string_view Trim(std::string_view text);
inline std::string Trimmed(std::string_view text) { return std::string(Trim(text)); }

// The number that the whole text is, as std::from_chars reads it; else nothing.
template <class Number>
std::optional<Number> WholeNumber(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

// A whole decimal number: digits alone, of at most 64 bits; else nothing.
inline std::optional<uint64_t> Digits(std::string_view text) { return WholeNumber<uint64_t>(text); }

// What stands in a result in place of a fact that could not be found out: "unknown: <reason>", or
// "unknown" alone.
inline std::string Unknown(std::string_view reason) {
  return std::string("unknown: ").append(reason);
}
inline bool IsUnknown(std::string_view text) {
  return text == "unknown" || text.starts_with("unknown: ");
}

// The name of an engine in a spec: "rocksdb" of "rocksdb@7.8.3" and of "rocksdb:/a/file.so".
std::string EngineName(std::string_view spec);

// Specs separated by commas, with the engines' names in lower case: "LMDB,RocksDB@7.8.3". What
// stands behind a name, and a plug-in's file ("./Mine.so"), stays as it is.
std::string WithLowerNames(std::string_view specs);

// Bytes of the UTF-8 character at the front of `text`, which is not empty, or 0 if there is none.
// Overlong forms, surrogates and code points beyond U+10FFFF do not count (Unicode 15, table 3-7).
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

// FNV-1a of 64 bits: names a text in 16 hexadecimal digits, the same on every machine. It does not
// protect against forgery.
std::string TextHash(std::string_view text);

// Any bytes, by RFC 4648's Base64, with padding.
std::string Base64(std::string_view bytes);

// How many characters have to be inserted, dropped, replaced or swapped with their neighbour to
// turn one text into the other (Damerau and Levenshtein; no part is edited twice).
size_t EditDistance(std::string_view a, std::string_view b);

// The name with the fewest edits, the first of those that tie. Empty if nothing is near: more than
// a third of the longer of the two would have to change, and the text does not begin with the name.
std::string NearestName(std::string_view text, std::span<const std::string> names);

// "; did you mean 'num'?", for the end of a message; `otherwise` if nothing is near.
std::string DidYouMean(std::string_view text, std::span<const std::string> names,
                       std::string_view otherwise = "");

// Lists of words in one text, as in the lines of a suite. Pure; any thread.

// Its parts, trimmed, without empty ones.
std::vector<std::string> Split(std::string_view text, char separator);

// "a, b and c", or with another `last` word.
std::string Listed(const std::vector<std::string>& words, std::string_view last = "and");

// "1 round", "6 rounds".
std::string Plural(uint64_t count, std::string_view word);

// "a,b,c", or with other text between them.
std::string Joined(const std::vector<std::string>& names, std::string_view between = ",");

// All parts between the separators, unchanged. An empty text has one empty part.
std::vector<std::string> Parts(std::string_view text, char separator);

// The lines of a text, without their ends.
std::vector<std::string> LinesOf(std::string_view text);

// Appends the value unless the list has it.
template <class T>
void AddOnce(std::vector<T>& list, T value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(std::move(value));
}

// A line, broken at spaces so that it has at most so many columns if its words allow that. Further
// lines begin with `indent` blanks.
std::string Wrapped(const std::string& words, size_t indent, size_t columns);

// The text with what a row says instead of its character.
std::string Escaped(std::string_view text, std::span<const std::pair<char, std::string_view>> rows);

// A text for a cell of a spreadsheet, which would take it for a formula if it begins with = + - or @:
// an apostrophe before it prevents that. A number stays as it is.
std::string CellText(const std::string& text);

// Such a text as a field of CSV, quoted by RFC 4180.
std::string CsvField(const std::string& text);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_TEXT_H_
