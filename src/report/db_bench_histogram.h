// A histogram as db_bench prints it: its 154 buckets of microseconds, their shares, and bars; and,
// which it never had, percentiles. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_HISTOGRAM_H_
#define LEVELFIELD_REPORT_DB_BENCH_HISTOGRAM_H_

#include <string>

#include "base/histogram.h"

namespace levelfield {

// Count, average, minimum and maximum are exact; a latency within 0.8 % of the limit of a bucket
// may be counted in the next one, and median and percentiles are right to 0.8 % (base/histogram.h).
std::string DbBenchHistogram(const Histogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_HISTOGRAM_H_
