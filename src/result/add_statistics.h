// The statistics of one kind of operation in several parts of a whole: rounds, or ranks of a fleet.
#ifndef LEVELFIELD_RESULT_ADD_STATISTICS_H_
#define LEVELFIELD_RESULT_ADD_STATISTICS_H_

#include "result/phase_result.h"

namespace levelfield {

inline void AddStatistics(const OperationStatistics& stats, OperationStatistics& sum) {
  sum.operations += stats.operations;
  sum.hits += stats.hits;
  sum.misses += stats.misses;
  sum.bytes += stats.bytes;
  sum.digest += stats.digest;
  sum.wrong += stats.wrong;
  if (sum.latency_ns && stats.latency_ns) sum.latency_ns->Merge(*stats.latency_ns);
  if (sum.response_ns && stats.response_ns) sum.response_ns->Merge(*stats.response_ns);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ADD_STATISTICS_H_
