// Estimated latencies of closed loops, as a client would have met them that does not wait
// (analysis/corrected_latency.h). They stand beside the measured ones and are labelled as
// estimates. Pure.
#ifndef LEVELFIELD_REPORT_CORRECTED_REPORT_H_
#define LEVELFIELD_REPORT_CORRECTED_REPORT_H_

#include <cstdint>

#include "report/model.h"
#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

// What the latencies of a closed loop leave out: while one call takes long, its client asks
// nothing, and so the calls that would have waited meanwhile are missing. Filled in as HdrHistogram
// does it (hdr_record_corrected_value): a call of `latency` stands for further ones of latency -
// expected, latency - 2 * expected, ..., as if the client had wanted one every `expected` and each
// had waited for the same end. That is a supposition, about clients whom nobody has seen: an
// estimate, never a measurement. Pure.

// `expected_ns` of 0 supposes nothing and gives the same latencies again.
SparseHistogram CorrectedLatency(const SparseHistogram& latency_ns, uint64_t expected_ns);

// What the role's own threads took from one call to the next: what its rate asked for, or else the
// average. 0: it made no call.
uint64_t ExpectedIntervalNs(const RoleResult& role);

// Of each workload of each engine, all rounds together. `expected_ns` is the time between two
// operations of one client; 0: that of the workload's own threads.
Report CorrectedReport(const Result& result, uint64_t expected_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CORRECTED_REPORT_H_
