// One result of those of a fleet's ranks (docs/scale.md): their operations together, rated in the
// time in which all of them were under way. Pure.
#ifndef LEVELFIELD_RESULT_RANKS_H_
#define LEVELFIELD_RESULT_RANKS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "result/merge.h"

namespace levelfield {

// The fleet that a result is a rank of; empty: it is of one process, or has no phases.
std::string FleetOf(const Result& result);

// One result of the ranks of one fleet, in any order. A usage error if one is there twice. Where a
// rank is missing, or one of them is void, the phase is void and says whose fault it is.
StatusOr<Result> TogetherOfRanks(const std::vector<PartOfMerge>& parts);

// The operations of that role in a part of the phase, from and to so many seconds after its begin.
double OperationsWithin(const PhaseResult& phase, size_t role, double from_seconds,
                        double to_seconds);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RANKS_H_
