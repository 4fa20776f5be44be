#include "analysis/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/rate_curve.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

constexpr double kMostRange = 0.2;
constexpr double kMostExcursion = 0.1;
constexpr double kLeastCorrelation = 0.5;
constexpr size_t kMostRounds = 30;
constexpr size_t kLeastTicksARound = 10;
constexpr size_t kMostPoints = 1000;  // In an autocorrelation, whose cost is quadratic.

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The slope per step of the line that fits best.
double SlopeOf(std::span<const double> values) {
  const double middle = (static_cast<double>(values.size()) - 1) / 2;
  const double mean = MeanOf(values);
  double above = 0;
  double below = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    above += x * (values[i] - mean);
    below += x * x;
  }
  return below == 0 ? 0 : above / below;
}

bool IsSteady(std::span<const double> window) {
  const double mean = MeanOf(window);
  const auto [least, greatest] = std::ranges::minmax(window);
  const double excursion = std::abs(SlopeOf(window)) * static_cast<double>(window.size() - 1);
  return mean > 0 && greatest - least <= kMostRange * mean && excursion <= kMostExcursion * mean;
}

double Seconds(uint64_t ms) { return static_cast<double>(ms) * 1e-3; }

}  // namespace

SteadyState FindSteadyState(std::span<const double> rounds) {
  if (rounds.size() < kSteadyWindow) return {};
  const size_t windows = rounds.size() - kSteadyWindow + 1;
  size_t since = windows;
  while (since > 0 && IsSteady(rounds.subspan(since - 1, kSteadyWindow))) --since;
  // A window on the slope of long waves can satisfy the rule by chance. A quarter of the rounds
  // cannot.
  const size_t least = std::max(kSteadyWindow, (rounds.size() + 3) / 4);
  if (since == windows || rounds.size() - since < least) return {.steadiness = Steadiness::kNever};
  return {.steadiness = Steadiness::kSteady, .since = since};
}

std::optional<size_t> PeriodOf(std::span<const double> values) {
  const size_t n = values.size();
  if (n < 8) return std::nullopt;
  const double mean = MeanOf(values);
  const double slope = SlopeOf(values);
  std::vector<double> rest;
  double power = 0;
  for (size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) - (static_cast<double>(n) - 1) / 2;
    rest.push_back(values[i] - mean - slope * x);
    power += rest.back() * rest.back();
  }
  power /= static_cast<double>(n);
  if (power <= 1e-12 * mean * mean) return std::nullopt;
  std::vector<double> correlation = {1};
  for (size_t lag = 1; lag <= n / 2; ++lag) {
    double sum = 0;
    for (size_t i = 0; i + lag < n; ++i) sum += rest[i] * rest[i + lag];
    correlation.push_back(sum / static_cast<double>(n - lag) / power);
  }
  // Near 0 every series is like itself. Look for a period after the correlation first reaches 0.
  const auto behind = std::ranges::find_if(correlation, [](double r) { return r <= 0; });
  if (behind == correlation.end()) return std::nullopt;
  const double highest = *std::max_element(behind, correlation.end());
  if (highest < kLeastCorrelation) return std::nullopt;
  for (auto it = behind; it + 1 != correlation.end(); ++it) {
    // Multiples of the period correlate too. The first peak of about the highest height counts.
    if (*it >= 0.8 * highest && *it >= *(it - 1) && *it >= *(it + 1)) {
      return static_cast<size_t>(it - correlation.begin());
    }
  }
  return std::nullopt;
}

Rounds RoundsOf(const Ticks& ticks, size_t role, size_t ticks_a_round) {
  Rounds rounds;
  if (role >= ticks.operations.size() || ticks_a_round == 0) return rounds;
  const std::vector<uint64_t>& operations = ticks.operations[role];
  for (size_t first = 0; first + ticks_a_round <= operations.size(); first += ticks_a_round) {
    const uint64_t begin_ms = ticks.BeginMs(first);
    const uint64_t end_ms = ticks.end_ms[first + ticks_a_round - 1];
    const auto begin = operations.begin() + static_cast<std::ptrdiff_t>(first);
    const uint64_t done =
        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(ticks_a_round), uint64_t{0});
    if (end_ms <= begin_ms) continue;
    rounds.rates.push_back(static_cast<double>(done) / Seconds(end_ms - begin_ms));
    rounds.begin_ms.push_back(begin_ms);
  }
  return rounds;
}

namespace {

// Judges `count` values until `end_ms`. `rounds_of` makes rounds of at least `least` values.
template <class RoundsMaker>
ThroughputState StateOfRounds(size_t count, size_t least, uint64_t end_ms, RoundsMaker rounds_of) {
  const size_t a_round = std::max(least, (count + kMostRounds - 1) / kMostRounds);
  const Rounds rounds = rounds_of(a_round);
  const SteadyState state = FindSteadyState(rounds.rates);
  ThroughputState told{.steadiness = state.steadiness, .rounds = rounds.rates.size()};
  if (state.steadiness == Steadiness::kSteady) {
    told.since_seconds = Seconds(rounds.begin_ms[state.since]);
  } else if (state.steadiness == Steadiness::kNever) {
    const Rounds points = rounds_of((count + kMostPoints - 1) / kMostPoints);
    if (const std::optional<size_t> period = PeriodOf(points.rates)) {
      told.period_seconds =
          Seconds(end_ms) / static_cast<double>(points.rates.size()) * static_cast<double>(*period);
    }
  }
  return told;
}

template <class RoundsMaker>
ThroughputState StateOfTicks(const Ticks& ticks, RoundsMaker rounds_of) {
  return StateOfRounds(ticks.end_ms.size(), kLeastTicksARound,
                       ticks.end_ms.empty() ? 0 : ticks.end_ms.back(), rounds_of);
}

}  // namespace

Ticks TicksOf(const PhaseResult& phase) {
  Ticks ticks = *phase.ticks;
  for (size_t r = 0; r < std::min(phase.roles.size(), ticks.operations.size()); ++r) {
    const StatusOr<RateCurve> curve = RateCurve::Parse(phase.roles[r].curve);
    if (!curve.ok()) continue;
    for (size_t i = 0; i < ticks.end_ms.size(); ++i) {
      const double end_seconds = Seconds(ticks.end_ms[i]);
      const double begin_seconds = Seconds(ticks.BeginMs(i));
      const double due = curve->Entries(end_seconds) - curve->Entries(begin_seconds);
      const double usual = curve->MeanRate() * (end_seconds - begin_seconds);
      uint64_t& done = ticks.operations[r][i];
      const double share = due >= 1 ? static_cast<double>(done) / due : 1;
      done = static_cast<uint64_t>(share * usual + 0.5);
    }
  }
  return ticks;
}

ThroughputState StateOf(const Ticks& ticks, size_t role) {
  return StateOfTicks(ticks,
                      [&](size_t ticks_a_round) { return RoundsOf(ticks, role, ticks_a_round); });
}

ThroughputState WriteStateOf(const Ticks& ticks, size_t role) {
  const Ticks dirtied{.end_ms = ticks.end_ms, .operations = {ticks.dirtied_bytes}};
  return StateOfTicks(ticks, [&](size_t ticks_a_round) {
    const Rounds done = RoundsOf(ticks, role, ticks_a_round);
    Rounds rounds = RoundsOf(dirtied, 0, ticks_a_round);
    rounds.rates.resize(std::min(rounds.rates.size(), done.rates.size()));
    for (size_t i = 0; i < rounds.rates.size(); ++i) {
      rounds.rates[i] = done.rates[i] > 0 ? rounds.rates[i] / done.rates[i] : 0;
    }
    return rounds;
  });
}

ThroughputState SpaceStateOf(const SpaceSeries& space) {
  const size_t count = std::min(space.at_ms.size(), space.allocated_bytes.size());
  const auto rounds_of = [&](size_t looks_a_round) {
    Rounds rounds;
    if (looks_a_round == 0) return rounds;
    const std::vector<double> bytes(space.allocated_bytes.begin(), space.allocated_bytes.end());
    for (size_t first = 0; first + looks_a_round <= count; first += looks_a_round) {
      rounds.rates.push_back(MeanOf(std::span(bytes).subspan(first, looks_a_round)));
      rounds.begin_ms.push_back(space.at_ms[first]);
    }
    return rounds;
  };
  return StateOfRounds(count, 1, count == 0 ? 0 : space.at_ms[count - 1] - space.at_ms[0],
                       rounds_of);
}

namespace {

// The role's operations a second in the first ticks, so many, and in those behind them.
struct RatesAround {
  double before = 0;
  double after = 0;
};
std::optional<RatesAround> RatesAroundTick(const Ticks& ticks, size_t role, size_t first_ticks) {
  const size_t count = ticks.end_ms.size();
  if (role >= ticks.operations.size() || first_ticks == 0 || first_ticks >= count) {
    return std::nullopt;
  }
  const std::vector<uint64_t>& operations = ticks.operations[role];
  const auto border = operations.begin() + static_cast<std::ptrdiff_t>(first_ticks);
  const uint64_t before_ms = ticks.end_ms[first_ticks - 1];
  const uint64_t after_ms = ticks.end_ms.back() - before_ms;
  if (before_ms == 0 || after_ms == 0) return std::nullopt;
  const auto sum = [](auto begin, auto end) {
    return static_cast<double>(std::accumulate(begin, end, uint64_t{0}));
  };
  return RatesAround{.before = sum(operations.begin(), border) / Seconds(before_ms),
                     .after = sum(border, operations.end()) / Seconds(after_ms)};
}

}  // namespace

std::optional<Ramp> RampOf(const Ticks& ticks, size_t role) {
  const size_t count = ticks.end_ms.size();
  const std::optional<RatesAround> rates = RatesAroundTick(ticks, role, count / 10);
  if (count < 20 || !rates) return std::nullopt;
  return Ramp{.seconds = Seconds(ticks.end_ms[count / 10 - 1]),
              .operations_per_second = rates->before,
              .of_the_rest = rates->after > 0 ? rates->before / rates->after : 0};
}

std::optional<double> LaterHalfOf(const Ticks& ticks, size_t role) {
  const std::optional<RatesAround> rates = RatesAroundTick(ticks, role, ticks.end_ms.size() / 2);
  if (ticks.end_ms.size() < 4 || !rates || rates->before <= 0 || rates->after <= 0) {
    return std::nullopt;
  }
  return rates->after / rates->before;
}

namespace {

constexpr size_t kLeastTicks = 10;
constexpr double kLeastCalls = 20;  // P(2 or fewer | a Poisson mean of 20) is 5e-7.
constexpr double kStandingShare = 0.1;

// The engine was asked at the end of the tick before the stall and at the end of each of its ticks.
// All of these moments lie within the stall.
std::vector<std::string> CausesOf(const Ticks& ticks, size_t first, size_t last) {
  const size_t from = first == 0 ? 0 : first - 1;
  std::vector<std::string> causes;
  for (const Activity& activity : ticks.activities.value_or(std::vector<Activity>())) {
    size_t seen = 0;
    for (size_t tick = from; tick <= last; ++tick) seen += activity.At(tick) ? 1 : 0;
    if (2 * seen >= last - from + 1) causes.push_back(activity.name);
  }
  return causes;
}

}  // namespace

Stalls FindStalls(const Ticks& ticks, size_t role, uint64_t batch) {
  Stalls found;
  if (role >= ticks.operations.size() || ticks.end_ms.size() < kLeastTicks + 1) {
    found.unknown = fmt::format("fewer than {} ticks of a tenth of a second", kLeastTicks);
    return found;
  }
  const size_t count = ticks.end_ms.size() - 1;
  std::vector<double> rates;  // Operations a millisecond.
  double done = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto ms = static_cast<double>(std::max<uint64_t>(ticks.end_ms[i] - ticks.BeginMs(i), 1));
    rates.push_back(static_cast<double>(ticks.operations[role][i]) / ms);
    done += static_cast<double>(ticks.operations[role][i]);
  }
  const auto span_ms = static_cast<double>(std::max<uint64_t>(ticks.end_ms[count - 1], 1));
  const double calls_to_rate =
      span_ms / static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(batch, 1));
  double usual = Median(rates);
  if (usual * calls_to_rate < kLeastCalls) usual = done / span_ms;
  if (usual * calls_to_rate < kLeastCalls) {
    found.unknown =
        fmt::format("fewer than {:.0f} calls in a tick: chance alone makes gaps", kLeastCalls);
    return found;
  }
  for (size_t first = 0; first < count; ++first) {
    if (rates[first] >= kStandingShare * usual) continue;
    size_t last = first;
    while (last + 1 < count && rates[last + 1] < kStandingShare * usual) ++last;
    found.stalls.push_back({.begin_ms = ticks.BeginMs(first),
                            .end_ms = ticks.end_ms[last],
                            .causes = CausesOf(ticks, first, last)});
    first = last;
  }
  return found;
}

}  // namespace levelfield
