// A text without the blanks and line ends around it. Pure; any thread.
#ifndef LEVELFIELD_BASE_TRIM_H_
#define LEVELFIELD_BASE_TRIM_H_

#include <string>
#include <string_view>

namespace levelfield {

inline std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}
inline std::string Trimmed(std::string_view text) { return std::string(Trim(text)); }

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_TRIM_H_
