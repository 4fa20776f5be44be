// Results in the formats of other programs that read and follow benchmarks. Each format's functions
// are declared with its row (settings/report_formats.h). Pure.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/json_text.h"
#include "settings/report_formats.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// In ASCII: people print it, and terminals read U+009B in a name as ESC [.
std::string TextOf(const Json& json, int indent = -1) {
  return JsonText(json, indent, Letters::kAscii);
}

// The texts of all workloads that have a rate, one after another.
template <class TextOfFigures>
std::string ForEachFigure(const Result& result, TextOfFigures text_of) {
  std::string text;
  const std::vector<std::string> names = EngineNamesOf(result);
  const std::vector<Series> series = SeriesOf(result);
  for (const Series& of_engine : series) {
    const std::string& engine =
        names[static_cast<size_t>(of_engine.rounds.front() - result.runs.data())];
    for (size_t place = 0; place < of_engine.sum.phases.size(); ++place) {
      const PhaseResult& phase = of_engine.sum.phases[place];
      const Figures figures = FiguresOf(of_engine, place);
      if (phase.implicit || phase.repetition.warm_up || !figures.rate) continue;
      text += text_of(RunName(engine, of_engine.sum.variant), phase, figures);
    }
  }
  return text;
}

}  // namespace

// Bencher (Bencher Metric Format): the measures of each benchmark, each with a value and the bounds
// of its interval. https://bencher.dev/docs/reference/bencher-metric-format/
// A line for each benchmark, with a leading comma: `"name": {...}`.
StatusOr<std::string> BencherEntriesOf(const Result& result, const std::string&, const Settings&) {
  return ForEachFigure(
      result, [](const std::string& engine, const PhaseResult& phase, const Figures& figures) {
        Json rate = {{"value", *figures.rate}};
        if (figures.rate_interval) {
          rate["lower_value"] = figures.rate_interval->low;
          rate["upper_value"] = figures.rate_interval->high;
        }
        // Nanoseconds per operation, like Bencher's own measure of this name.
        Json measures = {{"throughput", rate}, {"latency", {{"value", 1e9 / *figures.rate}}}};
        if (figures.rate_interval && figures.rate_interval->low > 0) {
          measures["latency"]["lower_value"] = 1e9 / figures.rate_interval->high;
          measures["latency"]["upper_value"] = 1e9 / figures.rate_interval->low;
        }
        if (figures.cpu_us) measures["cpu_time"] = {{"value", *figures.cpu_us * 1e3}};
        return fmt::format(",\n  {}: {}", TextOf(Json(engine + "/" + phase.workload)),
                           TextOf(measures));
      });
}

std::string BencherFile(std::span<const Result>, const std::string& entries) {
  return entries.empty() ? "{}\n" : "{" + entries.substr(1) + "\n}\n";
}

namespace {

Json EntryOf(const Result& result, const std::string& engine, const RunResult& run,
             const PhaseResult& phase, uint64_t rounds) {
  std::string name = fmt::format("{}/{}/num:{}", engine, phase.workload, SettingOf(result, "num"));
  for (const auto& [setting, value] : run.variant.settings) {
    name += fmt::format("/{}:{}", setting, value);
  }
  Json entry = {{"name", name},
                {"run_name", name},
                {"run_type", "iteration"},
                {"repetitions", rounds},
                {"repetition_index", run.round == 0 ? 0 : run.round - 1},
                {"threads", phase.roles.empty() ? 1 : phase.roles.front().threads}};
  const std::optional<double> rate = RateOf(phase);
  if (!rate) {
    entry["error_occurred"] = true;
    entry["error_message"] =
        phase.message.empty() ? fmt::format("no rate: {}", NameOf(phase.outcome)) : phase.message;
    return entry;
  }
  const Ratio cpu_us = CostOf(phase).cpu_us;
  entry["iterations"] = phase.roles.front().Operations();
  entry["real_time"] = 1e9 / *rate;
  entry["cpu_time"] = cpu_us.value ? *cpu_us.value * 1e3 : 1e9 / *rate;
  entry["time_unit"] = "ns";
  entry["items_per_second"] = *rate;
  return entry;
}

}  // namespace

// Google Benchmark, for programs that read it: its compare.py, and services that follow benchmarks
// over commits. A round is a repetition, and times are nanoseconds per operation. Entries are named
// engine/workload/num:1000000. A failure is an entry with an error.
StatusOr<std::string> GoogleBenchmarkEntriesOf(const Result& result, const std::string&,
                                               const Settings&) {
  uint64_t rounds = 1;
  for (const RunResult& run : result.runs) rounds = std::max(rounds, run.round);
  std::string entries;
  const std::vector<std::string> engines = EngineNamesOf(result);
  for (size_t i = 0; i < result.runs.size(); ++i) {
    const RunResult& run = result.runs[i];
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit || phase.repetition.warm_up || phase.IsText()) continue;
      entries += ",\n    ";
      for (const char c : TextOf(EntryOf(result, engines[i], run, phase, rounds), 2)) {
        entries += c;
        if (c == '\n') entries += "    ";
      }
    }
  }
  return entries;
}

// The context comes from the first result.
std::string GoogleBenchmarkFile(std::span<const Result> heads, const std::string& entries) {
  Json context = Json::object();
  for (const Result& result : heads) {
    if (context.empty()) {
      context = {{"date", result.started},
                 {"executable", result.command},
                 {"levelfield_version", result.version},
                 {"cpu", result.cpu},
                 {"kernel", result.kernel},
                 {"library_build_type", "release"}};
    }
    if (!IsCutOff(result)) continue;
    context["levelfield_cut_off"].push_back(result.name + ": " + CutOffWords(result));
  }
  std::string text = TextOf({{"context", context}, {"benchmarks", Json::array()}}, 2);
  text.resize(text.rfind(']'));
  if (entries.empty()) return text + "]\n}\n";
  return text.append(entries, 1) + "\n  ]\n}\n";
}

// Kubernetes' perfdash (perf-tests, PerfData of version v1): percentiles of latencies in
// milliseconds, and the rate, for each engine's workload, distinguished by labels.
StatusOr<std::string> PerfdashItemsOf(const Result& result, const std::string&, const Settings&) {
  return ForEachFigure(
      result, [](const std::string& engine, const PhaseResult& phase, const Figures& figures) {
        const auto item = [&](const Json& data, const char* unit, const char* metric) {
          return ",\n    " +
                 TextOf({{"data", data},
                         {"unit", unit},
                         {"labels",
                          {{"Engine", engine}, {"Workload", phase.workload}, {"Metric", metric}}}});
        };
        std::string items = item({{"Rate", *figures.rate}}, "1/s", "Throughput");
        const auto latency_ns = LatenciesOf(phase.roles.front(), &OperationStatistics::latency_ns);
        if (!latency_ns) return items;
        Json percentiles = Json::object();
        for (const auto& [name, p] :
             {std::pair("Perc50", 0.5), std::pair("Perc90", 0.9), std::pair("Perc99", 0.99)}) {
          const std::optional<uint64_t> ns = latency_ns->Percentile(p);
          if (ns) percentiles[name] = static_cast<double>(*ns) / 1e6;
        }
        return percentiles.empty() ? items : items + item(percentiles, "ms", "Latency");
      });
}

std::string PerfdashFile(std::span<const Result>, const std::string& items) {
  return "{\n  \"version\": \"v1\",\n  \"dataItems\": [" +
         (items.empty() ? "" : items.substr(1) + "\n  ") + "]\n}\n";
}

}  // namespace levelfield
