// A yardstick: a fixed build of an engine that took turns in slices with the others (--yardstick).
// Sessions differ by 10 % and more, but what the machine did met both alike. So the rate of an
// engine as a multiple of the yardstick's carries over to other sessions. Pure.
#ifndef LEVELFIELD_ANALYSIS_YARDSTICK_H_
#define LEVELFIELD_ANALYSIS_YARDSTICK_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "result/result.h"

namespace levelfield {

// The one that ran beside `engine`, in its variant; null: there is none.
const Series* YardstickOf(const Result& result, const std::vector<Series>& all,
                          const Series& engine);

// Its library and its options. Multiples of two yardsticks compare if this is the same.
std::string BuildOf(const Series& yardstick);

// The logarithms of candidate / baseline, one for each round in which both ran in slices.
std::vector<double> LogRatiosInSlices(const Series& baseline, size_t baseline_place,
                                      const Series& candidate, size_t candidate_place);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_YARDSTICK_H_
