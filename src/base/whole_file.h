// A whole file in one call: files of /proc and /sys, which are small and report no size, and
// results.
#ifndef LEVELFIELD_BASE_WHOLE_FILE_H_
#define LEVELFIELD_BASE_WHOLE_FILE_H_

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace levelfield {

// Empty also if it cannot be read: a stream's iterators would throw on an error of the disk.
inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The number after a name at the beginning of a line, as the kernel writes them: "Tgid:   123".
inline std::optional<uint64_t> NumberBehind(std::string_view text, std::string_view name,
                                            int base = 10) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream number(line.substr(name.size()));
    uint64_t value = 0;
    if (number >> std::setbase(base) >> value) return value;
  }
  return std::nullopt;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_WHOLE_FILE_H_
