#include "plan/load_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "result/load_verdict.h"

namespace levelfield {
namespace {

constexpr int kPercents[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100};
constexpr double kSeconds = 2;
constexpr double kLongestStepSeconds = 60;
constexpr double kBeyond = 20;  // Twice the number that a percentile needs.

LoadSearch::Outcome OutcomeOf(const LoadStep& step, const Objective& objective) {
  if (step.verdict == kLoadNotSustainable) return LoadSearch::Outcome::kBroken;
  const std::optional<uint64_t> response = step.response_ns.Percentile(objective.share);
  if (!response) return LoadSearch::Outcome::kUnknown;
  // A late generator makes responses longer, never shorter.
  if (*response < objective.limit_ns) return LoadSearch::Outcome::kKept;
  return step.verdict == kLoadOk ? LoadSearch::Outcome::kBroken : LoadSearch::Outcome::kUnknown;
}

std::string WhyUnknown(const LoadStep& step) {
  if (step.verdict != kLoadOk) return step.message;
  return fmt::format(
      "its {} operations are too few for that percentile, beyond which ten have to lie; give a "
      "longer --duration",
      step.response_ns.Count());
}

}  // namespace

double StepSeconds(const LoadAsked& asked, double duration, uint64_t rate) {
  if (duration > 0) return duration;
  if (asked.kind != LoadAsked::Kind::kSearch || rate == 0) return kSeconds;
  const double needed = kBeyond / (1 - asked.objective.share) / static_cast<double>(rate);
  return std::clamp(needed, kSeconds, kLongestStepSeconds);
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
    closed.outcome = Outcome::kInvalid;
    closed.message =
        fmt::format("{}: nothing can be said at {} operations a second: {}", asked.objective.text,
                    closed.load_steps.back().rate, WhyUnknown(closed.load_steps.back()));
    return;
  }
  closed.slo = {.objective = asked.objective.text, .rate = search.Answer()};
  closed.note = search.Answer() == 0
                    ? fmt::format("{} at no rate from {}/s on", asked.objective.text,
                                  closed.load_steps.back().rate)
                    : fmt::format("{} up to {}/s{}", asked.objective.text, search.Answer(),
                                  search.is_at_least() ? " at least" : "");
}

}  // namespace levelfield
