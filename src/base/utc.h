// The time of day, for people: when a run began, when a store was made. Any thread.
#ifndef LEVELFIELD_BASE_UTC_H_
#define LEVELFIELD_BASE_UTC_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>

namespace levelfield {

// Nanoseconds since 1970.
inline uint64_t UtcNowNs() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
}

// A moment as strftime(3) writes it.
inline std::string UtcText(uint64_t utc_ns, const char* format) {
  const auto seconds = static_cast<std::time_t>(utc_ns / 1'000'000'000);
  std::tm utc;
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), format, &utc);
  return text.data();
}

// "2011-07-01T00:00:00Z"
inline std::string UtcText(uint64_t utc_ns) { return UtcText(utc_ns, "%Y-%m-%dT%H:%M:%SZ"); }

inline std::string UtcNow() { return UtcText(UtcNowNs()); }

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
