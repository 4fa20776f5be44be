// Latencies in the formats of HdrHistogram (https://hdrhistogram.org), for its readers and plots:
// a log of intervals (.hlog, version 1.3, each histogram in the V2 encoding) and a percentile
// distribution (.hgrm). Pure.
//
// Our buckets are up to 0.78 % wide, HdrHistogram's with three digits up to 0.1 %. The values of
// one of our buckets are put at its middle, as in our percentiles, except for the smallest and the
// greatest value, which are exact. So each value is off by at most 0.4 % plus HdrHistogram's own
// rounding.
#ifndef LEVELFIELD_RESULT_HDR_LOG_H_
#define LEVELFIELD_RESULT_HDR_LOG_H_

#include <cstdint>
#include <string>

#include "stats/histogram.h"

namespace levelfield {

// What stands above the lines. Times are seconds since the phase began: when that was is not known.
std::string HdrLogHeader(const std::string& comment);

// One interval of one kind of operation; `tag` may not hold commas, blanks or line breaks.
std::string HdrLogLine(const std::string& tag, uint64_t begin_ms, uint64_t end_ms,
                       const SparseHistogram& latency_ns);

// Values in nanoseconds, five steps to each halving of what is left.
std::string HdrPercentiles(const SparseHistogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_HDR_LOG_H_
