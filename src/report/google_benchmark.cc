// Results in the format of Google Benchmark, for programs that read it: its compare.py, and
// services that follow benchmarks over commits. A round is a repetition, and times are nanoseconds
// per operation. Entries are named engine/workload/num:1000000. A failure is an entry with an
// error.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/json_text.h"
#include "result/result.h"
#include "settings/report_formats.h"

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

// In ASCII: people print it, and terminals read U+009B in a name as ESC [.
std::string TextOf(const Json& json) { return JsonText(json, 2, Letters::kAscii); }

}  // namespace

StatusOr<std::string> GoogleBenchmarkEntriesOf(const Result& result, const std::string&,
                                               const Settings&) {
  uint64_t rounds = 1;
  for (const RunResult& run : result.runs) rounds = std::max(rounds, run.round);
  std::string entries;
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit || phase.repetition.warm_up || !phase.text.empty()) continue;
      entries += ",\n    ";
      for (const char c : TextOf(EntryOf(result, run, phase, rounds))) {
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
  std::string text = TextOf({{"context", context}, {"benchmarks", Json::array()}});
  text.resize(text.rfind(']'));
  if (entries.empty()) return text + "]\n}\n";
  return text.append(entries, 1) + "\n  ]\n}\n";
}

}  // namespace levelfield
