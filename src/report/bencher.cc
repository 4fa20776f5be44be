// Results for Bencher (Bencher Metric Format): the measures of each benchmark, each with a value
// and the bounds of its interval. https://bencher.dev/docs/reference/bencher-metric-format/
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/json_text.h"
#include "settings/report_formats.h"

namespace levelfield {

// A line for each benchmark, with a leading comma: `"name": {...}`.
StatusOr<std::string> BencherEntriesOf(const Result& result, const std::string&, const Settings&) {
  using Json = nlohmann::ordered_json;
  const std::vector<Series> series = SeriesOf(result);
  std::string entries;
  for (const Series& of_engine : series) {
    for (size_t place = 0; place < of_engine.sum.phases.size(); ++place) {
      const PhaseResult& phase = of_engine.sum.phases[place];
      const Figures figures = FiguresOf(of_engine, place);
      if (phase.implicit || phase.repetition.warm_up || !figures.median) continue;
      Json rate = {{"value", *figures.median}};
      if (figures.interval) {
        rate["lower_value"] = figures.interval->low;
        rate["upper_value"] = figures.interval->high;
      }
      // Nanoseconds per operation, like Bencher's own measure of this name.
      Json measures = {{"throughput", rate}, {"latency", {{"value", 1e9 / *figures.median}}}};
      if (figures.interval && figures.interval->low > 0) {
        measures["latency"]["lower_value"] = 1e9 / figures.interval->high;
        measures["latency"]["upper_value"] = 1e9 / figures.interval->low;
      }
      if (const Ratio cpu_us = CostOf(phase).cpu_us; cpu_us.value) {
        measures["cpu_time"] = {{"value", *cpu_us.value * 1e3}};
      }
      const std::string name =
          RunName(of_engine.sum.engine, of_engine.sum.variant) + "/" + phase.workload;
      entries += fmt::format(",\n  {}: {}", JsonText(Json(name), -1, Letters::kAscii),
                             JsonText(measures, -1, Letters::kAscii));
    }
  }
  return entries;
}

std::string BencherFile(std::span<const Result>, const std::string& entries) {
  return entries.empty() ? "{}\n" : "{" + entries.substr(1) + "\n}\n";
}

}  // namespace levelfield
