// Rules of what else decides a figure: the machine, the load that was asked for, the harness.
#include <algorithm>

#include "analysis/diagnosis_case.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

// Rounds that differ by a third are of a machine, or of a store, that was not the same each time.
std::string SpreadText(const Case& of) {
  constexpr double kSpread = 1.3;
  const std::vector<double> rates = Present(of.series.Rates(of.index));
  if (rates.size() < 3) return "";
  const auto [least, most] = std::ranges::minmax(rates);
  if (most <= kSpread * least) return "";
  return fmt::format("the fastest round is {:.2f} times the slowest", most / least);
}

// What else the machine did in each round that was disturbed, first thing first.
std::vector<std::string> DisturbancesIn(const Case& of) {
  std::vector<std::string> all;
  for (const RunResult* run : of.series.rounds) {
    if (of.index >= run->phases.size() || !run->phases[of.index].conditions) continue;
    const std::vector<std::string> said = DisturbancesOf(*run->phases[of.index].conditions);
    if (!said.empty()) all.push_back(said.front());
  }
  return all;
}

}  // namespace

std::optional<Finding> OthersUsedTheMachine(const Case& of) {
  const std::vector<std::string> disturbances = DisturbancesIn(of);
  const bool has_figure = of.phase.outcome == Outcome::kOk || of.phase.outcome == Outcome::kInvalid;
  if (disturbances.empty() || !has_figure) return std::nullopt;
  Finding finding;
  finding.symptom = "the figure is not the engine's alone";
  finding.cause = "something else used the machine meanwhile";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("in {} of {} rounds: {}", disturbances.size(),
                                         of.series.rounds.size(), disturbances.front()));
  const std::string spread = SpreadText(of);
  if (!spread.empty()) finding.evidence.push_back(spread);
  finding.advice = "end what else runs; more rounds (--precision=0.02) narrow the interval";
  return finding;
}

std::optional<Finding> RoundsDiffer(const Case& of) {
  const std::string spread = SpreadText(of);
  if (spread.empty() || !DisturbancesIn(of).empty()) return std::nullopt;
  Finding finding;
  finding.symptom = "the figure is not the same each time";
  finding.cause = "unknown: nothing else was seen using the machine";
  finding.confidence = Confidence::kLow;
  finding.evidence.push_back(spread);
  finding.advice = "more rounds (--precision=0.02) narrow the interval";
  return finding;
}

// One in a thousand reads takes a hundred times what the others take, while the engine's own
// threads or a device keep it waiting.
std::optional<Finding> ReadsJitter(const Case& of) {
  constexpr double kTimes = 100;
  constexpr double kBusy = 0.1;
  if (of.lane().operation != "get" && of.lane().operation != "seek") return std::nullopt;
  if (!of.lane().latency_ns) return std::nullopt;
  const auto p50 = of.lane().latency_ns->Percentile(0.5);
  const auto rare = of.lane().latency_ns->Percentile(0.999);
  if (!p50 || !rare || static_cast<double>(*rare) < kTimes * static_cast<double>(*p50)) {
    return std::nullopt;
  }
  const double background = CostOf(of.phase).background_share.value.value_or(0);
  const double waits = of.phase.conditions ? of.phase.conditions->io_wait_share.value_or(0) : 0;
  if (background < kBusy && waits < kBusy) return std::nullopt;
  Finding finding;
  finding.symptom = "the latency of reads varies by orders of magnitude";
  finding.cause =
      background >= kBusy
          ? "compactions or flushes compete with reads for the device and the processors"
          : "reads wait for the device";
  finding.confidence = background >= kBusy ? Confidence::kMedium : Confidence::kLow;
  finding.evidence.push_back(fmt::format("p50 is {}, p99.9 is {}", Micros(*p50), Micros(*rare)));
  finding.evidence.push_back(
      fmt::format("{} of the processor time was the engine's own threads'; some task waited for a "
                  "device {} of the time",
                  Percent(background), Percent(waits)));
  finding.advice =
      "a faster device; or read while nothing is left to merge (debt is settled between workloads "
      "unless --carry_debt is given); or fewer threads for compactions, where the engine has such "
      "an "
      "option";
  return finding;
}

std::optional<Finding> RateIsNotKept(const Case& of) {
  if (!of.role().load || of.role().load->verdict != kLoadNotSustainable) return std::nullopt;
  Finding finding;
  finding.symptom = "response times grow as long as it runs";
  finding.cause = "the rate that was asked for is more than the engine can do";
  finding.confidence = Confidence::kHigh;
  finding.evidence.push_back(fmt::format("{} operations a second were asked for, {:.0f} were done",
                                         of.role().rate, of.role().OperationsPerSecond()));
  finding.advice =
      "--rate=sweep draws latency over the rate, --slo=p99<1ms finds the highest that keeps it";
  return finding;
}

std::optional<Finding> HarnessIsMostOfIt(const Case& of) {
  const std::optional<double> took_ns = OperationNs(of.phase);
  if (!took_ns || of.series.sum.floor) return std::nullopt;
  for (const Price& price : PricesOf(of.result)) {
    if (price.engine != "null") continue;
    const std::optional<double> null_ns = NsOf(price, of.phase.workload);
    if (!null_ns || *took_ns >= kLeastTimesPrice * *null_ns) return std::nullopt;
    Finding finding;
    finding.symptom = "the figure is partly the harness's own";
    finding.cause = "an operation is so cheap that making its key and checking its answer counts";
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(
        fmt::format("an operation takes {:.0f} ns, of the engine that does nothing {:.0f} ns",
                    *took_ns, *null_ns));
    finding.advice = "--histogram=0 reads no clock; compare engines only where they differ by more";
    return finding;
  }
  return std::nullopt;
}

}  // namespace levelfield
