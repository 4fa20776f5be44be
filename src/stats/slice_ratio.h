// The ratio of two processes that took turns in slices of a few milliseconds. Whatever the machine
// did meanwhile met both alike, so the ratio of their rates is known to some tenths of a percent
// although the rates themselves scatter by ten percent. Pure.
//
// The n-th slices of both make a pair. Neighbouring pairs make blocks, long enough to be nearly
// independent of each other. A block's ratio is that of its sums. It is less biased than ratios of
// single slices, in which a background thread or another process is everything or nothing. The
// ratio of a process pair is the mean of its blocks' logarithms without the outermost ones. How a
// process's memory happens to lie stays the same for its whole life, so several process pairs are
// needed. The interval is Student's over the process pairs: it holds whatever the slices of one
// pair depend on.
#ifndef LEVELFIELD_STATS_SLICE_RATIO_H_
#define LEVELFIELD_STATS_SLICE_RATIO_H_

#include <cstdint>
#include <optional>
#include <span>

#include "stats/statistics.h"

namespace levelfield {

// Per process, one value a slice.
struct SlicedWork {
  std::span<const uint64_t> operations;
  std::span<const uint64_t> active_ns;
  std::span<const uint64_t> kept_ns = {};  // Time in which others had the processors. Empty: none.
};

// The logarithm of candidate / baseline for one pair of processes. Nothing if there is no slice in
// which both did anything. Slices that only one of them has are left out, unless one has less than
// ten: a phase of two slices may have a first slice of 40 us.
std::optional<double> LogRatioOfSlices(const SlicedWork& baseline, const SlicedWork& candidate);

// With fewer pairs of processes there is no interval.
inline constexpr size_t kLeastProcessPairs = 3;

// From the logarithms of the pairs.
inline RateRatio CompareProcessPairs(std::span<const double> logarithms, double confidence = 0.95) {
  return CompareRounds(logarithms, kLeastProcessPairs, confidence);
}

// The ratio of both ratios of two sessions. Each session has the logarithms of its pairs of an
// engine and the same yardstick. Uses Welch's interval, because sessions are not equally noisy.
inline RateRatio CompareSessions(std::span<const double> baseline,
                                 std::span<const double> candidate, double confidence = 0.95) {
  return CompareUnpaired(baseline, candidate, kLeastProcessPairs, confidence);
}

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_SLICE_RATIO_H_
