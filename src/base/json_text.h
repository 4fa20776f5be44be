// JSON of texts that may be any bytes: a path, a command line, what an engine says. JSON has UTF-8
// alone, so a byte b that belongs to no UTF-8 character is written as the character U+EF00 + b
// (U+EF80 to U+EFFF, of private use) and read back as that byte. Where one of these
// 128 characters stands in a text itself, its own three bytes are written so. Reading gives what
// was written, whatever that was; other programs read valid JSON. docs/result_format.md tells them.
//
// All JSON that leaves this program is made here, and ParseBoundedJson (base/bounded_json.h) reads
// it: nlohmann's dump() throws on such bytes, or loses them. Pure, for any thread.
#ifndef LEVELFIELD_BASE_JSON_TEXT_H_
#define LEVELFIELD_BASE_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace levelfield {

std::string Utf8OfBytes(std::string_view bytes);
std::string BytesOfUtf8(std::string_view text);

enum class Letters { kUtf8, kAscii };  // ASCII: what people print on terminals, too.

// On one line, or indented by so many blanks. `Json` is nlohmann's, ordered or not.
template <class Json>
std::string JsonText(const Json& json, int indent = -1, Letters letters = Letters::kUtf8);

// The way back, for what this program said to itself. Throws Json::exception where it is no JSON.
nlohmann::ordered_json ParseJsonText(std::string_view text);
// Makes all texts in it, names of members too, what they were before JsonText.
void RestoreBytes(nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_JSON_TEXT_H_
