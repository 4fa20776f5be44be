#include "stats/rate_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "base/quote.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr std::string_view kSine = "sine ";
constexpr std::string_view kAccepted =
    "steps like `1k:10s,5k:2s` (a rate and for how long), or `sine 1k..5k every 60s`, perhaps with "
    "`from 0.25`, `in steps of 10s` and `+-200` behind it";
constexpr uint64_t kMostRate = 1'000'000'000;  // As of any rate.
constexpr int kStepsOfSine = 400;  // Each a quarter of a per cent of the period, at its mean.
constexpr int kPartsOfSine = 8;

Status Refused(const std::string& why) {
  return Status::Usage(fmt::format("{}; {} are accepted", why, kAccepted));
}

std::optional<double> RateIn(std::string_view text) {
  constexpr std::string_view kASecond = "/s";
  if (text.ends_with(kASecond)) text.remove_suffix(kASecond.size());
  const StatusOr<uint64_t> rate = ParseCount(text);
  if (!rate.ok() || *rate > kMostRate) return std::nullopt;
  return static_cast<double>(*rate);
}

// What may stand behind a sine, in this order: "from 0.25 in steps of 10s +-200".
struct SineDetails {
  double begin = 0;         // The part of the period that is over when it begins.
  double step_seconds = 0;  // For so long the rate is that of the step's begin. 0: it has no steps.
  double noise = 0;         // Each step is up to so much higher or lower, a second.
};

// Takes them from the end of the text. Nothing: they are wrong.
std::optional<SineDetails> TakeDetails(std::string_view& text) {
  constexpr std::string_view kFrom = " from ";
  constexpr std::string_view kSteps = " in steps of ";
  constexpr std::string_view kNoise = " +-";
  const auto take = [&](std::string_view name) -> std::optional<std::string_view> {
    const size_t at = text.find(name);
    if (at == text.npos) return std::nullopt;
    const std::string_view value = Trim(text.substr(at + name.size()));
    text = text.substr(0, at);
    return value;
  };
  SineDetails details;
  if (const auto value = take(kNoise)) {
    const std::optional<double> rate = RateIn(*value);
    if (!rate || text.find(kSteps) == text.npos) return std::nullopt;
    details.noise = *rate;
  }
  if (const auto value = take(kSteps)) {
    const StatusOr<double> seconds = ParseSeconds(*value);
    if (!seconds.ok() || *seconds < RateCurve::kLeastSeconds) return std::nullopt;
    details.step_seconds = *seconds;
  }
  if (const auto value = take(kFrom)) {
    const std::optional<double> begin = WholeNumber<double>(*value);
    if (!begin || !(*begin >= 0 && *begin <= 1)) return std::nullopt;
    details.begin = *begin;
  }
  return details;
}

// How many steps there are until the sine and its steps begin anew together. If that is never or
// too far off, or each step has its noise, as many as there may be.
size_t StepsOf(const SineDetails& details, double period_seconds) {
  constexpr double kSame = 1e-9;
  const double periods_in_step = details.step_seconds / period_seconds;
  for (size_t n = 1; n <= RateCurve::kMostSteps; ++n) {
    const double periods = periods_in_step * static_cast<double>(n);
    if (std::abs(periods - std::round(periods)) > kSame * static_cast<double>(n)) continue;
    return details.noise == 0 ? n : RateCurve::kMostSteps / n * n;
  }
  return RateCurve::kMostSteps;
}

// From -1 to 1, the same for the same step.
double NoiseOf(size_t step) { return static_cast<double>(Mix64(step) >> 11) * 0x1p-52 - 1; }

// The mean of a sine between two moments, in periods.
double MeanOfSine(double low, double high, double begin, double end) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const double area = (std::cos(kTurn * begin) - std::cos(kTurn * end)) / kTurn;
  return (low + high) / 2 + (high - low) / 2 * area / (end - begin);
}

}  // namespace

bool RateCurve::IsCurve(std::string_view text) {
  return text.starts_with(kSine) || text.find(':') != text.npos;
}

StatusOr<RateCurve> RateCurve::Parse(std::string_view text) {
  return text.starts_with(kSine) ? ParseSine(text) : ParseSteps(text);
}

StatusOr<RateCurve> RateCurve::ParseSteps(std::string_view text) {
  RateCurve curve;
  std::string words;  // Without what stands behind a `#`.
  for (const std::string& line : Split(text, '\n')) words += line.substr(0, line.find('#')) + ",";
  for (const std::string& word : Split(words, ',')) {
    const std::string_view step = Trim(word);
    if (step.empty()) continue;
    const size_t colon = step.find(':');
    const std::optional<double> rate = RateIn(Trim(step.substr(0, colon)));
    if (colon == step.npos || !rate) {
      return Refused(fmt::format("`{}` is no step", Printable(std::string(step))));
    }
    const StatusOr<double> seconds = ParseSeconds(Trim(step.substr(colon + 1)));
    if (!seconds.ok() || *seconds < kLeastSeconds) {
      return Refused(fmt::format("`{}` does not last for a time of {} s or more",
                                 Printable(std::string(step)), kLeastSeconds));
    }
    if (curve.steps_.size() == kMostSteps) {
      return Refused(fmt::format("there are more than {} steps", kMostSteps));
    }
    const double begin_seconds = curve.period_seconds_;
    curve.Add(*rate, *seconds);
    curve.parts_.push_back({begin_seconds, curve.period_seconds_, *rate});
    curve.text_ += (curve.text_.empty() ? "" : ",") + std::string(step);
  }
  if (curve.entries_ == 0) return Refused("nothing is ever due");
  if (curve.parts_.size() > kMostParts) curve.parts_.clear();
  return curve;
}

StatusOr<RateCurve> RateCurve::ParseSine(std::string_view text) {
  constexpr std::string_view kTo = "..";
  constexpr std::string_view kEvery = " every ";
  std::string_view words = Trim(text.substr(kSine.size()));
  const std::optional<SineDetails> details = TakeDetails(words);
  if (!details) return Refused(fmt::format("`{}` is no sine", Printable(std::string(text))));
  const size_t to = words.find(kTo);
  const size_t every = words.find(kEvery);
  if (to == words.npos || every == words.npos || every < to) {
    return Refused(fmt::format("`{}` is no sine", Printable(std::string(text))));
  }
  const std::optional<double> low = RateIn(Trim(words.substr(0, to)));
  const size_t high_begin = to + kTo.size();
  const std::optional<double> high = RateIn(Trim(words.substr(high_begin, every - high_begin)));
  const StatusOr<double> seconds = ParseSeconds(Trim(words.substr(every + kEvery.size())));
  const bool are_rates = low && high && *low < *high;
  const bool has_steps = details->step_seconds != 0;
  const double least_seconds = has_steps ? kLeastSeconds : kPartsOfSine * kLeastSeconds;
  if (!are_rates || !seconds.ok() || *seconds < least_seconds) {
    return Refused(fmt::format(
        "`{}`: a sine goes from a rate to a higher one, in a period of {:.1f} s or more",
        Printable(std::string(text)), least_seconds));
  }
  RateCurve curve;
  curve.text_ = text;
  for (size_t i = 0; has_steps && i < StepsOf(*details, *seconds); ++i) {
    const double begin_seconds = curve.period_seconds_;
    const double periods =
        details->begin + static_cast<double>(i) * details->step_seconds / *seconds;
    const double rate = (*low + *high) / 2 +
                        (*high - *low) / 2 * std::sin(2 * std::numbers::pi * periods) +
                        details->noise * NoiseOf(i);
    curve.Add(std::max(rate, 0.0), details->step_seconds);
    curve.parts_.push_back({begin_seconds, curve.period_seconds_, std::max(rate, 0.0)});
  }
  if (curve.parts_.size() > kMostParts) curve.parts_.clear();
  if (has_steps && curve.entries_ == 0) return Refused("nothing is ever due");
  if (has_steps) return curve;
  for (int i = 0; i < kStepsOfSine; ++i) {
    const double begin = details->begin + static_cast<double>(i) / kStepsOfSine;
    const double end = details->begin + static_cast<double>(i + 1) / kStepsOfSine;
    curve.Add(MeanOfSine(*low, *high, begin, end), *seconds / kStepsOfSine);
  }
  for (int i = 0; i < kPartsOfSine; ++i) {
    const double begin = static_cast<double>(i) / kPartsOfSine;
    const double end = static_cast<double>(i + 1) / kPartsOfSine;
    curve.parts_.push_back({begin * *seconds, end * *seconds,
                            MeanOfSine(*low, *high, details->begin + begin, details->begin + end)});
  }
  return curve;
}

void RateCurve::Add(double rate, double seconds) {
  period_seconds_ += seconds;
  entries_ += rate * seconds;
  steps_.push_back({rate, period_seconds_, entries_});
}

uint64_t RateCurve::DueNs(double entries) const {
  const double periods = std::floor(entries / entries_);
  const double of_period = entries - periods * entries_;
  auto step = std::ranges::upper_bound(steps_, of_period, {}, &Step::end_entries);
  // Rounding may leave as much as the period has.
  while (step == steps_.end() || step->rate == 0) --step;
  const double left_seconds = (step->end_entries - of_period) / step->rate;
  const double seconds = periods * period_seconds_ + step->end_seconds - left_seconds;
  return static_cast<uint64_t>(std::max(seconds, 0.0) * 1e9 + 0.5);
}

double RateCurve::Entries(double seconds) const {
  const double periods = std::floor(seconds / period_seconds_);
  const double of_period = seconds - periods * period_seconds_;
  const auto step = std::ranges::upper_bound(steps_, of_period, {}, &Step::end_seconds);
  if (step == steps_.end()) return (periods + 1) * entries_;
  const double left = (step->end_seconds - of_period) * step->rate;
  return periods * entries_ + step->end_entries - left;
}

size_t RateCurve::PartAt(double seconds) const {
  const double of_period = seconds - std::floor(seconds / period_seconds_) * period_seconds_;
  const auto part = std::ranges::upper_bound(parts_, of_period, {}, &Part::end_seconds);
  return part == parts_.end() ? parts_.size() - 1 : static_cast<size_t>(part - parts_.begin());
}

double RateCurve::PartEndSeconds(double seconds) const {
  const double periods = std::floor(seconds / period_seconds_);
  return periods * period_seconds_ + parts_[PartAt(seconds)].end_seconds;
}

double RateCurve::PeakRate() const { return std::ranges::max(steps_, {}, &Step::rate).rate; }

double RateCurve::LongestWaitSeconds(double entries) const {
  // The longest wait begins where a step does.
  double longest = 0;
  double begin_seconds = 0;
  double begin_entries = 0;
  for (const Step& step : steps_) {
    const double due_seconds = static_cast<double>(DueNs(begin_entries + entries)) * 1e-9;
    longest = std::max(longest, due_seconds - begin_seconds);
    begin_seconds = step.end_seconds;
    begin_entries = step.end_entries;
  }
  return longest;
}

}  // namespace levelfield
