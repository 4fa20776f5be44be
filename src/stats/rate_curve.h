// A rate that changes over time: so many entries a second for so many seconds, then another rate,
// and so on, and behind the last again from the first. As people type it:
//
//     1k:10s,5k:2s            1,000 a second for 10 s, then a burst of 5,000 for 2 s
//     sine 1k..5k every 60s   between the two like a sine, from their middle upwards
//     sine 1k..5k every 60s from 0.25 in steps of 10s +-200
//                             the same from a quarter of the period on, held for 10 s each time at
//                             what it is then, and each time up to 200 higher or lower
//
// Times are had by turning the curve's area into time. A Poisson process of rate 1 that is
// stretched so is one of this rate at each moment (Cinlar, Introduction to Stochastic Processes,
// 1975, 4.7).
//
// Plain data; any thread.
#ifndef LEVELFIELD_STATS_RATE_CURVE_H_
#define LEVELFIELD_STATS_RATE_CURVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

class RateCurve {
 public:
  static constexpr size_t kMostSteps = 10'000;
  static constexpr size_t kMostParts = 24;      // A curve of more steps has no figures of each.
  static constexpr double kLeastSeconds = 0.1;  // Of a step: what is recorded is no finer.

  // A part of the period that has figures of its own: a step, or an eighth of a sine.
  struct Part {
    double begin_seconds = 0;
    double end_seconds = 0;
    double rate = 0;  // The mean.
  };

  RateCurve() = default;

  // Whether a text means a curve and not one rate.
  static bool IsCurve(std::string_view text);
  // The error says what is accepted. New lines separate steps as commas do.
  static StatusOr<RateCurve> Parse(std::string_view text);

  bool empty() const { return steps_.empty(); }
  // As typed, in one line.
  const std::string& text() const { return text_; }

  // When so many entries are due, in nanoseconds from the begin. Where none are due for a while, it
  // is the end of that while. Takes 20 ns.
  uint64_t DueNs(double entries) const;
  // How many are due until then.
  double Entries(double seconds) const;

  double PeriodSeconds() const { return period_seconds_; }
  double MeanRate() const { return entries_ / period_seconds_; }
  double PeakRate() const;
  // How long a thread waits at most for an operation that takes `entries` entries of the rate.
  double LongestWaitSeconds(double entries) const;
  const std::vector<Part>& parts() const { return parts_; }
  // The part at a moment, and when it ends. There are parts.
  size_t PartAt(double seconds) const;
  double PartEndSeconds(double seconds) const;

  bool operator==(const RateCurve& other) const { return text_ == other.text_; }

 private:
  struct Step {
    double rate = 0;
    double end_seconds = 0;  // From the begin of the period,
    double end_entries = 0;  // and what is due by then.
  };

  void Add(double rate, double seconds);
  static StatusOr<RateCurve> ParseSteps(std::string_view text);
  static StatusOr<RateCurve> ParseSine(std::string_view text);

  std::string text_;
  std::vector<Step> steps_;
  std::vector<Part> parts_;
  double period_seconds_ = 0;
  double entries_ = 0;  // That are due in a period.
};

}  // namespace levelfield

#endif  // LEVELFIELD_STATS_RATE_CURVE_H_
