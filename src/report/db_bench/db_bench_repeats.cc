#include "report/db_bench/db_bench_repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/quote.h"
#include "report/db_bench/db_bench_text.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

double MeanOf(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

struct Rates {
  std::vector<double> operations;  // A second.
  std::vector<double> megabytes;   // The same; fewer where some lines do not tell them.
};

// Of the repetitions up to the last one, which are those directly before it.
Rates RatesOf(Lines lines, const SharedList<PhaseResult>& phases, size_t ended) {
  const PhaseResult& last = phases[ended - 1];
  Rates rates;
  for (uint64_t i = 0; i < last.repetition.number && i < ended; ++i) {
    const PhaseResult& phase = phases[ended - 1 - i];
    if (phase.workload != last.workload || phase.repetition.warm_up) break;
    if (phase.outcome != Outcome::kOk || phase.roles.empty()) continue;
    rates.operations.push_back(phase.roles.front().OperationsPerSecond());
    const auto megabytes = MegabytesPerSecond(lines, phase.roles.front());
    if (megabytes) rates.megabytes.push_back(*megabytes);
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

std::string RepeatSummary(Lines lines, const SharedList<PhaseResult>& phases, size_t ended,
                          bool interval_only) {
  const PhaseResult& last = phases[ended - 1];
  if (last.repetition.number < 2 || last.repetition.warm_up) return "";
  const Rates rates = RatesOf(lines, phases, ended);
  const size_t runs = rates.operations.size();
  if (runs < 2) return "";
  const std::string name = Printable(last.workload);
  const bool has_megabytes = rates.megabytes.size() == runs;
  const double mean = MeanOf(rates.operations);
  const double half = HalfInterval(rates.operations);
  const double mean_mb = has_megabytes ? MeanOf(rates.megabytes) : 0;
  const double half_mb = has_megabytes ? HalfInterval(rates.megabytes) : 0;
  const auto average = [&](const char* gap) {
    std::string line = fmt::format("{} [AVG {}{} runs] : {:.0f} (\u00b1 {:.0f}) ops/sec", name, gap,
                                   runs, mean, half);
    if (has_megabytes) line += fmt::format("; {:6.1f} (\u00b1 {:.1f}) MB/sec", mean_mb, half_mb);
    return line + "\n";
  };
  const auto interval = [&] {
    std::string line = fmt::format("{} [CI95 {} runs] : ({:.0f}, {:.0f}) ops/sec", name, runs,
                                   mean - half, mean + half);
    if (has_megabytes) {
      line += fmt::format("; ({:.1f}, {:.1f}) MB/sec", mean_mb - half_mb, mean_mb + half_mb);
    }
    return line + "\n";
  };
  std::string text = interval_only ? interval() : average("");
  if (last.repetition.number != last.repetition.of) return text;
  text += average("   ");
  text += fmt::format("{} [MEDIAN {} runs] : {:.0f} ops/sec", name, runs,
                      std::floor(Median(rates.operations)));
  if (has_megabytes) text += fmt::format("; {:6.1f} MB/sec", Median(rates.megabytes));
  return text + "\n";
}

}  // namespace levelfield
