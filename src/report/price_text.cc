#include "report/price_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "report/number.h"
#include "report/whole.h"

namespace levelfield {
namespace {

std::string Nanoseconds(double ns) { return Latency(Whole(ns + 0.5)); }

// The phases in which an engine is not much slower than nothing at all.
std::string TooNear(const Result& result, const Price& null) {
  std::string said;
  for (const RunResult& run : result.runs) {
    if (run.floor) continue;
    for (const PhaseResult& phase : run.phases) {
      const std::optional<double> ns = OperationNs(phase);
      const std::optional<double> price = NsOf(null, phase.workload);
      if (!ns || !price || phase.implicit || *ns >= kLeastTimesPrice * *price) continue;
      said +=
          fmt::format("{}{} of {} ({} times)", said.empty() ? "" : ", ", Printable(phase.workload),
                      Printable(run.engine), fmt::format("{:.1f}", *ns / *price));
    }
  }
  return said;
}

}  // namespace

std::vector<std::string> PriceLines(const Result& result) {
  std::vector<std::string> lines;
  for (const Price& price : PricesOf(result)) {
    if (price.workload_ns.empty()) continue;
    std::string line = fmt::format(
        "price of the harness, an operation of {} ({}, {} keys): ", Printable(price.engine),
        price.engine == "null" ? "does nothing" : "an ordered map", Grouped(price.keys));
    bool is_first = true;
    for (const auto& [workload, ns] : price.workload_ns) {
      line += fmt::format("{}{} {}", is_first ? "" : ", ", Printable(workload), Nanoseconds(ns));
      is_first = false;
    }
    if (price.clock_ns > 0 && price.engine == "null") {
      line += fmt::format("; {} of it reads the clock", Nanoseconds(price.clock_ns));
    }
    lines.push_back(line + ".");
    if (price.engine != "null") continue;
    const std::string near = TooNear(result, price);
    if (near.empty()) continue;
    lines.push_back(
        fmt::format("less than {:.0f} times that price, so the harness is a good part "
                    "of the figure: {}.",
                    kLeastTimesPrice, near));
  }
  return lines;
}

}  // namespace levelfield
