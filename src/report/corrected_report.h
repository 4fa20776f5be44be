// Latencies of closed loops with what a client who does not wait would have met besides, filled in
// by calculation (analysis/corrected_latency.h), beside those that were measured, and labelled as
// the estimate that they are. Pure.
#ifndef LEVELFIELD_REPORT_CORRECTED_REPORT_H_
#define LEVELFIELD_REPORT_CORRECTED_REPORT_H_

#include <cstdint>

#include "report/model.h"

namespace levelfield {

// Of each workload of each engine, all rounds together. `expected_ns` is the time between two
// operations of one client; 0: that of the workload's own threads.
Report CorrectedReport(const Result& result, uint64_t expected_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CORRECTED_REPORT_H_
