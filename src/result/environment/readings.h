// Turns texts of a machine's files into field values, for several readers. Any thread may call.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_READINGS_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_READINGS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "result/environment/machine.h"

namespace levelfield {

// "unknown: <reason>", the value of a field that could not be read.
nlohmann::ordered_json Unknown(std::string_view reason);

std::vector<std::string> PartsOf(const std::string& text, char separator);
nlohmann::ordered_json NumberOrText(const std::string& text);

// The content of a file of one line.
nlohmann::ordered_json Line(const Machine& machine, const char* path);
// "0-3,8" -> 0 1 2 3 8
StatusOr<std::vector<uint64_t>> NumberList(const Machine& machine, const std::string& path);
// The count of the numbers in such a list.
nlohmann::ordered_json CountOfList(const Machine& machine, const char* path);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_READINGS_H_
