#include "result/load_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace levelfield {
namespace {

constexpr double kMostLateness = 0.1;  // Share of the response time, percentile by percentile.
constexpr uint64_t kLeastLatenessNs = 100;
constexpr double kLeastGrowth = 0.005;
constexpr double kDeviations = 3;
constexpr size_t kSteps = 3;

std::string TimeText(uint64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1'000) return fmt::format("{} ns", ns);
  if (ns < 1'000'000) return fmt::format("{:.1f} us", value / 1e3);
  if (ns < 1'000'000'000) return fmt::format("{:.1f} ms", value / 1e6);
  return fmt::format("{:.1f} s", value / 1e9);
}

// Merges neighbours two by two.
std::vector<uint64_t> Halved(const std::vector<uint64_t>& backlog_ns) {
  std::vector<uint64_t> halved;
  for (size_t i = 0; i + 1 < backlog_ns.size(); i += 2) {
    halved.push_back(backlog_ns[i] / 2 + backlog_ns[i + 1] / 2);
  }
  return halved;
}

uint64_t GrowthIn(const std::vector<uint64_t>& backlog_ns, double interval_seconds,
                  uint64_t operations) {
  const double window_operations = static_cast<double>(operations) * static_cast<double>(kSteps) /
                                   static_cast<double>(std::max<size_t>(backlog_ns.size(), 1));
  const double share =
      std::max(kLeastGrowth, kDeviations / std::sqrt(std::max(window_operations, 1.0)));
  const double least_ns = share * interval_seconds * 1e9 * static_cast<double>(kSteps);
  uint64_t growth_ns = 0;
  for (size_t i = kSteps; i < backlog_ns.size(); ++i) {
    const auto first = backlog_ns.begin() + static_cast<ptrdiff_t>(i - kSteps);
    const auto end = first + kSteps + 1;
    const bool grows = std::adjacent_find(first, end, std::greater_equal<>()) == end;
    if (!grows || backlog_ns.back() < backlog_ns[i] / 2) continue;
    growth_ns = std::max(growth_ns, backlog_ns[i] - *first);
  }
  return static_cast<double>(growth_ns) >= least_ns ? growth_ns : 0;
}

SparseHistogram Together(const RoleResult& role,
                         std::optional<SparseHistogram> OperationStatistics::*which) {
  SparseHistogram all;
  for (const OperationStatistics& stats : role.statistics) {
    if (stats.*which) all.Merge(*(stats.*which));
  }
  return all;
}

// Whether the engine's calls took most of the time. Then a generator that is late waits for them,
// as at a rate above that of a closed loop.
bool IsEngineBusy(const RoleResult& role) {
  constexpr double kMostOfTheTime = 0.5;
  const double served_seconds = static_cast<double>(ServiceTimes(role).Sum()) * 1e-9;
  return served_seconds > kMostOfTheTime * role.seconds * static_cast<double>(role.threads);
}

// Percentiles of the generator's lateness and of the response times.
struct Lateness {
  const char* percentile;
  uint64_t late_ns = 0;
  uint64_t response_ns = 0;

  bool IsMuch() const {
    return late_ns > kLeastLatenessNs &&
           static_cast<double>(late_ns) > kMostLateness * static_cast<double>(response_ns);
  }
};

// Of the 99th percentiles, or with too few operations for these, of the medians. Nothing: too few
// operations for either.
std::optional<Lateness> LatenessOf(const RoleResult& role) {
  const SparseHistogram response_ns = ResponseTimes(role);
  for (const auto& [p, name] : {std::pair(0.99, "p99"), std::pair(0.5, "p50")}) {
    const std::optional<uint64_t> response = response_ns.Percentile(p);
    const std::optional<uint64_t> late = role.load->lateness_ns.Percentile(p);
    if (response && late) return Lateness{name, *late, *response};
  }
  return std::nullopt;
}

constexpr std::string_view kAtMost =
    "Lateness only lengthens a response, so response times are at most what is shown";

std::string LateWords(const Lateness& lateness) {
  return fmt::format(
      "the load generator itself was late: {0} {1}, which is more than a tenth of the {0} of the "
      "response times, {2}. {3}",
      lateness.percentile, TimeText(lateness.late_ns), TimeText(lateness.response_ns), kAtMost);
}

LoadVerdict NotSustainable(const RoleResult& role) {
  return {.verdict = LoadOutcome::kNotSustainable,
          .message = fmt::format(
              "rate not sustainable: of {} operations a second {:.0f} were done, and the backlog "
              "grew to {}, so percentiles would only tell how long it ran",
              role.rate, role.OperationsPerSecond(), TimeText(role.load->backlog_ns.back()))};
}

}  // namespace

uint64_t BacklogGrowthNs(const std::vector<uint64_t>& backlog_ns, double interval_seconds,
                         uint64_t operations) {
  const uint64_t fine = GrowthIn(backlog_ns, interval_seconds, operations);
  return std::max(fine, GrowthIn(Halved(backlog_ns), 2 * interval_seconds, operations));
}

LoadVerdict JudgeLoad(const RoleResult& role) {
  const LoadResult& load = *role.load;
  const uint64_t growth_ns =
      BacklogGrowthNs(load.backlog_ns, load.interval_seconds,
                      role.Operations() / std::max<uint64_t>(role.batch, 1));
  if (growth_ns != 0 && IsEngineBusy(role)) return NotSustainable(role);
  if (const auto lateness = LatenessOf(role); lateness && lateness->IsMuch()) {
    return {.verdict = LoadOutcome::kLateGenerator, .message = LateWords(*lateness)};
  }
  return growth_ns == 0 ? LoadVerdict{} : NotSustainable(role);
}

bool HasUpperBounds(const PhaseResult& phase) {
  return HasLoad(phase) && phase.roles[0].load->verdict == LoadOutcome::kLateGenerator;
}

std::string WhyUpperBounds(const PhaseResult& phase) {
  if (!HasUpperBounds(phase)) return "";
  const std::optional<Lateness> lateness = LatenessOf(phase.roles[0]);
  // The sum of rounds of which one was late need not be late itself.
  std::string why =
      lateness && lateness->IsMuch()
          ? LateWords(*lateness)
          : fmt::format("the load generator itself was late in some rounds. {}", kAtMost);
  const std::vector<std::string> busy = DisturbancesOf(phase);
  if (!busy.empty()) why += ". A quieter machine would be exact: " + busy.front();
  return why;
}

SparseHistogram ServiceTimes(const RoleResult& role) {
  return Together(role, &OperationStatistics::latency_ns);
}
SparseHistogram ResponseTimes(const RoleResult& role) {
  return Together(role, &OperationStatistics::response_ns);
}

}  // namespace levelfield
