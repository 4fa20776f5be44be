#include "analysis/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/cost.h"
#include "analysis/equal_stores.h"
#include "analysis/steady_state.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/add_statistics.h"
#include "result/load_verdict.h"
#include "result/merge.h"

namespace levelfield {
namespace {

std::optional<double> MedianOf(const std::vector<std::optional<double>>& of_rounds) {
  const std::vector<double> values = Present(of_rounds);
  return values.empty() ? std::nullopt : std::optional(Median(values));
}

void Set(const std::string& name, const std::string& value, Result& result) {
  const auto it =
      std::ranges::find(result.settings, name, &std::pair<std::string, std::string>::first);
  if (it == result.settings.end()) {
    result.settings.emplace_back(name, value);
  } else {
    it->second = value;
  }
}

// A part of a merged result is of one of its machines.
void DescribeMachineOf(const Variant& variant, Result& part) {
  const std::string host = TextIn(variant.settings, kHostSetting);
  const auto machine = std::ranges::find(part.machines, host, &Result::name);
  if (machine == part.machines.end()) return;
  part.started = machine->started;
  part.command = machine->command;
  part.fingerprint = machine->fingerprint;
  part.machines = std::vector<Result>{*machine};
  DescribeTogether(part);
}

void AddSettle(const Settle& settle, Settle& sum) {
  sum.seconds += settle.seconds;
  sum.cpu_seconds += settle.cpu_seconds;
  sum.complete = sum.complete && settle.complete;
  if (sum.dirtied_bytes && settle.dirtied_bytes) *sum.dirtied_bytes += *settle.dirtied_bytes;
}

// Absent if a round does not have it.
template <typename T, typename Add>
void AddIfBoth(const std::optional<T>& part, std::optional<T>& sum, const Add& add) {
  if (!part) sum.reset();
  if (sum) add(*part, *sum);
}

constexpr auto kAddNumber = [](const auto& number, auto& sum) { sum += number; };

void AddDevice(const Resources::Device& device, Resources::Device& sum) {
  sum.read_bytes += device.read_bytes;
  sum.written_bytes += device.written_bytes;
  AddIfBoth(device.flushes, sum.flushes, kAddNumber);
  AddIfBoth(device.writes, sum.writes, kAddNumber);
}

void AddSyncs(const Resources::Syncs& syncs, Resources::Syncs& sum) {
  sum.calls += syncs.calls;
  sum.waited_seconds += syncs.waited_seconds;
  sum.synced_files = std::max(sum.synced_files, syncs.synced_files);
  for (const auto& [name, count] : syncs.kinds) {
    const auto same = std::ranges::find(sum.kinds, name, &std::pair<std::string, uint64_t>::first);
    same == sum.kinds.end() ? sum.kinds.emplace_back(name, count).second : same->second += count;
  }
}

// As many rounds as the operations are of: costs and durability divide one by the other.
void AddResources(const Resources& part, Resources& sum) {
  sum.user_seconds += part.user_seconds;
  sum.system_seconds += part.system_seconds;
  sum.peak_resident_bytes = std::max(sum.peak_resident_bytes, part.peak_resident_bytes);
  sum.minor_faults += part.minor_faults;
  sum.major_faults += part.major_faults;
  sum.voluntary_switches += part.voluntary_switches;
  sum.involuntary_switches += part.involuntary_switches;
  AddIfBoth(part.io, sum.io, [](const Resources::Io& io, Resources::Io& all) {
    all.read_call_bytes += io.read_call_bytes;
    all.write_call_bytes += io.write_call_bytes;
    all.storage_read_bytes += io.storage_read_bytes;
    all.dirtied_bytes += io.dirtied_bytes;
  });
  AddIfBoth(part.device, sum.device, AddDevice);
  AddIfBoth(part.synced_device, sum.synced_device, AddDevice);
  sum.foreground_seconds += part.foreground_seconds;
  sum.watcher_seconds += part.watcher_seconds;
  AddIfBoth(part.syncs, sum.syncs, AddSyncs);
}

// By name.
void AddCounters(const std::vector<std::pair<std::string, uint64_t>>& counters,
                 std::vector<std::pair<std::string, uint64_t>>& sum) {
  for (const auto& [name, count] : counters) {
    const auto same = std::ranges::find(sum, name, &std::pair<std::string, uint64_t>::first);
    if (same != sum.end()) same->second += count;
  }
}

void AddCounts(const std::vector<uint64_t>& counts, std::vector<uint64_t>& sum) {
  for (size_t i = 0; i < std::min(counts.size(), sum.size()); ++i) sum[i] += counts[i];
}

void AddParts(const std::vector<LoadPart>& parts, std::vector<LoadPart>& sum) {
  for (size_t i = 0; i < std::min(parts.size(), sum.size()); ++i) {
    sum[i].seconds += parts[i].seconds;
    sum[i].operations += parts[i].operations;
    sum[i].service_ns.Merge(parts[i].service_ns);
    sum[i].response_ns.Merge(parts[i].response_ns);
  }
}

// Whether the phase is missing because the whole result ended, which says nothing about the rounds
// that ran.
bool IsMissing(const PhaseResult& phase) {
  return phase.outcome == Outcome::kInterrupted || phase.outcome == Outcome::kNotRun;
}

void AddPhase(const PhaseResult& phase, PhaseResult& sum) {
  if (sum.outcome != Outcome::kOk) return;
  if (phase.outcome != Outcome::kOk) {  // One bad round decides the outcome.
    sum = phase;
    return;
  }
  if (!IsChecked(phase)) {
    sum.checked = phase.checked;
    sum.check_detail = phase.check_detail;
  }
  for (size_t r = 0; r < std::min(sum.roles.size(), phase.roles.size()); ++r) {
    const RoleResult& role = phase.roles[r];
    sum.roles[r].entries += role.entries;
    sum.roles[r].seconds += role.seconds;
    if (sum.roles[r].rated && role.rated) {
      sum.roles[r].rated->operations += role.rated->operations;
      sum.roles[r].rated->seconds += role.rated->seconds;
    }
    sum.roles[r].thread_seconds += role.thread_seconds;
    AddCounts(role.thread_operations, sum.roles[r].thread_operations);
    AddCounts(role.thread_calls, sum.roles[r].thread_calls);
    if (sum.roles[r].load && role.load) {
      sum.roles[r].load->lateness_ns.Merge(role.load->lateness_ns);
      if (role.load->verdict != LoadOutcome::kOk) sum.roles[r].load->verdict = role.load->verdict;
      AddParts(role.load->parts, sum.roles[r].load->parts);
    }
    for (size_t i = 0; i < std::min(sum.roles[r].parts.size(), role.parts.size()); ++i) {
      sum.roles[r].parts[i].latency_ns.Merge(role.parts[i].latency_ns);
    }
    for (size_t i = 0; i < std::min(sum.roles[r].statistics.size(), role.statistics.size()); ++i) {
      AddStatistics(role.statistics[i], sum.roles[r].statistics[i]);
    }
  }
  if (sum.settle && phase.settle) AddSettle(*phase.settle, *sum.settle);
  AddIfBoth(phase.resources, sum.resources, AddResources);
  AddCounters(phase.counters, sum.counters);
}

void AddRun(const RunResult& run, RunResult& sum) {
  if (sum.outcome == Outcome::kOk && run.outcome != Outcome::kOk && !run.cut_off) {
    sum.outcome = run.outcome;
    sum.message = run.message;
    sum.cause = run.cause;
    sum.stderr_tail = run.stderr_tail;
  }
  for (size_t i = 0; i < std::min(sum.phases.size(), run.phases.size()); ++i) {
    if (run.cut_off && IsMissing(run.phases[i])) continue;
    AddPhase(run.phases[i], sum.phases[i]);
  }
}

// The runs of each series. An engine that is compared with itself runs twice in a round: two
// series.
std::vector<std::vector<const RunResult*>> RunsOfSeries(const Result& result) {
  std::vector<std::vector<const RunResult*>> all;
  for (const RunResult& run : result.runs) {
    const auto same = std::ranges::find_if(all, [&](const std::vector<const RunResult*>& rounds) {
      return rounds.front()->engine == run.engine && rounds.front()->variant == run.variant &&
             rounds.back()->round < run.round;
    });
    same == all.end() ? all.push_back({&run}) : same->push_back(&run);
  }
  return all;
}

}  // namespace

Figures FiguresOf(const Series& series, size_t phase) {
  Figures figures{.rates = Present(series.Rates(phase))};
  if (!figures.rates.empty()) {
    figures.rate = GeometricMean(figures.rates);
    figures.rate_interval = GeometricMeanInterval(figures.rates);
    figures.median = Median(figures.rates);
  }
  figures.interval = MedianInterval(figures.rates);
  figures.charged = MedianOf(series.ChargedRates(phase));
  const std::vector<double> charged = Present(series.ChargedRates(phase));
  if (!charged.empty()) figures.charged_rate = GeometricMean(charged);
  figures.settle_seconds = MedianOf(series.SettleSeconds(phase));
  std::vector<double> cpu_us = Present(series.CpuRates(phase));
  for (double& each : cpu_us) each = 1e6 / each;
  if (!cpu_us.empty()) figures.cpu_us = Median(cpu_us);
  return figures;
}

bool IsDisturbed(const Series& series, size_t phase) {
  size_t rounds = 0;
  size_t disturbed = 0;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const of_round = PhaseAt(*run, phase);
    if (of_round == nullptr || !RateOf(*of_round)) continue;
    ++rounds;
    disturbed += DisturbancesOf(*of_round).empty() ? 0 : 1;
  }
  return disturbed > 0 && 2 * disturbed >= rounds && !series.sum.is_baseline_engine;
}

std::optional<uint64_t> FewKeysOf(const Result& result, const Series& series, size_t phase) {
  const std::string of_variant = TextIn(series.sum.variant.settings, "num");
  const std::optional<uint64_t> num =
      Digits(of_variant.empty() ? SettingOf(result, "num") : of_variant);
  const PhaseResult* const sum = PhaseAt(series.sum, phase);
  if (!num || sum == nullptr || sum->outcome != Outcome::kOk) return std::nullopt;
  const std::optional<Held> held = HeldIn(series, phase);
  return held && held->are_needed && held->entries < *num / 2 ? std::optional(held->entries)
                                                              : std::nullopt;
}

void Disturbed::Add(const RunResult& run) {
  if (run.is_baseline_engine) return;
  for (const PhaseResult& phase : run.phases) {
    if (phase.outcome != Outcome::kOk || !phase.conditions || phase.implicit) continue;
    ++measurements;
    const std::vector<std::string> said = DisturbancesOf(phase);
    if (said.empty()) continue;
    ++disturbed;
    if (said.size() > worst.size()) worst = said;
    AddOnce(workloads, phase.workload);
  }
}

bool EndedBefore(const PhaseResult& phase, double duration) {
  constexpr double kNearly = 0.95;
  if (phase.outcome != Outcome::kOk || phase.roles.empty()) return false;
  if (phase.implicit || phase.repetition.warm_up) return false;
  const RoleResult& role = phase.roles[0];
  const bool is_once = role.Operations() <= role.threads;  // Such as `compact`.
  return !is_once && role.seconds < kNearly * duration;
}

bool HasSlices(const Result& result) {
  return std::ranges::any_of(result.runs, [](const RunResult& run) {
    return std::ranges::any_of(
        run.phases, [](const PhaseResult& phase) { return phase.slices.has_value(); });
  });
}

const PhaseResult* PhaseAt(const RunResult& run, size_t place) {
  return place < run.phases.size() ? &run.phases[place] : nullptr;
}

size_t PlacesIn(const Result& sums) {
  size_t places = 0;
  for (const RunResult& run : sums.runs) places = std::max(places, run.phases.size());
  return places;
}

size_t PlacesIn(const std::vector<Series>& all) {
  size_t places = 0;
  for (const Series& series : all) places = std::max(places, series.sum.phases.size());
  return places;
}

const PhaseResult* NamedAt(const Result& sums, size_t place) {
  for (const RunResult& run : sums.runs) {
    if (const PhaseResult* const phase = PhaseAt(run, place)) return phase;
  }
  return nullptr;
}

Result SumsOf(const Result& result, const std::vector<Series>& series) {
  Result sums = WithoutRuns(result);
  for (const Series& of_engine : series) sums.runs.push_back(of_engine.sum);
  return sums;
}

std::string RunName(const std::string& engine, const Variant& variant) {
  return variant.name.empty() ? engine : engine + " " + variant.name;
}

Variants::Variants(const Result& whole) {
  std::map<uint64_t, std::vector<const RunResult*>> runs;
  for (const RunResult& run : whole.runs) runs[run.variant.number].push_back(&run);
  if (runs.size() <= 1) {
    all_ = {whole};
    return;
  }
  for (const auto& [number, of_variant] : runs) {
    Result part = WithoutRuns(whole);
    for (const RunResult* const run : of_variant) part.runs.push_back(*run);
    Set("vary", "", part);
    for (const auto& [name, value] : of_variant.front()->variant.settings) Set(name, value, part);
    DescribeMachineOf(of_variant.front()->variant, part);
    parts_.push_back(std::move(part));
  }
  all_.assign(parts_.begin(), parts_.end());
}

bool HasVariants(const Result& result) {
  return std::ranges::any_of(result.runs, [&](const RunResult& run) {
    return run.variant.number != result.runs.front().variant.number;
  });
}

std::string NameIn(const Result& result, const RunResult& run) {
  return Printable(HasVariants(result) ? RunName(run.engine, run.variant) : run.engine);
}

Variant VariantOf(const Result& part) {
  return part.runs.empty() ? Variant{} : part.runs.front().variant;
}

std::optional<double> RateOf(const PhaseResult& phase) {
  if (phase.outcome != Outcome::kOk || phase.roles.empty()) return std::nullopt;
  const double rate = phase.roles.front().OperationsPerSecond() / (1 - KeptShareOf(phase));
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

double KeptShareOf(const PhaseResult& phase) {
  if (!phase.slices) return 0;
  const auto sum_of = [](const std::vector<uint64_t>& values) {
    return static_cast<double>(std::accumulate(values.begin(), values.end(), uint64_t{0}));
  };
  const double active_ns = sum_of(phase.slices->active_ns);
  const double kept_ns = sum_of(phase.slices->kept_ns);
  return kept_ns < active_ns ? kept_ns / active_ns : 0;
}

size_t RareStallsOf(const Series& series, size_t phase) {
  constexpr size_t kOften = 10;
  size_t stalls = 0;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const of_round = PhaseAt(*run, phase);
    if (StatisticsOf(of_round) == nullptr || !of_round->ticks) continue;
    stalls += FindStalls(TicksOf(*of_round), 0, of_round->roles[0].batch).stalls.size();
  }
  return stalls < kOften * series.rounds.size() ? stalls : 0;
}

std::optional<double> ChargedRateOf(const PhaseResult& phase) {
  if (!RateOf(phase) || !phase.settle) return std::nullopt;
  const RoleResult& role = phase.roles.front();
  return static_cast<double>(role.Operations()) / (role.seconds + phase.settle->seconds);
}

const OperationStatistics* StatisticsOf(const PhaseResult* phase) {
  const bool has_any = phase != nullptr && phase->outcome == Outcome::kOk &&
                       !phase->roles.empty() && !phase->roles[0].statistics.empty();
  return has_any ? &phase->roles[0].statistics[0] : nullptr;
}

size_t RoundsOf(const Result& result, const std::vector<Series>& all) {
  if (IsCutOff(result) && result.completion.rounds > 0) return result.completion.rounds;
  size_t rounds = 0;
  for (const Series& series : all) rounds = std::max(rounds, series.rounds.size());
  return rounds;
}

std::optional<SparseHistogram> LatenciesOf(const RoleResult& role, LatencyMember member) {
  std::optional<SparseHistogram> all;
  for (const OperationStatistics& stats : role.statistics) {
    if (!(stats.*member)) continue;
    all ? all->Merge(*(stats.*member)) : void(all = stats.*member);
  }
  return all;
}

std::optional<uint64_t> PercentileOf(const PhaseResult* phase, double p) {
  if (StatisticsOf(phase) == nullptr) return std::nullopt;
  const RoleResult& role = phase->roles[0];
  std::optional<SparseHistogram> times = LatenciesOf(role, &OperationStatistics::response_ns);
  if (!times) times = LatenciesOf(role, &OperationStatistics::latency_ns);
  return times ? times->Percentile(p) : std::nullopt;
}

namespace {

// Values of that phase, round by round. Nothing for a round that did not reach it.
template <class Value>
std::vector<std::optional<double>> OfRounds(const std::vector<const RunResult*>& rounds,
                                            size_t phase, Value value) {
  std::vector<std::optional<double>> values;
  for (const RunResult* run : rounds) {
    values.push_back(phase < run->phases.size() ? value(run->phases[phase]) : std::nullopt);
  }
  return values;
}

}  // namespace

std::optional<double> MedianOfRounds(const Series& series, size_t phase,
                                     const std::function<double(const PhaseResult&)>& figure_of) {
  return MedianOf(OfRounds(series.rounds, phase, [&](const PhaseResult& round) {
    return round.outcome == Outcome::kOk ? std::optional(figure_of(round)) : std::nullopt;
  }));
}

std::vector<std::optional<double>> Series::Rates(size_t phase) const {
  return OfRounds(rounds, phase, RateOf);
}

std::vector<std::optional<double>> Series::ChargedRates(size_t phase) const {
  return OfRounds(rounds, phase, ChargedRateOf);
}

std::vector<std::optional<double>> Series::SettleSeconds(size_t phase) const {
  return OfRounds(rounds, phase, [](const PhaseResult& result) {
    return result.outcome == Outcome::kOk && result.settle ? std::optional(result.settle->seconds)
                                                           : std::nullopt;
  });
}

std::vector<std::optional<double>> Series::CpuRates(size_t phase) const {
  return OfRounds(rounds, phase, [](const PhaseResult& result) {
    const std::optional<double> cpu_us =
        RateOf(result) ? CostOf(result).cpu_us.value : std::nullopt;
    return cpu_us && *cpu_us > 0 ? std::optional(1e6 / *cpu_us) : std::nullopt;
  });
}

std::vector<std::optional<double>> Series::KeptRates(size_t phase) const {
  return OfRounds(rounds, phase, [](const PhaseResult& result) {
    return result.outcome == Outcome::kOk && result.slo
               ? std::optional(static_cast<double>(result.slo->rate))
               : std::nullopt;
  });
}

const PhaseResult* Series::MiddleRound(size_t phase) const {
  const std::vector<std::optional<double>> rates = Rates(phase);
  const std::vector<double> present = Present(rates);
  if (present.empty()) return nullptr;
  const double median = Median(present);
  const PhaseResult* nearest = nullptr;
  double distance = 0;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (!rates[i] || (nearest != nullptr && std::abs(*rates[i] - median) >= distance)) continue;
    nearest = &rounds[i]->phases[phase];
    distance = std::abs(*rates[i] - median);
  }
  return nearest;
}

std::vector<Series> SeriesOf(const Result& result) {
  std::vector<Series> all;
  for (const std::vector<const RunResult*>& rounds : RunsOfSeries(result)) {
    all.push_back({.sum = *rounds.front(), .rounds = rounds});
    for (size_t i = 1; i < rounds.size(); ++i) AddRun(*rounds[i], all.back().sum);
  }
  return all;
}

std::vector<std::string> EngineNamesOf(const Result& result) {
  std::vector<std::string> names(result.runs.size());
  std::map<std::string, size_t> sides;
  for (const std::vector<const RunResult*>& rounds : RunsOfSeries(result)) {
    const RunResult& run = *rounds.front();
    const size_t side = ++sides[RunName(run.engine, run.variant)];
    for (const RunResult* const round : rounds) {
      names[static_cast<size_t>(round - result.runs.data())] =
          side == 1 ? run.engine : fmt::format("{} ({})", run.engine, side);
    }
  }
  return names;
}

PairedValues Paired(std::span<const std::optional<double>> first,
                    std::span<const std::optional<double>> second) {
  PairedValues pairs;
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (!first[i] || !second[i]) continue;
    pairs.first.push_back(*first[i]);
    pairs.second.push_back(*second[i]);
  }
  return pairs;
}

std::vector<double> Present(std::span<const std::optional<double>> values) {
  std::vector<double> present;
  for (const std::optional<double>& value : values) {
    if (value) present.push_back(*value);
  }
  return present;
}

}  // namespace levelfield
