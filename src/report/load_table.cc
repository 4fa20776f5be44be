#include "report/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/quote.h"
#include "report/number.h"
#include "result/load_verdict.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

std::string Line(const std::string& rate, const std::string& achieved, const std::string& service,
                 const std::string& p50, const std::string& p99, const std::string& p999) {
  return fmt::format("{:>10}  {:>10}  {:>7}  {:>7}  {:>7}  {:>7}\n", rate, achieved, service, p50,
                     p99, p999);
}

std::string StepLine(const LoadStep& step) {
  const std::string rate = Grouped(step.rate);
  const std::string achieved = Rate(step.achieved);
  if (step.verdict != kLoadOk) {
    return fmt::format("{:>10}  {:>10}  {}\n", rate, achieved, Printable(step.verdict));
  }
  const auto response = [&](double p) { return LatencyCell(step.response_ns.Percentile(p)).text; };
  return Line(rate, achieved, LatencyCell(step.service_ns.Percentile(0.99)).text, response(0.5),
              response(0.99), response(0.999));
}

// Whether the next rate that was tried told nothing, so that a higher one may keep the objective.
bool IsAtLeast(const std::vector<const LoadStep*>& by_rate, uint64_t answer) {
  const auto next = std::ranges::upper_bound(by_rate, answer, {}, &LoadStep::rate);
  return next != by_rate.end() && (*next)->verdict == kLoadLateGenerator;
}

}  // namespace

void AddLoadSteps(const std::string& engine, const PhaseResult& phase, const std::string& arrival,
                  const std::vector<double>& kept, Report& report) {
  if (phase.load_steps.empty()) return;
  std::string text;
  if (!phase.roles.empty()) {
    text += fmt::format("closed loop: {}/s; open loop: {} arrivals\n",
                        Rate(phase.roles.front().OperationsPerSecond()), Printable(arrival));
  }
  text += fmt::format("{:>10}  {:>10}  {:>7}  {:-^25}\n", "ops/s", "ops/s", "service",
                      " response time ");
  text += Line("asked for", "achieved", "p99", "p50", "p99", "p99.9");
  text += std::string(58, '-') + "\n";
  std::vector<const LoadStep*> steps;
  for (const LoadStep& step : phase.load_steps) steps.push_back(&step);
  std::ranges::stable_sort(steps, {}, &LoadStep::rate);
  for (const LoadStep* const step : steps) text += StepLine(*step);
  if (phase.slo) {
    const std::string objective = Printable(phase.slo->objective);
    text += phase.slo->rate == 0
                ? fmt::format("{} is kept at none of these rates.\n", objective)
                : fmt::format("{} is kept up to {}/s{}.\n", objective, Grouped(phase.slo->rate),
                              IsAtLeast(steps, phase.slo->rate) ? " at least" : "");
  }
  if (kept.size() > 1) {
    const auto [least, most] = std::ranges::minmax(kept);
    const std::optional<Interval> interval = MedianInterval(kept);
    text += fmt::format("That was the first of {} rounds; their median is {}/s, {} .. {} {}.\n",
                        kept.size(), Rate(Median(kept)), Rate(interval ? interval->low : least),
                        Rate(interval ? interval->high : most),
                        interval ? "with 95 %" : "the least and the greatest");
  }
  report.Add(Verbatim{
      fmt::format("{}, {}: load against latency", Printable(phase.workload), Printable(engine)),
      text});
}

}  // namespace levelfield
