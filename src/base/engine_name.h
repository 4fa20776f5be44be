// The name of an engine in a spec of it: "rocksdb" of "rocksdb@7.8.3" and of "rocksdb:/a/file.so".
// Pure; any thread.
#ifndef LEVELFIELD_BASE_ENGINE_NAME_H_
#define LEVELFIELD_BASE_ENGINE_NAME_H_

#include <string>
#include <string_view>

namespace levelfield {

inline std::string EngineName(std::string_view spec) {
  return std::string(spec.substr(0, spec.find_first_of("@:")));
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_ENGINE_NAME_H_
