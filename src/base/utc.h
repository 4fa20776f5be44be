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

// The same moment as ctime(3) writes it, in UTC: "Fri Jul  1 00:00:00 2011". Another text stays as
// it is.
inline std::string CalendarText(const std::string& utc) {
  std::tm parts{};
  const char* const end = strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return utc;
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Y", &parts);
  return text.data();
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UTC_H_
