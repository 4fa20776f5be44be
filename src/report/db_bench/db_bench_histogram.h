// A histogram as db_bench prints it: its buckets of microseconds, their shares, and bars; and,
// which LevelDB's never had, percentiles. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_
#define LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_

#include <string>
#include <string_view>

#include "settings/dialects/dialect.h"
#include "stats/histogram.h"

namespace levelfield {

// Count, average, minimum and maximum are exact; a latency within 0.8 % of the limit of a bucket
// may be counted in the next one, and median and percentiles are right to 0.8 %
// (stats/histogram.h). `what` is what RocksDB's program says the microseconds are of: "read".
std::string DbBenchHistogram(const SparseHistogram& latency_ns, Lines lines = Lines::kLevelDb,
                             std::string_view what = "op");

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_
