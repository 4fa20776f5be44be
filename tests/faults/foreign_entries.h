// What the programs that make stores of other programs have in common: 1,000 entries, another order
// of keys, and an end at the first mistake.
#ifndef LEVELFIELD_TESTS_FAULTS_FOREIGN_ENTRIES_H_
#define LEVELFIELD_TESTS_FAULTS_FOREIGN_ENTRIES_H_

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

namespace foreign {

// What went wrong, if anything did.
inline void Check(bool is_right, const std::string& what) {
  if (is_right) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::_Exit(1);
}
inline void Check(int code) { Check(code == 0, "code " + std::to_string(code)); }

using Put = std::function<void(const std::string& key, const std::string& value)>;

inline void PutAll(const Put& put, size_t value_bytes = 100) {
  for (int i = 0; i < 1000; ++i) {
    char key[17];
    std::snprintf(key, sizeof(key), "%016d", i);
    put(key, key + std::string(value_bytes, static_cast<char>('a' + i % 26)));
  }
}

inline int Backwards(const void* a, size_t a_size, const void* b, size_t b_size) {
  const int order = std::memcmp(b, a, std::min(a_size, b_size));
  return order != 0 ? order : a_size < b_size ? 1 : a_size > b_size ? -1 : 0;
}

}  // namespace foreign

#endif  // LEVELFIELD_TESTS_FAULTS_FOREIGN_ENTRIES_H_
