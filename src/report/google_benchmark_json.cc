#include "report/google_benchmark_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "result/completion.h"
#include "result/cost.h"
#include "result/outcome_name.h"
#include "result/series.h"
#include "result/setting_of.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

Json EntryOf(const Result& result, const RunResult& run, const PhaseResult& phase,
             uint64_t rounds) {
  std::string name =
      fmt::format("{}/{}/num:{}", run.engine, phase.workload, SettingOf(result, "num"));
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
    entry["error_message"] = phase.message.empty()
                                 ? fmt::format("no rate: {}", OutcomeName(phase.outcome))
                                 : phase.message;
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

nlohmann::ordered_json GoogleBenchmarks(const Result& result) {
  uint64_t rounds = 1;
  for (const RunResult& run : result.runs) rounds = std::max(rounds, run.round);
  Json entries = Json::array();
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit || phase.repetition.warm_up || !phase.text.empty()) continue;
      entries.push_back(EntryOf(result, run, phase, rounds));
    }
  }
  return entries;
}

std::string RenderGoogleBenchmark(const std::vector<Result>& results) {
  Json context = Json::object();
  Json benchmarks = Json::array();
  for (const Result& result : results) {
    if (context.empty()) {
      context = {{"date", result.started},
                 {"executable", result.command},
                 {"levelfield_version", result.version},
                 {"cpu", result.cpu},
                 {"kernel", result.kernel},
                 {"library_build_type", "release"}};
    }
    if (IsCutOff(result)) {
      context["levelfield_cut_off"].push_back(result.name + ": " + CutOffWords(result));
    }
    for (Json& entry : GoogleBenchmarks(result)) benchmarks.push_back(std::move(entry));
  }
  const Json file = {{"context", std::move(context)}, {"benchmarks", std::move(benchmarks)}};
  // In ASCII: people print it, and terminals take U+009B in a name for ESC [.
  return JsonText(file, 2, Letters::kAscii) + "\n";
}

}  // namespace levelfield
