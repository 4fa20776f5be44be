// Estimated latencies of closed loops for a client that does not wait. They stand beside the
// measured ones and are labelled as estimates. Pure.
#ifndef LEVELFIELD_REPORT_CORRECTED_REPORT_H_
#define LEVELFIELD_REPORT_CORRECTED_REPORT_H_

#include <cstdint>

#include "report/model.h"
#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

// A closed loop omits latencies: while one call takes long, its client sends nothing, so the calls
// that would have waited are missing. They are filled in as HdrHistogram does it
// (hdr_record_corrected_value). A call of `latency` stands for further calls of latency - expected,
// latency - 2 * expected, ..., as if the client had wanted a call every `expected` and each had
// waited for the same end. This assumes a client that nobody has seen. It is an estimate, never a
// measurement. Pure.

// An `expected_ns` of 0 returns the same latencies.
SparseHistogram CorrectedLatency(const SparseHistogram& latency_ns, uint64_t expected_ns);

// The interval between two calls of one of the role's threads: the one that its rate requires,
// otherwise the average. 0: it made no call.
uint64_t ExpectedIntervalNs(const RoleResult& role);

// For each workload of each engine, all rounds together. `expected_ns` is the time between two
// operations of one client. 0: that of the workload's own threads.
Report CorrectedReport(const Result& result, uint64_t expected_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CORRECTED_REPORT_H_
