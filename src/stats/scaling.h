// How a rate grows with threads, by Gunther's universal scalability law:
//
//     X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
//
// lambda is the rate of one thread, sigma the share of work that only one thread can do at a time,
// kappa what threads lose by waiting for each other's news. N/X is linear in 1/lambda, sigma/lambda
// and kappa/lambda, so the fit is a linear regression. Its weights make relative errors count
// alike. The intervals of 95 % are Student's, by the delta method. Pure.
#ifndef LEVELFIELD_STATS_SCALING_H_
#define LEVELFIELD_STATS_SCALING_H_

#include <cstdint>
#include <optional>
#include <span>

#include "base/status.h"
#include "stats/statistics.h"

namespace levelfield {

struct ScalingPoint {
  uint64_t threads = 0;
  double rate = 0;  // Above 0.
};

struct ScalingFit {
  double lambda = 0;
  double sigma = 0;
  double kappa = 0;
  Interval sigma_interval;
  Interval kappa_interval;
  // The number of threads beyond which the rate falls; nothing if kappa is not above 0.
  std::optional<double> peak_threads;

  double RateOf(double threads) const {
    return lambda * threads / (1 + sigma * (threads - 1) + kappa * threads * (threads - 1));
  }
};

// With fewer numbers of threads, three unknowns leave hardly a point to test the fit.
inline constexpr size_t kLeastThreadCounts = 5;

// kUsage: too few different numbers of threads, or points that fit no such law.
StatusOr<ScalingFit> FitScaling(std::span<const ScalingPoint> points);

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_SCALING_H_
