// JSON that somebody else wrote: a file, or the words of a process that an engine lives in. What it
// can ask of us is bounded: 32 levels, and 1024 members of an object, which are searched one by one
// (a megabyte of them would take minutes). Its length is for the caller to bound. Texts are bytes
// again, whatever base/json_text.h wrote them as. Pure.
#ifndef LEVELFIELD_BASE_BOUNDED_JSON_H_
#define LEVELFIELD_BASE_BOUNDED_JSON_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace levelfield {

// Why it cannot be read; the message names no file.
StatusOr<nlohmann::ordered_json> ParseBoundedJson(std::string_view text);

// Throws Json::exception where it is anything else, or another number: none is cut to be a count.
template <class Json>
uint64_t CountOf(const Json& number) {
  return number.template get_ref<const uint64_t&>();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_BOUNDED_JSON_H_
