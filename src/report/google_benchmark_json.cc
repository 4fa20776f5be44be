#include "report/google_benchmark_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/json_text.h"
#include "result/completion.h"
#include "result/outcome_name.h"
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

// In ASCII: people print it, and terminals take U+009B in a name for ESC [.
std::string TextOf(const Json& json) { return JsonText(json, 2, Letters::kAscii); }

}  // namespace

void GoogleBenchmarkFile::Add(const Result& result) {
  if (context_.empty()) {
    context_ = {{"date", result.started},
                {"executable", result.command},
                {"levelfield_version", result.version},
                {"cpu", result.cpu},
                {"kernel", result.kernel},
                {"library_build_type", "release"}};
  }
  if (IsCutOff(result)) {
    context_["levelfield_cut_off"].push_back(result.name + ": " + CutOffWords(result));
  }
  uint64_t rounds = 1;
  for (const RunResult& run : result.runs) rounds = std::max(rounds, run.round);
  for (const RunResult& run : result.runs) {
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit || phase.repetition.warm_up || !phase.text.empty()) continue;
      entries_ += entries_.empty() ? "\n    " : ",\n    ";
      for (const char c : TextOf(EntryOf(result, run, phase, rounds))) {
        entries_ += c;
        if (c == '\n') entries_ += "    ";
      }
    }
  }
}

// The entries are text already: of many, that is much less than values of JSON.
std::string GoogleBenchmarkFile::Text() const {
  std::string text = TextOf({{"context", context_}, {"benchmarks", Json::array()}});
  text.resize(text.rfind(']'));
  text += entries_;
  return text + (entries_.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace levelfield
