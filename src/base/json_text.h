// JSON whose texts may be any bytes: a path, a command line, what an engine says. JSON has only
// UTF-8, so a byte b that belongs to no UTF-8 character is written as the character U+EF00 + b
// (U+EF80 to U+EFFF, of private use) and read back as that byte. If a text itself contains one of
// these 128 characters, its three bytes are written this way. Reading gives what was written,
// whatever that was; other programs read valid JSON. docs/reference/result_format.md documents
// this.
//
// All JSON that leaves this program is made here, and ParseBoundedJson reads it: nlohmann's dump()
// throws on such bytes, or loses them. Pure, for any thread.
#ifndef LEVELFIELD_BASE_JSON_TEXT_H_
#define LEVELFIELD_BASE_JSON_TEXT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

std::string Utf8OfBytes(std::string_view bytes);
std::string BytesOfUtf8(std::string_view text);

enum class Letters { kUtf8, kAscii };  // ASCII: what people print on terminals, too.

// On one line, or indented by so many blanks. `Json` is nlohmann's, ordered or not.
template <class Json>
std::string JsonText(const Json& json, int indent = -1, Letters letters = Letters::kUtf8);

// The way back, for this program's own messages. Throws Json::exception if it is not JSON.
nlohmann::ordered_json ParseJsonText(std::string_view text);

// The way back, for what somebody else wrote: a file, or the output of a process that an engine
// lives in. Its demands are bounded: 32 levels, and 1024 members of an object, which are searched
// one by one (a megabyte of them would take minutes). The caller must bound its length. The status
// says why it cannot be read, and names no file.
StatusOr<nlohmann::ordered_json> ParseBoundedJson(std::string_view text);

// Throws Json::exception if it is anything else, or another number: none is cut to be a count.
template <class Json>
uint64_t CountOf(const Json& number) {
  return number.template get_ref<const uint64_t&>();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_JSON_TEXT_H_
