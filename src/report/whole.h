// A figure of a result as the whole number that is shown. What somebody else wrote may be beyond 64
// bits, or no number at all: C++ leaves the conversion of those undefined. Pure.
#ifndef LEVELFIELD_REPORT_WHOLE_H_
#define LEVELFIELD_REPORT_WHOLE_H_

#include <cstdint>
#include <limits>

namespace levelfield {

inline uint64_t Whole(double figure) {
  if (!(figure > 0)) return 0;  // So is what is not a number.
  return figure < 0x1p64 ? static_cast<uint64_t>(figure) : std::numeric_limits<uint64_t>::max();
}

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_WHOLE_H_
