// A histogram as db_bench prints it: buckets of microseconds, their shares, and bars. Percentiles
// are added, which LevelDB's histogram lacks. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_
#define LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_

#include <string>
#include <string_view>

#include "settings/dialects/dialect.h"
#include "stats/histogram.h"

namespace levelfield {

// Count, average, minimum and maximum are exact. A latency within 0.8 % of a bucket's limit may be
// counted in the next bucket, and median and percentiles are exact to 0.8 % (stats/histogram.h).
// `what` is RocksDB's word for the measured operations: "read".
std::string DbBenchHistogram(const SparseHistogram& latency_ns, Lines lines = Lines::kLevelDb,
                             std::string_view what = "op");

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_HISTOGRAM_H_
