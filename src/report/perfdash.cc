// Results in the format of Kubernetes' perfdash (perf-tests, PerfData of version v1): percentiles
// of latencies in milliseconds, and the rate, for each engine's workload, distinguished by labels.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/series.h"
#include "base/json_text.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

std::string ItemText(const Json& data, const char* unit, const Series& series,
                     const PhaseResult& phase, const char* metric) {
  const Json item = {{"data", data},
                     {"unit", unit},
                     {"labels",
                      {{"Engine", RunName(series.sum.engine, series.sum.variant)},
                       {"Workload", phase.workload},
                       {"Metric", metric}}}};
  return ",\n    " + JsonText(item, -1, Letters::kAscii);
}

}  // namespace

StatusOr<std::string> PerfdashItemsOf(const Result& result, const std::string&, const Settings&) {
  const std::vector<Series> series = SeriesOf(result);
  std::string items;
  for (const Series& of_engine : series) {
    for (size_t place = 0; place < of_engine.sum.phases.size(); ++place) {
      const PhaseResult& phase = of_engine.sum.phases[place];
      const Figures figures = FiguresOf(of_engine, place);
      if (phase.implicit || phase.repetition.warm_up || !figures.median) continue;
      items += ItemText({{"Rate", *figures.median}}, "1/s", of_engine, phase, "Throughput");
      const auto& statistics = phase.roles.front().statistics;
      if (statistics.empty() || !statistics[0].latency_ns) continue;
      Json percentiles = Json::object();
      for (const auto& [name, p] :
           {std::pair("Perc50", 0.5), std::pair("Perc90", 0.9), std::pair("Perc99", 0.99)}) {
        const std::optional<uint64_t> ns = statistics[0].latency_ns->Percentile(p);
        if (ns) percentiles[name] = static_cast<double>(*ns) / 1e6;
      }
      if (!percentiles.empty()) items += ItemText(percentiles, "ms", of_engine, phase, "Latency");
    }
  }
  return items;
}

std::string PerfdashFile(std::span<const Result>, const std::string& items) {
  return "{\n  \"version\": \"v1\",\n  \"dataItems\": [" +
         (items.empty() ? "" : items.substr(1) + "\n  ") + "]\n}\n";
}

}  // namespace levelfield
