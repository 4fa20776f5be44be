// The time of day, for people: when a run began, when a store was made. Any thread.
#ifndef LEVELFIELD_BASE_UTC_H_
#define LEVELFIELD_BASE_UTC_H_

#include <array>
#include <ctime>
#include <string>

namespace levelfield {

// "2011-07-01T00:00:00Z"
inline std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm utc;
  gmtime_r(&now, &utc);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UTC_H_
