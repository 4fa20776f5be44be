// The figures far below the fastest, and where the time of an operation goes there: computing,
// waiting for syncs or for the device. So a reader sees whether an engine does more than the others
// or waits, and for what. From what was measured alone. Pure.
#ifndef LEVELFIELD_REPORT_FAR_BEHIND_H_
#define LEVELFIELD_REPORT_FAR_BEHIND_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "analysis/standings.h"

namespace levelfield {

// "Below a tenth of the fastest: open takes wiredtiger 38.1 ms (81 % in 27 syncs, 14 % computing)."
// A figure that the kernel's read-ahead decides has a sentence of its own (analysis/read_ahead.h).
// Empty: there is no other. `shown` are those of `screen`.
std::string FarBehindWords(const Standings& screen, const std::vector<const Series*>& shown);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FAR_BEHIND_H_
