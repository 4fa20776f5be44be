// A whole file in one call: those of /proc and /sys, which are small and tell no size, and results.
#ifndef LEVELFIELD_BASE_WHOLE_FILE_H_
#define LEVELFIELD_BASE_WHOLE_FILE_H_

#include <fstream>
#include <sstream>
#include <string>

namespace levelfield {

// Empty also where it cannot be read: a stream's iterators would throw on an error of the disk.
inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_WHOLE_FILE_H_
