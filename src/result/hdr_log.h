// Latencies in the formats of HdrHistogram (https://hdrhistogram.org), for its readers and plots:
// a log of intervals (.hlog, version 1.3, each histogram in the V2 encoding) and a percentile
// distribution (.hgrm). Pure.
//
// Our buckets are up to 0.78 % wide, HdrHistogram's with three digits up to 0.1 %. A bucket's
// values are written as its middle, as in our percentiles. The smallest and the greatest value are
// exact. So each value is off by at most 0.4 % plus HdrHistogram's own rounding.
#ifndef LEVELFIELD_RESULT_HDR_LOG_H_
#define LEVELFIELD_RESULT_HDR_LOG_H_

#include <cstdint>
#include <string>

#include "stats/histogram.h"

namespace levelfield {

// The header above the lines. Times are seconds since the phase began, because the time of day of
// its begin is not known.
std::string HdrLogHeader(const std::string& comment);

// One interval of one kind of operation. `tag` must not contain commas, blanks or line breaks.
std::string HdrLogLine(const std::string& tag, uint64_t begin_ms, uint64_t end_ms,
                       const SparseHistogram& latency_ns);

// Values in nanoseconds, with five steps for each halving of the remaining share.
std::string HdrPercentiles(const SparseHistogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_HDR_LOG_H_
