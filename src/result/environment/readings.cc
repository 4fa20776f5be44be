#include "result/environment/readings.h"

#include <fmt/format.h>

#include <sstream>

#include "base/text.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

Json Unknown(std::string_view reason) { return fmt::format("unknown: {}", reason); }

std::vector<std::string> PartsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Json NumberOrText(const std::string& text) {
  const std::optional<uint64_t> number = Digits(text);
  return number ? Json(*number) : Json(text);
}

Json Line(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  return text.ok() ? NumberOrText(*text) : Unknown(text.status().message());
}

StatusOr<std::vector<uint64_t>> NumberList(const Machine& machine, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  std::vector<uint64_t> numbers;
  for (const std::string& range : PartsOf(text, ',')) {
    const size_t dash = range.find('-');
    const std::optional<uint64_t> first = Digits(range.substr(0, dash));
    const std::optional<uint64_t> last =
        dash == std::string::npos ? first : Digits(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 65536) {
      return Status::Failed(fmt::format("{} says \"{}\"", path, text));
    }
    for (uint64_t number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

Json CountOfList(const Machine& machine, const char* path) {
  const StatusOr<std::vector<uint64_t>> numbers = NumberList(machine, path);
  return numbers.ok() ? Json(numbers->size()) : Unknown(numbers.status().message());
}

}  // namespace levelfield
