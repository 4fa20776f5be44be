#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "analysis/comparison.h"
#include "analysis/cost_of_rounds.h"
#include "analysis/durability.h"
#include "analysis/equal_stores.h"
#include "analysis/findings/findings.h"
#include "analysis/series.h"
#include "analysis/steady_state.h"
#include "base/text.h"
#include "report/heading.h"
#include "report/html/page.h"
#include "result/conditions.h"
#include "result/fields_json.h"
#include "result/load_verdict.h"
#include "result/phase_result.h"
#include "stats/rate_curve.h"
#include "stats/scaling.h"

namespace levelfield {
namespace {

using PageJson = nlohmann::json;

// A chart of a long phase has one point for each column of a screen.
constexpr size_t kMostPoints = 600;

template <class Value>
PageJson OrNull(const std::optional<Value>& value) {
  return value ? PageJson(*value) : PageJson(nullptr);
}

PageJson PercentilesOf(const SparseHistogram& latency_ns) {
  PageJson percentiles = PageJson::object();
  for (const auto& [name, p] :
       {std::pair("p50", 0.5), {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}) {
    percentiles[name] = OrNull(latency_ns.Percentile(p));
  }
  percentiles["max"] = latency_ns.Count() == 0 ? PageJson(nullptr) : PageJson(latency_ns.Max());
  return percentiles;
}

// `is_at_most`: the load generator was late, so these are upper bounds.
PageJson LatencyData(const std::string& operation, const char* kind,
                     const SparseHistogram& latency_ns, bool is_at_most = false) {
  return {{"operation", operation},
          {"kind", kind},
          {"is_at_most", is_at_most},
          {"count", latency_ns.Count()},
          {"percentiles_ns", PercentilesOf(latency_ns)},
          {"curve_ns", CurveOf(latency_ns)}};
}

PageJson LatenciesOf(const RoleResult& role) {
  PageJson latencies = PageJson::array();
  const bool is_at_most = role.load && role.load->verdict == LoadOutcome::kLateGenerator;
  if (role.statistics.size() > 1) {
    const auto all = LatenciesOf(role, &OperationStatistics::latency_ns);
    if (all) latencies.push_back(LatencyData("all", "service", *all));
    const auto responses = LatenciesOf(role, &OperationStatistics::response_ns);
    if (responses) latencies.push_back(LatencyData("all", "response", *responses, is_at_most));
  }
  for (const OperationStatistics& stats : role.statistics) {
    if (stats.latency_ns) {
      latencies.push_back(LatencyData(stats.operation, "service", *stats.latency_ns));
    }
    if (stats.response_ns) {
      latencies.push_back(
          LatencyData(stats.operation, "response", *stats.response_ns, is_at_most));
    }
  }
  return latencies;
}

// A rate that changes over time, at the points of the line of rates; empty for any other.
PageJson AskedOf(const PhaseResult& phase) {
  PageJson asked = PageJson::array();
  if (!HasLoad(phase)) return asked;
  const StatusOr<RateCurve> curve = RateCurve::Parse(phase.roles.front().curve);
  if (!curve.ok()) return asked;
  const size_t together = (phase.ticks->end_ms.size() + kMostPoints - 1) / kMostPoints;
  double begin = 0;
  for (size_t i = together - 1; i < phase.ticks->end_ms.size(); i += together) {
    const double end = static_cast<double>(phase.ticks->end_ms[i]) * 1e-3;
    if (end > begin) {
      asked.push_back({end, (curve->Entries(end) - curve->Entries(begin)) / (end - begin)});
    }
    begin = end;
  }
  return asked;
}

PageJson OverTimeOf(const PhaseResult& phase) {
  if (!phase.ticks || phase.ticks->operations.empty() || phase.ticks->end_ms.empty()) {
    return nullptr;
  }
  const Ticks& ticks = *phase.ticks;
  const Ticks judged = TicksOf(phase);
  const std::vector<uint64_t>& operations = ticks.operations.front();
  const size_t together = (ticks.end_ms.size() + kMostPoints - 1) / kMostPoints;
  PageJson rates = PageJson::array();
  for (size_t i = 0; i + together <= ticks.end_ms.size(); i += together) {
    uint64_t sum = 0;
    for (size_t k = i; k < i + together; ++k) sum += operations[k];
    const uint64_t begin_ms = ticks.BeginMs(i);
    const uint64_t end_ms = ticks.end_ms[i + together - 1];
    if (end_ms <= begin_ms) continue;
    rates.push_back({static_cast<double>(end_ms) * 1e-3,
                     static_cast<double>(sum) / static_cast<double>(end_ms - begin_ms) * 1e3});
  }
  PageJson stalls = PageJson::array();
  const uint64_t batch = phase.roles.empty() ? 1 : phase.roles.front().batch;
  for (const Stall& stall : FindStalls(judged, 0, batch).stalls) {
    stalls.push_back({{"begin_seconds", static_cast<double>(stall.begin_ms) * 1e-3},
                      {"end_seconds", static_cast<double>(stall.end_ms) * 1e-3},
                      {"causes", stall.causes}});
  }
  const ThroughputState state = StateOf(judged, 0);
  return {{"rates", rates},
          {"asked", AskedOf(phase)},
          {"stalls", stalls},
          {"settle_seconds", phase.settle ? PageJson(phase.settle->seconds) : PageJson(nullptr)},
          {"steady", state.steadiness == Steadiness::kSteady  ? "steady"
                     : state.steadiness == Steadiness::kNever ? "never"
                                                              : "too short"},
          {"steady_since_seconds", state.steadiness == Steadiness::kSteady
                                       ? PageJson(state.since_seconds)
                                       : PageJson(nullptr)}};
}

// Medians of the rounds, as in every table.
PageJson CostData(const Series& series, size_t place) {
  constexpr std::pair<const char*, Ratio Cost::*> kRatios[] = {
      {"cpu_us", &Cost::cpu_us},
      {"background_share", &Cost::background_share},
      {"computing", &Cost::computing},
      {"in_syncs", &Cost::in_syncs},
      {"waiting", &Cost::waiting},
      {"write_calls", &Cost::write_calls},
      {"write_dirtied", &Cost::write_dirtied},
      {"write_device", &Cost::write_device},
      {"write_engine", &Cost::write_engine},
      {"read_device", &Cost::read_device},
      {"space", &Cost::space},
      {"peak_space", &Cost::peak_space}};
  constexpr std::pair<const char*, Ratio Cost::*> kCounts[] = {
      {"anonymous_bytes", &Cost::anonymous_bytes},
      {"file_bytes", &Cost::file_bytes},
      {"sync_calls", &Cost::sync_calls}};
  const auto median_of = [&](Ratio Cost::*cost) {
    const std::optional<RoundsCost> of_rounds = CostOfRounds(series, place, cost);
    return of_rounds ? std::optional(of_rounds->median) : std::nullopt;
  };
  const std::optional<double> disk_bytes = MedianOfRounds(series, place, [](const PhaseResult& of) {
    return static_cast<double>(of.disk_bytes);
  });
  PageJson data = {{"disk_bytes", static_cast<uint64_t>(disk_bytes.value_or(0))}};
  for (const auto& [name, ratio] : kRatios) data[name] = OrNull(median_of(ratio));
  for (const auto& [name, count] : kCounts) {
    const std::optional<double> value = median_of(count);
    data[name] = value ? PageJson(static_cast<uint64_t>(*value)) : PageJson(nullptr);
  }
  return data;
}

PageJson LoadStepsOf(const PhaseResult& phase) {
  PageJson steps = PageJson::array();
  for (const LoadStep& step : phase.load_steps) {
    steps.push_back({{"rate", step.rate},
                     {"achieved", step.achieved},
                     {"verdict", NameOf(step.verdict)},
                     {"service_ns", PercentilesOf(step.service_ns)},
                     {"response_ns", PercentilesOf(step.response_ns)}});
  }
  return steps;
}

std::string EvidenceOf(const std::string& known, const PhaseResult& phase) {
  const std::string words = DurabilityWords(phase);
  if (known.empty()) return words;
  return (words.empty() ? "" : words + "; ") + "known deviation: " + known;
}

PageJson PairsOf(const std::vector<std::pair<std::string, std::string>>& pairs) {
  PageJson rows = PageJson::array();
  for (const auto& [name, value] : pairs) rows.push_back({name, value});
  return rows;
}

// Also the file systems made for runs.
PageJson ConditionsOf(const Result& result) {
  PageJson rows = PairsOf(result.conditions);
  for (const std::string& line : FileSystemLines(result)) rows.push_back({"file_system", line});
  return rows;
}

// "mystore@base 1": a label alone would be the same for two builds of one version.
std::string BuildLabel(const RunResult& run) {
  if (run.engine.find('@') == std::string::npos && !run.label.empty()) return run.label;
  return run.engine + (run.version.empty() ? "" : " " + run.version);
}

PageJson EngineData(const Series& series) {
  const RunResult& run = series.sum;
  return {{"name", run.engine},
          {"label", BuildLabel(run)},
          {"version", run.version},
          {"is_floor", run.is_baseline_engine},
          {"warning", run.warning},
          {"library", run.library_path},
          {"sha256", run.library_sha256},
          {"outcome", NameOf(run.outcome)},
          {"message", run.message},
          {"allocator", run.allocator},
          {"settings", PairsOf(run.settings)},
          {"configuration", PairsOf(run.configuration)},
          {"notes", NotesOf(run)},
          {"rounds", series.rounds.size()}};
}

PageJson RatioData(const RateRatio& ratio) {
  const bool has_interval = ratio.interval.has_value();
  return {{"ratio", ratio.ratio},
          {"low", has_interval ? PageJson(ratio.interval->low) : PageJson(nullptr)},
          {"high", has_interval ? PageJson(ratio.interval->high) : PageJson(nullptr)}};
}

PageJson LatenciesOf(const ComparedWorkload& workload) {
  PageJson latencies = PageJson::array();
  for (const ComparedPercentile& one : workload.percentiles) {
    PageJson latency = RatioData(one.ratio);
    latency.update({{"percentile", one.name},
                    {"baseline_ns", one.baseline_ns},
                    {"candidate_ns", one.candidate_ns},
                    {"verdict", NameOf(one.verdict)}});
    latencies.push_back(std::move(latency));
  }
  return latencies;
}

PageJson VerdictsOf(const std::vector<Comparison>& comparisons) {
  PageJson verdicts = PageJson::array();
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      PageJson verdict = RatioData(workload.ratio);
      verdict.update({{"baseline", comparison.baseline},
                      {"candidate", comparison.candidate},
                      {"workload", workload.workload},
                      {"rounds", workload.rounds},
                      {"paired", comparison.paired},
                      {"in_slices", workload.in_slices},
                      {"noise", workload.noise},
                      {"verdict", NameOf(workload.verdict)},
                      {"reason", workload.invalid},
                      {"latencies", LatenciesOf(workload)}});
      if (!workload.invalid.empty())
        verdict.update({{"ratio", nullptr}, {"verdict", workload.WordForNothing()}});
      if (workload.IsSlowerByCpu()) verdict["is_slower_by_cpu"] = true;
      verdicts.push_back(std::move(verdict));
    }
  }
  return verdicts;
}

// The phases of the plan that are shown, by their places. Repeated names are numbered.
// One engine's one workload over all rounds. The series must have a phase at that place in the
// plan.
PageJson FigureData(const Findings& findings, const Series& series,
                    const WorkloadStandings& workload) {
  const size_t phase_index = workload.place;
  const PhaseResult& phase = series.sum.phases[phase_index];
  const Figures figures = FiguresOf(series, phase_index);
  const bool is_ok = phase.outcome == Outcome::kOk;
  const auto if_ok = [&](const std::optional<double>& value) {
    return is_ok ? OrNull(value) : PageJson(nullptr);
  };
  const auto end = [&](double Interval::*which) {
    return figures.rate_interval ? std::optional((*figures.rate_interval).*which) : std::nullopt;
  };
  const PhaseResult* const middle = is_ok ? series.MiddleRound(phase_index) : nullptr;
  std::vector<std::string> all_disturbances;
  for (const RunResult* run : series.rounds) {
    const PhaseResult* const round = is_ok ? PhaseAt(*run, phase_index) : nullptr;
    if (round == nullptr) continue;
    const std::vector<std::string> disturbances = DisturbancesOf(*round);
    std::ranges::copy(disturbances, std::back_inserter(all_disturbances));
  }
  const Durability durability = DurabilityOf(series.sum, phase);
  const auto column = std::ranges::find(findings.shown, &series);
  PageJson few_keys = nullptr;
  if (column != findings.shown.end()) {
    few_keys = OrNull(workload.few_keys[static_cast<size_t>(column - findings.shown.begin())]);
  }
  return {{"outcome", NameOf(phase.outcome)},
          {"message", phase.message},
          {"durability", phase.durability},
          {"level", NameOf(phase.level)},
          {"observed", WordOf(durability.verdict)},
          {"durability_words", EvidenceOf(durability.known_deviation, phase)},
          {"keeps_less", !durability.known_deviation.empty()},
          {"checked", WordsOf(phase.checked)},
          {"is_checked", IsChecked(phase)},
          {"few_keys", std::move(few_keys)},
          {"unequal", workload.is_at_a_rate && workload.unequal.empty()
                          ? "an open loop does what it is asked for; compare its latencies"
                          : workload.unequal},
          {"rates", figures.rates},
          {"rate", if_ok(figures.rate)},
          {"low", if_ok(end(&Interval::low))},
          {"high", if_ok(end(&Interval::high))},
          {"charged", if_ok(figures.charged_rate)},
          {"settle_seconds", if_ok(figures.settle_seconds)},
          {"threads", phase.roles.empty() ? 0 : phase.roles.front().threads},
          {"rate_asked", phase.roles.empty() ? 0 : phase.roles.front().rate},
          {"latencies",
           is_ok && !phase.roles.empty() ? LatenciesOf(phase.roles.front()) : PageJson::array()},
          {"over_time", middle != nullptr ? OverTimeOf(*middle) : PageJson(nullptr)},
          {"cost", middle != nullptr ? CostData(series, phase_index) : PageJson(nullptr)},
          {"load_steps", LoadStepsOf(phase)},
          {"act", phase.act ? PageJson(phase.act->number) : PageJson(nullptr)},
          {"disturbances", all_disturbances}};
}

std::vector<std::string> WarningsOf(const Findings& findings) {
  std::vector<std::string> warnings = findings.result.warnings;
  for (const Remark& remark : findings.remarks) {
    if (RowOf(remark.kind).tone != RemarkTone::kWarning) continue;
    if (std::string words = ReportWords(remark); !words.empty())
      AddOnce(warnings, std::move(words));
  }
  return warnings;
}

PageJson RemarksOf(const Findings& findings) {
  PageJson remarks = PageJson::array();
  for (const Remark& remark : findings.remarks) {
    std::string words = ReportWords(remark);
    if (words.empty()) words = ScreenWords(remark);
    const RemarkRow& row = RowOf(remark.kind);
    remarks.push_back({{"kind", row.name}, {"mark", row.mark}, {"words", std::move(words)}});
  }
  return remarks;
}

PageJson ResultData(const ShownResult& shown) {
  const Result& result = *shown.result;
  const Findings findings = FindingsOf(result, {});
  const std::vector<Series>& all = findings.series;
  const std::vector<WorkloadStandings>& shown_workloads = findings.standings.workloads;
  PageJson engines = PageJson::array();
  PageJson workloads = PageJson::array();
  PageJson figures = PageJson::array();
  for (const Series& series : all) engines.push_back(EngineData(series));
  for (const WorkloadStandings& workload : shown_workloads) {
    workloads.push_back({{"name", workload.name},
                         {"family", NamedAt(findings.sums, workload.place)->family},
                         {"marks", findings.MarksOf(workload.place)}});
  }
  for (size_t e = 0; e < all.size(); ++e) {
    for (size_t w = 0; w < shown_workloads.size(); ++w) {
      if (PhaseAt(all[e].sum, shown_workloads[w].place) == nullptr) continue;
      PageJson figure = FigureData(findings, all[e], shown_workloads[w]);
      figure["engine"] = e;
      figure["workload"] = w;
      figure["marks"] = findings.MarksOf(all[e], shown_workloads[w].place);
      figures.push_back(std::move(figure));
    }
  }
  const Variant variant = VariantOf(result);
  return {{"title", result.name},
          {"letter", shown.letter},
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
          {"warnings", WarningsOf(findings)},
          {"engines", std::move(engines)},
          {"workloads", std::move(workloads)},
          {"figures", std::move(figures)},
          {"remarks", RemarksOf(findings)},
          {"verdicts", VerdictsOf(shown.comparisons)},
          {"pairs", VerdictsOf(shown.pairs)},
          {"answer",
           shown.answer ? PageJson(Codec<ChoiceAnswer>::Write(*shown.answer)) : PageJson(nullptr)}};
}

// Rates by numbers of threads, over all results, for workloads that an engine ran with several
// numbers of threads.
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
    if (series.sum.is_baseline_engine) continue;
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult& phase = series.sum.phases[i];
      const std::optional<double> rate = FiguresOf(series, i).rate;
      if (phase.implicit || phase.roles.empty() || !rate) continue;
      const RunResult& run = series.sum;
      scalings[{BuildLabel(run), phase.workload, WithoutThreads(run.variant.name)}].push_back(
          {.threads = phase.roles.front().threads, .rate = *rate});
    }
  }
}

PageJson FitData(const std::vector<ScalingPoint>& points) {
  const StatusOr<ScalingFit> fit = FitScaling(points);
  if (!fit.ok()) return {{"reason", fit.status().message()}};
  const auto most =
      static_cast<double>(std::ranges::max(points, {}, &ScalingPoint::threads).threads);
  PageJson curve = PageJson::array();
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
          {"peak_threads", OrNull(fit->peak_threads)},
          {"curve", curve}};
}

PageJson ScalingData(const std::vector<ShownResult>& results) {
  Scalings scalings;
  for (const ShownResult& shown : results) AddPoints(*shown.result, scalings);
  PageJson data = PageJson::array();
  for (auto& [of, points] : scalings) {
    std::ranges::sort(points, {}, &ScalingPoint::threads);
    if (points.front().threads == points.back().threads) continue;
    PageJson pairs = PageJson::array();
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

nlohmann::json CurveOf(const SparseHistogram& latency_ns) {
  PageJson points = PageJson::array();
  const uint64_t count = latency_ns.Count();
  if (count == 0) return points;
  points.push_back({0.0, latency_ns.Min()});
  for (int tenths = 1;; ++tenths) {
    const double nines = tenths * 0.1;
    const std::optional<uint64_t> ns = latency_ns.Percentile(1 - std::pow(10, -nines));
    if (!ns) break;
    points.push_back({nines, *ns});
  }
  points.push_back({std::log10(static_cast<double>(count)), latency_ns.Max()});
  return points;
}

nlohmann::json PageData(const std::vector<ShownResult>& results) {
  PageJson all = PageJson::array();
  for (const ShownResult& shown : results) all.push_back(ResultData(shown));
  PageJson fates;
  for (const auto& [level, fate] : kFates) fates[std::string(NameOf(level))] = fate;
  return {{"results", std::move(all)},
          {"scaling", ScalingData(results)},
          {"fates_of_writes", std::move(fates)}};
}

}  // namespace levelfield
