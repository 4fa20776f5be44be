#include "plan/load_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "result/load_verdict.h"

namespace levelfield {
namespace {

constexpr int kPercents[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100};
constexpr double kSeconds = 2;
constexpr double kLongestStepSeconds = 60;
constexpr double kBeyond = 20;  // Twice the number that a percentile needs.

// Whether ten operations, and a larger share than the objective allows, took longer than its limit.
// That breaks it also where there are too few for the percentile itself.
bool ManyExceed(const SparseHistogram& latencies, const Objective& objective) {
  uint64_t exceed = 0;
  for (const Histogram::Bucket& bucket : latencies.NonEmpty()) {
    if (Histogram::LowestOf(bucket.bucket) >= objective.limit_ns) exceed += bucket.count;
  }
  return exceed >= 10 && static_cast<double>(exceed) >
                             (1 - objective.share) * static_cast<double>(latencies.Count());
}

LoadSearch::Outcome OutcomeOf(const LoadStep& step, const Objective& objective) {
  if (step.verdict == LoadOutcome::kNotSustainable) return LoadSearch::Outcome::kBroken;
  const std::optional<uint64_t> response = step.response_ns.Percentile(objective.share);
  if (!response) {
    const bool is_broken =
        step.verdict == LoadOutcome::kOk && ManyExceed(step.response_ns, objective);
    return is_broken ? LoadSearch::Outcome::kBroken : LoadSearch::Outcome::kUnknown;
  }
  // A late generator makes responses longer, never shorter.
  if (*response < objective.limit_ns) return LoadSearch::Outcome::kKept;
  return step.verdict == LoadOutcome::kOk ? LoadSearch::Outcome::kBroken
                                          : LoadSearch::Outcome::kUnknown;
}

// That a step at this rate takes to have enough operations.
double SecondsFor(const Objective& objective, uint64_t rate) {
  return kBeyond / (1 - objective.share) / static_cast<double>(std::max<uint64_t>(rate, 1));
}

std::string WhyUnknown(const LoadStep& step, const Objective& objective) {
  const uint64_t operations = step.response_ns.Count();
  // With too few operations, a quieter machine would not help.
  if (operations == 0 || step.response_ns.Percentile(objective.share)) return step.message;
  return fmt::format(
      "its {} operations are too few for that percentile, beyond which ten have to lie: "
      "--duration={:.0f} has enough",
      operations, std::ceil(SecondsFor(objective, step.rate)));
}

}  // namespace

double StepSeconds(const LoadAsked& asked, double duration, uint64_t rate) {
  if (duration > 0) return duration;
  if (asked.kind != LoadAsked::Kind::kSearch || rate == 0) return kSeconds;
  return std::clamp(SecondsFor(asked.objective, rate), kSeconds, kLongestStepSeconds);
}

void RunLoadSteps(const LoadAsked& asked, double duration, const RunStep& run_step,
                  PhaseResult& closed) {
  const double per_second = closed.roles.front().OperationsPerSecond();
  const auto capacity = static_cast<uint64_t>(std::max(per_second, 1.0));
  uint64_t number = 0;
  const auto run = [&](uint64_t rate) {
    const std::optional<LoadStep> step =
        run_step({.number = ++number, .rate = rate, .seconds = StepSeconds(asked, duration, rate)});
    if (step) closed.load_steps.push_back(*step);
    return step.has_value();
  };
  if (asked.kind == LoadAsked::Kind::kSweep) {
    for (const int percent : kPercents) {
      const uint64_t rate = std::max<uint64_t>(capacity * static_cast<uint64_t>(percent) / 100, 1);
      if (!run(rate)) return;
    }
    return;
  }
  LoadSearch search(capacity);
  while (const std::optional<uint64_t> rate = search.Next()) {
    if (!run(*rate)) return;
    search.Tried(OutcomeOf(closed.load_steps.back(), asked.objective));
  }
  if (search.is_given_up()) {
    closed.void_because = fmt::format("{}: nothing can be said at {} operations a second: {}",
                                      asked.objective.text, closed.load_steps.back().rate,
                                      WhyUnknown(closed.load_steps.back(), asked.objective));
    return;
  }
  closed.slo = {.objective = asked.objective.text,
                .rate = search.Answer(),
                .missed_rate = search.Answer() == 0 ? 0 : search.Missed(),
                .is_at_least = search.is_at_least()};
  closed.note = search.Answer() == 0
                    ? fmt::format("{} at no rate from {}/s on", asked.objective.text,
                                  closed.load_steps.back().rate)
                    : fmt::format("{} up to {}/s{}", asked.objective.text, search.Answer(),
                                  search.is_at_least() ? " at least" : "");
}

}  // namespace levelfield
