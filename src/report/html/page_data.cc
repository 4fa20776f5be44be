#include "report/html/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/html/figure_data.h"
#include "result/result_json.h"
#include "result/series.h"

namespace levelfield {
namespace {

using Json = nlohmann::json;

Json PairsOf(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json rows = Json::array();
  for (const auto& [name, value] : pairs) rows.push_back({name, value});
  return rows;
}

Json EngineData(const Series& series) {
  const RunResult& run = series.sum;
  return {{"name", run.engine},
          {"label", run.label.empty() ? run.engine : run.label},
          {"version", run.version},
          {"is_floor", run.floor},
          {"warning", run.warning},
          {"library", run.library_path},
          {"sha256", run.library_sha256},
          {"outcome", OutcomeName(run.outcome)},
          {"message", run.message},
          {"allocator", run.allocator},
          {"settings", PairsOf(run.settings)},
          {"configuration", PairsOf(run.configuration)},
          {"notes", run.notes},
          {"rounds", series.rounds.size()}};
}

Json VerdictsOf(const std::vector<Comparison>& comparisons) {
  Json verdicts = Json::array();
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      const bool has_interval = workload.ratio.interval.has_value();
      verdicts.push_back(
          {{"baseline", comparison.baseline},
           {"candidate", comparison.candidate},
           {"workload", workload.workload},
           {"rounds", workload.rounds},
           {"paired", comparison.paired},
           {"ratio", workload.invalid.empty() ? Json(workload.ratio.ratio) : Json(nullptr)},
           {"low", has_interval ? Json(workload.ratio.interval->low) : Json(nullptr)},
           {"high", has_interval ? Json(workload.ratio.interval->high) : Json(nullptr)},
           {"noise", workload.noise},
           {"verdict", workload.invalid.empty() ? std::string(VerdictName(workload.verdict))
                                                : std::string("invalid")},
           {"reason", workload.invalid}});
    }
  }
  return verdicts;
}

// The phases of the plan that are shown, by their places in it. Names that come twice are numbered.
struct Shown {
  size_t phase = 0;
  std::string name;
  std::string family;
};
std::vector<Shown> ShownPhases(const std::vector<Series>& all) {
  std::vector<Shown> shown;
  size_t phases = 0;
  for (const Series& series : all) phases = std::max(phases, series.sum.phases.size());
  for (size_t i = 0; i < phases; ++i) {
    const PhaseResult* named = nullptr;
    for (const Series& series : all) {
      if (named == nullptr && i < series.sum.phases.size()) named = &series.sum.phases[i];
    }
    if (named->implicit || named->repetition.warm_up || !named->text.empty()) continue;
    const auto before = std::ranges::count_if(shown, [&](const Shown& other) {
      return other.name == named->workload || other.name.starts_with(named->workload + " (");
    });
    shown.push_back({.phase = i,
                     .name = before == 0 ? named->workload
                                         : fmt::format("{} ({})", named->workload, before + 1),
                     .family = named->family});
  }
  return shown;
}

Json ResultData(const ShownResult& shown) {
  const Result& result = *shown.result;
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<Shown> phases = ShownPhases(all);
  Json engines = Json::array();
  Json workloads = Json::array();
  Json figures = Json::array();
  for (const Series& series : all) engines.push_back(EngineData(series));
  for (const Shown& phase : phases) {
    workloads.push_back({{"name", phase.name}, {"family", phase.family}});
  }
  for (size_t e = 0; e < all.size(); ++e) {
    for (size_t w = 0; w < phases.size(); ++w) {
      if (phases[w].phase >= all[e].sum.phases.size()) continue;
      Json figure = FigureData(all[e], phases[w].phase);
      figure["engine"] = e;
      figure["workload"] = w;
      figures.push_back(std::move(figure));
    }
  }
  return {{"title", result.name},
          {"path", shown.path},
          {"started", result.started},
          {"command", result.command},
          {"version", result.version},
          {"git", result.git},
          {"machine",
           {{"cpu", result.cpu},
            {"cpu_cache", result.cpu_cache},
            {"kernel", result.kernel},
            {"fingerprint", result.fingerprint}}},
          {"conditions", PairsOf(result.conditions)},
          {"settings", PairsOf(result.settings)},
          {"warnings", result.warnings},
          {"engines", std::move(engines)},
          {"workloads", std::move(workloads)},
          {"figures", std::move(figures)},
          {"verdicts", VerdictsOf(shown.comparisons)}};
}

}  // namespace

nlohmann::json PageData(const std::vector<ShownResult>& results) {
  Json all = Json::array();
  for (const ShownResult& shown : results) all.push_back(ResultData(shown));
  return {{"results", std::move(all)}};
}

}  // namespace levelfield
