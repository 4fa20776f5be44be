#include "report/html/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "analysis/series.h"
#include "analysis/variants.h"
#include "report/figures.h"
#include "report/html/figure_data.h"
#include "report/setup_text.h"
#include "result/outcome.h"
#include "stats/scaling.h"

namespace levelfield {
namespace {

using Json = nlohmann::json;

Json PairsOf(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json rows = Json::array();
  for (const auto& [name, value] : pairs) rows.push_back({name, value});
  return rows;
}

// With the file systems that were made for runs.
Json ConditionsOf(const Result& result) {
  Json rows = PairsOf(result.conditions);
  for (const std::string& line : FileSystemLines(result)) rows.push_back({"file_system", line});
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
std::vector<Shown> ShownPhases(const Result& sums) {
  std::vector<Shown> shown;
  for (size_t i = 0; i < PlacesIn(sums); ++i) {
    const PhaseResult* const named = NamedAt(sums, i);
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
  const std::vector<Shown> phases = ShownPhases(SumsOf(result, all));
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
  const Variant variant = VariantOf(result);
  return {{"title", result.name},
          {"variant", {{"name", variant.name}, {"settings", PairsOf(variant.settings)}}},
          {"started", result.started},
          {"command", result.command},
          {"version", result.version},
          {"git", result.git},
          {"machine",
           {{"cpu", result.cpu},
            {"cpu_cache", result.cpu_cache},
            {"kernel", result.kernel},
            {"fingerprint", result.fingerprint}}},
          {"conditions", ConditionsOf(result)},
          {"settings", PairsOf(result.settings)},
          {"warnings", result.warnings},
          {"engines", std::move(engines)},
          {"workloads", std::move(workloads)},
          {"figures", std::move(figures)},
          {"verdicts", VerdictsOf(shown.comparisons)}};
}

// Rates by numbers of threads, over all results: of an engine's workload, where it ran with
// several.
struct ScalingKey {
  std::string engine;
  std::string workload;
  std::string variant;  // Without its threads.

  auto operator<=>(const ScalingKey&) const = default;
};
using Scalings = std::map<ScalingKey, std::vector<ScalingPoint>>;

std::string WithoutThreads(const std::string& variant) {
  std::istringstream words(variant);
  std::string rest;
  for (std::string word; words >> word;) {
    if (!word.starts_with("threads=")) rest += (rest.empty() ? "" : " ") + word;
  }
  return rest;
}

void AddPoints(const Result& result, Scalings& scalings) {
  for (const Series& series : SeriesOf(result)) {
    if (series.sum.floor) continue;
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult& phase = series.sum.phases[i];
      const std::optional<double> rate = FiguresOf(series, i).median;
      if (phase.implicit || phase.roles.empty() || !rate) continue;
      const RunResult& run = series.sum;
      scalings[{run.label.empty() ? run.engine : run.label, phase.workload,
                WithoutThreads(run.variant.name)}]
          .push_back({.threads = phase.roles.front().threads, .rate = *rate});
    }
  }
}

Json FitData(const std::vector<ScalingPoint>& points) {
  const StatusOr<ScalingFit> fit = FitScaling(points);
  if (!fit.ok()) return {{"reason", fit.status().message()}};
  const auto most =
      static_cast<double>(std::ranges::max(points, {}, &ScalingPoint::threads).threads);
  Json curve = Json::array();
  constexpr int kSteps = 50;
  for (int i = 0; i <= kSteps; ++i) {
    const double threads = 1 + (most - 1) * i / kSteps;
    curve.push_back({threads, fit->RateOf(threads)});
  }
  return {{"lambda", fit->lambda},
          {"sigma", fit->sigma},
          {"sigma_low", fit->sigma_interval.low},
          {"sigma_high", fit->sigma_interval.high},
          {"kappa", fit->kappa},
          {"kappa_low", fit->kappa_interval.low},
          {"kappa_high", fit->kappa_interval.high},
          {"peak_threads", fit->peak_threads ? Json(*fit->peak_threads) : Json(nullptr)},
          {"curve", curve}};
}

Json ScalingData(const std::vector<ShownResult>& results) {
  Scalings scalings;
  for (const ShownResult& shown : results) AddPoints(*shown.result, scalings);
  Json data = Json::array();
  for (auto& [of, points] : scalings) {
    std::ranges::sort(points, {}, &ScalingPoint::threads);
    if (points.front().threads == points.back().threads) continue;
    Json pairs = Json::array();
    for (const ScalingPoint& point : points) pairs.push_back({point.threads, point.rate});
    data.push_back({{"engine", of.engine},
                    {"workload", of.workload},
                    {"variant", of.variant},
                    {"points", std::move(pairs)},
                    {"fit", FitData(points)}});
  }
  return data;
}

}  // namespace

nlohmann::json PageData(const std::vector<ShownResult>& results) {
  Json all = Json::array();
  for (const ShownResult& shown : results) all.push_back(ResultData(shown));
  return {{"results", std::move(all)}, {"scaling", ScalingData(results)}};
}

}  // namespace levelfield
