#include "report/db_bench_repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/quote.h"

namespace levelfield {
namespace {

double MeanOf(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double MedianOf(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

// The rates of the repetitions up to the last one, which are those directly before it.
std::vector<double> RatesOf(std::span<const PhaseResult> phases) {
  const PhaseResult& last = phases.back();
  std::vector<double> rates;
  for (uint64_t i = 0; i < last.repetition.number && i < phases.size(); ++i) {
    const PhaseResult& phase = phases[phases.size() - 1 - i];
    if (phase.workload != last.workload || phase.repetition.warm_up) break;
    if (phase.outcome == Outcome::kOk && !phase.roles.empty()) {
      rates.push_back(phase.roles.front().OperationsPerSecond());
    }
  }
  return rates;
}

}  // namespace

double HalfInterval(std::span<const double> numbers) {
  const auto count = static_cast<double>(numbers.size());
  const double mean = MeanOf(numbers);
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  const boost::math::students_t distribution(count - 1);
  return boost::math::quantile(distribution, 0.975) * std::sqrt(squares / (count - 1) / count);
}

std::string RepeatHeading(const PhaseResult& phase) {
  if (phase.repetition.number != 1) return "";
  return phase.repetition.warm_up
             ? fmt::format("Warming up benchmark by running {} times\n", phase.repetition.of)
             : fmt::format("Running benchmark for {} times\n", phase.repetition.of);
}

std::string RepeatSummary(std::span<const PhaseResult> phases) {
  const PhaseResult& last = phases.back();
  if (last.repetition.number < 2 || last.repetition.warm_up) return "";
  const std::vector<double> rates = RatesOf(phases);
  if (rates.size() < 2) return "";
  const std::string name = Printable(last.workload);
  const auto average = [&](const char* format_gap) {
    return fmt::format("{} [AVG {}{} runs] : {:.0f} (\u00b1 {:.0f}) ops/sec\n", name, format_gap,
                       rates.size(), MeanOf(rates), HalfInterval(rates));
  };
  std::string text = average("");
  if (last.repetition.number != last.repetition.of) return text;
  text += average("   ");
  return text +
         fmt::format("{} [MEDIAN {} runs] : {:.0f} ops/sec\n", name, rates.size(), MedianOf(rates));
}

}  // namespace levelfield
