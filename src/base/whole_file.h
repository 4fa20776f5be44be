// A whole file in one call: those of /proc and /sys, which are small and tell no size, and results.
#ifndef LEVELFIELD_BASE_WHOLE_FILE_H_
#define LEVELFIELD_BASE_WHOLE_FILE_H_

#include <fstream>
#include <iterator>
#include <string>

namespace levelfield {

// Empty also where it cannot be read.
inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_WHOLE_FILE_H_
