// A yardstick is a fixed build of an engine that took turns in slices with the others
// (--yardstick). Sessions differ by 10 % and more, but the machine's changes met both alike. So an
// engine's rate as a multiple of the yardstick's is valid across sessions. Pure.
#ifndef LEVELFIELD_ANALYSIS_YARDSTICK_H_
#define LEVELFIELD_ANALYSIS_YARDSTICK_H_

#include <optional>
#include <string>
#include <vector>

#include "analysis/series.h"
#include "result/result.h"
#include "stats/statistics.h"

namespace levelfield {

// The yardstick that ran beside `engine`, in its variant. Null: there is none.
const Series* YardstickOf(const Result& result, const std::vector<Series>& all,
                          const Series& engine);

// Its library and its options. Multiples of two yardsticks compare if this is the same.
std::string BuildOf(const Series& yardstick);

// The logarithms of candidate / baseline, one for each round in which both ran in slices: of the
// quotient of their rates.
std::vector<double> LogRatiosInSlices(const Series& baseline, size_t baseline_place,
                                      const Series& candidate, size_t candidate_place);

// Two results, possibly of two sessions, and the yardsticks that relate their rates.
struct Sessions {
  const Result* before = nullptr;
  const Result* after = nullptr;
  const Series* yardstick_before = nullptr;
  const Series* yardstick_after = nullptr;
  std::string differ = {};  // Why multiples of the yardsticks do not compare. Empty: they may.
};

// candidate / baseline in one workload, both as multiples of the yardstick's rate.
struct RatioOfSessions {
  std::string not_comparable = {};  // Why it is not known. Empty: it is.
  size_t rounds = 0;                // The smaller number of both sessions.
  RateRatio rate = {};
  std::optional<RateRatio> cpu = {};  // The ratio of operations per second of processor time.
};
RatioOfSessions CompareOfSessions(const Sessions& sessions, const Series& baseline,
                                  size_t baseline_place, const Series& candidate,
                                  size_t candidate_place);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_YARDSTICK_H_
