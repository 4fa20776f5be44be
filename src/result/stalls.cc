#include "result/stalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "stats/statistics.h"

namespace levelfield {
namespace {

constexpr size_t kLeastTicks = 10;
constexpr double kLeastCalls = 20;  // P(2 or fewer | a Poisson mean of 20) is 5e-7.
constexpr double kShare = 0.1;

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
    if (rates[first] >= kShare * usual) continue;
    size_t last = first;
    while (last + 1 < count && rates[last + 1] < kShare * usual) ++last;
    found.stalls.push_back({.begin_ms = ticks.BeginMs(first),
                            .end_ms = ticks.end_ms[last],
                            .causes = CausesOf(ticks, first, last)});
    first = last;
  }
  return found;
}

}  // namespace levelfield
