// Bytes as hostile, careless and foreign users type them, drawn from a seed.
#ifndef LEVELFIELD_TESTS_ANY_BYTES_DRAWN_BYTES_H_
#define LEVELFIELD_TESTS_ANY_BYTES_DRAWN_BYTES_H_

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

class DrawnBytes {
 public:
  explicit DrawnBytes(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t bound) { return random_() % bound; }
  template <class T>
  const T& OneOf(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

  // What a word, a variable or a file may be: no NUL.
  std::string Text(size_t most = 300);
  // One name of a directory or a file of a file system: 1 to 255 bytes, no '/', not "." or "..".
  std::string Name(size_t most = 255);
  // A path that stays below the working directory.
  std::string Path();
  // A text with some of its bytes changed, taken out, doubled or put in.
  std::string Damaged(std::string text);

 private:
  std::string Part();

  std::mt19937_64 random_;
};

// With all but ordinary letters as \x.., as bash takes it in $'...'.
std::string Shown(std::string_view bytes);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_ANY_BYTES_DRAWN_BYTES_H_
