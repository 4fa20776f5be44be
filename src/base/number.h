// Numbers for people: at most three significant digits, with units that keep them short.
#ifndef LEVELFIELD_BASE_NUMBER_H_
#define LEVELFIELD_BASE_NUMBER_H_

#include <cstdint>
#include <string>

namespace levelfield {

inline constexpr double kMiB = 1 << 20;

// A figure as the whole number that is shown. Foreign results may have figures beyond 64 bits or
// NaN, whose conversion C++ leaves undefined.
uint64_t Whole(double figure);

std::string Rate(double per_second);               // "1.23 M", "45.6 k", "789"; "n/a": none
std::string Latency(uint64_t nanoseconds);         // "850 ns", "12.3 us", "4.56 ms", "20.0 s"
std::string Size(uint64_t bytes);                  // "11.1 MiB"
std::string Grouped(uint64_t count);               // "1,000,000"
std::string GroupedText(const std::string& text);  // The same for digits. Others stay as they are.
std::string Times(double ratio);                   // "0.72x", "1.05x", "0.0085x"
std::string Percent(double share);                 // "84 %"
std::string Significant(double value);             // "4,030,000", "9.74", "0.0261"; "n/a": none

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_NUMBER_H_
