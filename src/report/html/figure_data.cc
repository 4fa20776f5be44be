#include "report/html/figure_data.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "analysis/cost.h"
#include "analysis/durability.h"
#include "analysis/steady_state.h"
#include "report/figures.h"
#include "result/conditions.h"
#include "result/outcome.h"
#include "result/stalls.h"

namespace levelfield {
namespace {

using Json = nlohmann::json;

// A chart of a long phase has as many points as a screen has columns.
constexpr size_t kMostPoints = 600;

template <class Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json OrNull(const Ratio& ratio) { return OrNull(ratio.value); }

Json PercentilesOf(const SparseHistogram& latency_ns) {
  Json percentiles = Json::object();
  for (const auto& [name, p] :
       {std::pair("p50", 0.5), {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}) {
    percentiles[name] = OrNull(latency_ns.Percentile(p));
  }
  percentiles["max"] = latency_ns.Count() == 0 ? Json(nullptr) : Json(latency_ns.Max());
  return percentiles;
}

Json LatencyData(const std::string& operation, const char* kind,
                 const SparseHistogram& latency_ns) {
  return {{"operation", operation},
          {"kind", kind},
          {"count", latency_ns.Count()},
          {"percentiles_ns", PercentilesOf(latency_ns)},
          {"curve_ns", CurveOf(latency_ns)}};
}

Json LatenciesOf(const RoleResult& role) {
  Json latencies = Json::array();
  for (const LaneResult& lane : role.lanes) {
    if (lane.latency_ns) {
      latencies.push_back(LatencyData(lane.operation, "service", *lane.latency_ns));
    }
    if (lane.response_ns) {
      latencies.push_back(LatencyData(lane.operation, "response", *lane.response_ns));
    }
  }
  return latencies;
}

Json OverTimeOf(const PhaseResult& phase) {
  if (!phase.ticks || phase.ticks->operations.empty() || phase.ticks->end_ms.empty()) {
    return nullptr;
  }
  const Ticks& ticks = *phase.ticks;
  const std::vector<uint64_t>& operations = ticks.operations.front();
  const size_t together = (ticks.end_ms.size() + kMostPoints - 1) / kMostPoints;
  Json rates = Json::array();
  for (size_t i = 0; i + together <= ticks.end_ms.size(); i += together) {
    uint64_t sum = 0;
    for (size_t k = i; k < i + together; ++k) sum += operations[k];
    const uint64_t begin_ms = ticks.BeginMs(i);
    const uint64_t end_ms = ticks.end_ms[i + together - 1];
    if (end_ms <= begin_ms) continue;
    rates.push_back({static_cast<double>(end_ms) * 1e-3,
                     static_cast<double>(sum) / static_cast<double>(end_ms - begin_ms) * 1e3});
  }
  Json stalls = Json::array();
  const uint64_t batch = phase.roles.empty() ? 1 : phase.roles.front().batch;
  for (const Stall& stall : FindStalls(ticks, 0, batch).stalls) {
    stalls.push_back({{"begin_seconds", static_cast<double>(stall.begin_ms) * 1e-3},
                      {"end_seconds", static_cast<double>(stall.end_ms) * 1e-3},
                      {"causes", stall.causes}});
  }
  const ThroughputState state = StateOf(ticks, 0);
  return {{"rates", rates},
          {"stalls", stalls},
          {"settle_seconds", phase.settle ? Json(phase.settle->seconds) : Json(nullptr)},
          {"steady", state.steadiness == Steadiness::kSteady  ? "steady"
                     : state.steadiness == Steadiness::kNever ? "never"
                                                              : "too short"},
          {"steady_since_seconds",
           state.steadiness == Steadiness::kSteady ? Json(state.since_seconds) : Json(nullptr)}};
}

Json CostData(const PhaseResult& phase) {
  const Cost cost = CostOf(phase);
  Json data = {{"cpu_us", OrNull(cost.cpu_us)},
               {"background_share", OrNull(cost.background_share)},
               {"write_calls", OrNull(cost.write_calls)},
               {"write_dirtied", OrNull(cost.write_dirtied)},
               {"write_device", OrNull(cost.write_device)},
               {"write_engine", OrNull(cost.write_engine)},
               {"read_device", OrNull(cost.read_device)},
               {"space", OrNull(cost.space)},
               {"peak_space", OrNull(cost.peak_space)},
               {"disk_bytes", phase.disk_bytes},
               {"anonymous_bytes", nullptr},
               {"file_bytes", nullptr},
               {"sync_calls", nullptr}};
  if (!phase.resources) return data;
  if (phase.resources->memory) {
    data["anonymous_bytes"] = phase.resources->memory->anonymous_bytes;
    data["file_bytes"] = phase.resources->memory->file_bytes;
  }
  if (phase.resources->syncs) data["sync_calls"] = phase.resources->syncs->calls;
  return data;
}

Json LoadStepsOf(const PhaseResult& phase) {
  Json steps = Json::array();
  for (const LoadStep& step : phase.load_steps) {
    steps.push_back({{"rate", step.rate},
                     {"achieved", step.achieved},
                     {"verdict", step.verdict},
                     {"service_ns", PercentilesOf(step.service_ns)},
                     {"response_ns", PercentilesOf(step.response_ns)}});
  }
  return steps;
}

std::string EvidenceOf(const RunResult& run, const PhaseResult& phase) {
  const std::string words = DurabilityWords(phase);
  const std::string known = KnownDeviation(run, phase);
  if (known.empty()) return words;
  return (words.empty() ? "" : words + "; ") + "known deviation: " + known;
}

}  // namespace

nlohmann::json CurveOf(const SparseHistogram& latency_ns) {
  Json points = Json::array();
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

nlohmann::json FigureData(const Series& series, size_t phase_index) {
  const PhaseResult& phase = series.sum.phases[phase_index];
  const Figures figures = FiguresOf(series, phase_index);
  Json figure = {{"outcome", OutcomeName(phase.outcome)},
                 {"message", phase.message},
                 {"durability", phase.durability},
                 {"level", phase.level},
                 {"observed", WordOf(JudgementOf(phase))},
                 {"durability_words", EvidenceOf(series.sum, phase)},
                 {"checked", phase.checked},
                 {"rates", figures.rates},
                 {"median", nullptr},
                 {"low", nullptr},
                 {"high", nullptr},
                 {"charged", nullptr},
                 {"settle_seconds", nullptr},
                 {"threads", phase.roles.empty() ? 0 : phase.roles.front().threads},
                 {"rate_asked", phase.roles.empty() ? 0 : phase.roles.front().rate},
                 {"latencies", Json::array()},
                 {"over_time", nullptr},
                 {"cost", nullptr},
                 {"load_steps", LoadStepsOf(phase)},
                 {"disturbances", Json::array()}};
  if (phase.outcome != Outcome::kOk) return figure;
  figure["median"] = OrNull(figures.median);
  figure["charged"] = OrNull(figures.charged);
  figure["settle_seconds"] = OrNull(figures.settle_seconds);
  if (figures.interval) {
    figure["low"] = figures.interval->low;
    figure["high"] = figures.interval->high;
  }
  if (!phase.roles.empty()) figure["latencies"] = LatenciesOf(phase.roles.front());
  const PhaseResult* const middle = series.MiddleRound(phase_index);
  if (middle != nullptr) {
    figure["over_time"] = OverTimeOf(*middle);
    figure["cost"] = CostData(*middle);
  }
  for (const RunResult* run : series.rounds) {
    const PhaseResult& round = run->phases[phase_index];
    if (!round.conditions) continue;
    for (const std::string& words : DisturbancesOf(*round.conditions)) {
      figure["disturbances"].push_back(words);
    }
  }
  return figure;
}

}  // namespace levelfield
