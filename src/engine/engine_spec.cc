#include "engine/engine_spec.h"

#include <algorithm>

#include "base/quote.h"

namespace levelfield {
namespace {

constexpr size_t kLongestName = 64;
constexpr size_t kLongestVersion = 64;
constexpr size_t kLongestPath = 4095;  // PATH_MAX without its NUL.

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsVersionCharacter(char c) {
  return IsNameCharacter(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
}

Status Refuse(std::string_view text, std::string_view what) {
  return Status::Usage("engine " + Quote(text) + ": " + std::string(what) +
                       "; write name, name@version or name:/path/to/library.so");
}

}  // namespace

StatusOr<EngineSpec> ParseEngineSpec(std::string_view text) {
  EngineSpec spec;
  const size_t separator = text.find_first_of("@:");
  const std::string_view name = text.substr(0, separator);
  if (name.empty()) return Refuse(text, "the name is missing");
  if (name.size() > kLongestName) return Refuse(text, "a name has at most 64 characters");
  if (!std::ranges::all_of(name, IsNameCharacter)) {
    return Refuse(text, "a name is made of a-z, 0-9 and _");
  }
  spec.name = name;
  spec.text = text;
  if (separator == std::string_view::npos) return spec;

  const std::string_view which = text.substr(separator + 1);
  spec.which = which;
  spec.is_path = text[separator] == ':';
  if (spec.is_path) {
    if (which.empty()) return Refuse(text, "the path after ':' is missing");
    if (which.size() > kLongestPath) return Refuse(text, "a path has at most 4095 bytes");
    if (which.find('\0') != which.npos) return Refuse(text, "the path holds a NUL byte");
    return spec;
  }
  if (which.empty()) return Refuse(text, "the version after '@' is missing");
  if (which.size() > kLongestVersion) return Refuse(text, "a version has at most 64 characters");
  if (which.front() == '.' || !std::ranges::all_of(which, IsVersionCharacter)) {
    return Refuse(text, "a version is made of letters, digits, '_', '-', '+' and inner '.'");
  }
  return spec;
}

}  // namespace levelfield
