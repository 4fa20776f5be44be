#include "analysis/compared_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <ranges>
#include <set>

#include "analysis/equal_stores.h"
#include "base/quote.h"

namespace levelfield {
namespace {

using RoundFigures = std::vector<std::optional<double>>;

// Both rates of each round in which both are ok. `pairs.first` are the baseline's.
PairedValues PairsOf(const Series& baseline, const RoundFigures& of_baseline,
                     const Series& candidate, RoundFigures of_candidate) {
  for (size_t i = 0; i < std::min(of_baseline.size(), of_candidate.size()); ++i) {
    if (baseline.rounds[i]->round != candidate.rounds[i]->round) of_candidate[i].reset();
  }
  return Paired(of_baseline, of_candidate);
}

double RatioOfMeans(const PairedValues& samples) {
  return GeometricMean(samples.second) / GeometricMean(samples.first);
}

std::string WhyInvalid(const std::string& engine, const PhaseResult& phase) {
  if (phase.outcome == Outcome::kOk) return "";
  return fmt::format("{}: {}", engine,
                     phase.message.empty() ? "did not run to its end" : phase.message);
}

// The engine does not support the phase, or not the workload that was to load its store.
bool IsRefused(const RunResult& run, const PhaseResult& phase) {
  if (phase.outcome != Outcome::kNotRun) return phase.outcome == Outcome::kUnsupported;
  return run.outcome == Outcome::kOk &&
         std::ranges::find(run.phases, Outcome::kUnsupported, &PhaseResult::outcome) !=
             run.phases.end();
}

using PhaseOfRun = std::pair<const RunResult*, const PhaseResult*>;

// A failure counts before what an engine cannot do.
void SayWhyInvalid(std::initializer_list<PhaseOfRun> both, ComparedWorkload& compared) {
  for (const auto& [run, phase] : both) {
    const bool is_refused = IsRefused(*run, *phase);
    const bool is_worse = compared.invalid.empty() || (compared.is_unsupported && !is_refused);
    const std::string why = is_worse ? WhyInvalid(run->engine, *phase) : "";
    if (why.empty()) continue;
    compared.invalid = why;
    compared.is_unsupported = is_refused;
  }
}

// 0: not known.
double NoiseOf(const std::string& workload, const ComparisonRules& rules) {
  double of_workload = 0;
  for (const auto& [name, noise] : rules.noise) {
    if (name == workload) of_workload = noise;
  }
  return of_workload;
}

// The median of the rounds' processor time, as other tables have it, and not that of their rates.
double MedianMicros(std::vector<double> rates) {
  for (double& rate : rates) rate = 1e6 / rate;
  return Median(std::move(rates));
}

// The share of its time that the machine took from whom it took more from; 0 if that is little, and
// from both alike. In slices: what it took is not in their rates, but a thread that waits has lost
// its caches, too.
double MuchKeptShare(const Series& baseline, size_t baseline_phase, const Series& candidate,
                     size_t candidate_phase) {
  constexpr double kMost = 0.10;
  constexpr double kMostApart = 0.02;
  const auto share_of = [](const Series& series, size_t place) {
    double sum = 0;
    for (const RunResult* const run : series.rounds) {
      const PhaseResult* const phase = PhaseAt(*run, place);
      sum += phase == nullptr ? 0 : KeptShareOf(*phase);
    }
    return sum / static_cast<double>(series.rounds.size());
  };
  const double before = share_of(baseline, baseline_phase);
  const double after = share_of(candidate, candidate_phase);
  const double most = std::max(before, after);
  return most > kMost || std::abs(before - after) > kMostApart ? most : 0;
}

// The ratio if what the machine took had been the engines' own time, or had been taken from one of
// them alone.
RateRatio Widened(RateRatio ratio, double kept_share) {
  ratio.interval->low *= 1 - kept_share;
  ratio.interval->high /= 1 - kept_share;
  return ratio;
}

// A ratio and the rates that stand beside it are had in two ways; they must be one. Empty: they are.
std::string WhyContradictory(const ComparedWorkload& compared) {
  constexpr double kMostApart = 0.005;
  const double quotient = compared.candidate / compared.baseline;
  if (std::abs(std::log(compared.ratio.ratio / quotient)) <= kMostApart) return "";
  return fmt::format(
      "internal error: the ratio of the rounds is {:.4f}, and that of the rates {:.4f}; please "
      "report it with the result",
      compared.ratio.ratio, quotient);
}

// What is known of two sessions, beside the quotients of their means.
void TakeRatio(const RatioOfSessions& ratio, ComparedWorkload& compared) {
  compared.not_comparable = ratio.not_comparable;
  if (!ratio.not_comparable.empty()) return;
  compared.rounds = ratio.rounds;
  compared.ratio = ratio.rate;
  if (ratio.cpu) compared.cpu_ratio = *ratio.cpu;
}

// `kept_share`: see MuchKeptShare.
void JudgeRatios(double kept_share, double margin, ComparedWorkload& compared) {
  const auto judge = [&](const RateRatio& ratio) {
    return compared.not_comparable.empty() ? Judge(ratio, margin, compared.noise)
                                           : Verdict::kUnresolved;
  };
  compared.is_much_kept = kept_share > 0 && compared.ratio.interval &&
                          judge(Widened(compared.ratio, kept_share)) == Verdict::kUnresolved;
  compared.verdict = compared.is_much_kept ? Verdict::kUnresolved : judge(compared.ratio);
  if (compared.cpu_ratio.ratio > 0) compared.cpu_verdict = judge(compared.cpu_ratio);
}

// With the verdicts that it would have alone. Without sessions, both ran in the same rounds.
ComparedWorkload CompareWorkload(const Series& baseline, size_t baseline_phase,
                                 const Series& candidate, size_t candidate_phase,
                                 const Sessions* sessions, const ComparisonRules& rules) {
  const PhaseResult& of_baseline = baseline.sum.phases[baseline_phase];
  const PhaseResult& of_candidate = candidate.sum.phases[candidate_phase];
  ComparedWorkload compared{.workload = of_baseline.workload,
                            .place = baseline_phase,
                            .is_disturbed = IsDisturbed(baseline, baseline_phase) ||
                                            IsDisturbed(candidate, candidate_phase)};
  SayWhyInvalid({{&baseline.sum, &of_baseline}, {&candidate.sum, &of_candidate}}, compared);
  if (!compared.invalid.empty()) return compared;
  const bool paired = sessions == nullptr;
  const auto samples_of = [&](const RoundFigures& before, const RoundFigures& after) {
    return paired ? PairsOf(baseline, before, candidate, after)
                  : PairedValues{Present(before), Present(after)};
  };
  const PairedValues pairs =
      samples_of(baseline.Rates(baseline_phase), candidate.Rates(candidate_phase));
  compared.rounds = std::min(pairs.first.size(), pairs.second.size());
  if (compared.rounds == 0) {
    compared.invalid = "no round has a rate of both";
    return compared;
  }
  compared.baseline = GeometricMean(pairs.first);
  compared.candidate = GeometricMean(pairs.second);
  compared.invalid = WhyUnequal({{&baseline, baseline_phase}, {&candidate, candidate_phase}});
  compared.is_of_unequal_stores = !compared.invalid.empty();
  if (compared.is_of_unequal_stores) return compared;
  const PairedValues of_cpu =
      samples_of(baseline.CpuRates(baseline_phase), candidate.CpuRates(candidate_phase));
  const bool has_cpu = !of_cpu.first.empty() && !of_cpu.second.empty();
  if (has_cpu) {
    compared.baseline_cpu_us = MedianMicros(of_cpu.first);
    compared.candidate_cpu_us = MedianMicros(of_cpu.second);
  }
  if (paired) {
    const std::vector<double> slices =
        LogRatiosInSlices(baseline, baseline_phase, candidate, candidate_phase);
    compared.in_slices = slices.size() == compared.rounds;
    compared.ratio = compared.in_slices ? CompareRounds(slices, kLeastProcessPairs)
                                        : ComparePaired(pairs.first, pairs.second);
    compared.invalid = WhyContradictory(compared);
    if (!compared.invalid.empty()) return compared;
    if (has_cpu) compared.cpu_ratio = ComparePaired(of_cpu.first, of_cpu.second);
  } else {
    compared.ratio.ratio = RatioOfMeans(pairs);
    if (has_cpu) compared.cpu_ratio.ratio = RatioOfMeans(of_cpu);
    TakeRatio(CompareOfSessions(*sessions, baseline, baseline_phase, candidate, candidate_phase),
              compared);
  }
  compared.baseline_stalls = RareStallsOf(baseline, baseline_phase);
  compared.candidate_stalls = RareStallsOf(candidate, candidate_phase);
  compared.noise = NoiseOf(compared.workload, rules);
  if (rules.latencies && paired) {
    const size_t least = compared.in_slices ? kLeastProcessPairs : kLeastRepetitions;
    compared.percentiles = ComparePercentiles(baseline, baseline_phase, candidate, candidate_phase,
                                              least, rules.margin);
  }
  JudgeRatios(compared.in_slices
                  ? MuchKeptShare(baseline, baseline_phase, candidate, candidate_phase)
                  : 0,
              rules.margin, compared);
  return compared;
}

Verdict Inverse(Verdict verdict) {
  return verdict == Verdict::kFaster   ? Verdict::kSlower
         : verdict == Verdict::kSlower ? Verdict::kFaster
                                       : verdict;
}

bool HasRate(const PhaseResult& phase) {
  return !phase.implicit && !phase.repetition.warm_up && !phase.IsText();
}

std::set<std::string> AllocatorsOf(const Series& series) {
  std::set<std::string> allocators;
  for (const RunResult* const run : series.rounds) {
    if (!run->allocator.empty()) allocators.insert(run->allocator);  // Else it never began.
  }
  return allocators;
}

// A remark on what both sides have in different ways.
Remark Both(RemarkKind kind, const Comparison& comparison, const std::string& before,
            const std::string& after) {
  return {.kind = kind,
          .texts = {{"baseline", Printable(comparison.baseline)},
                    {"before", Printable(before)},
                    {"candidate", Printable(comparison.candidate)},
                    {"after", Printable(after)}}};
}

// Between two engines, a difference in allocators would be mistaken for one in engines. Within one
// engine it is the thing compared.
void JudgeAllocators(const Series& baseline, const Series& candidate, Comparison& comparison) {
  const std::set<std::string> before = AllocatorsOf(baseline);
  const std::set<std::string> after = AllocatorsOf(candidate);
  if (before.empty() || after.empty() || before == after) return;
  Remark remark = Both(RemarkKind::kAllocatorsCompared, comparison,
                       fmt::format("{}", fmt::join(before, " and ")),
                       fmt::format("{}", fmt::join(after, " and ")));
  if (baseline.sum.engine == candidate.sum.engine) {
    comparison.remarks.push_back(std::move(remark));
    return;
  }
  remark.kind = RemarkKind::kNotRankedForAllocators;
  comparison.not_ranked = std::move(remark);
  for (ComparedWorkload& workload : comparison.workloads) {
    workload.verdict = workload.cpu_verdict = Verdict::kNotRanked;
    for (ComparedPercentile& one : workload.percentiles) one.verdict = Verdict::kNotRanked;
  }
}

// By kind, what the clocks that timed its rounds say of themselves.
std::map<ClockKind, std::string> ClocksOf(const Series& series) {
  std::map<ClockKind, std::string> clocks;
  for (const RunResult* const run : series.rounds) {
    const bool is_timed = std::ranges::any_of(run->phases, &PhaseResult::timed);
    if (is_timed && run->clock_kind != ClockKind::kNotKnown)
      clocks.emplace(run->clock_kind, run->clock);
  }
  return clocks;
}

// One clock takes 20 to 70 ns longer to read than the other, which a fast engine shows.
void NoteClocks(const Series& baseline, const Series& candidate, Comparison& comparison) {
  const auto before = ClocksOf(baseline);
  const auto after = ClocksOf(candidate);
  const bool is_one = before.size() == 1 && after.size() == 1 &&
                      before.begin()->first == after.begin()->first;
  if (before.empty() || after.empty() || is_one) return;
  comparison.remarks.push_back(
      Both(RemarkKind::kClocksCompared, comparison,
           fmt::format("{}", fmt::join(before | std::views::values, " and ")),
           fmt::format("{}", fmt::join(after | std::views::values, " and "))));
}

// What one engine says against its build, and the other does not: it may be why one is slower.
void NoteBuilds(const Series& baseline, const Series& candidate, Comparison& comparison) {
  if (baseline.sum.warning == candidate.sum.warning) return;
  for (const RunResult* const run : {&baseline.sum, &candidate.sum}) {
    if (run->warning.empty()) continue;
    comparison.remarks.push_back({.kind = RemarkKind::kBuild,
                                  .cases = {{.engine = Printable(run->engine)}},
                                  .texts = {{"message", Printable(run->warning)}}});
  }
}

}  // namespace

Comparison CompareSeries(const Series& baseline, const Series& candidate, const Sessions* sessions,
                         const ComparisonRules& rules) {
  Comparison comparison{.baseline = RunName(baseline.sum.engine, baseline.sum.variant),
                        .candidate = RunName(candidate.sum.engine, candidate.sum.variant),
                        .engine = baseline.sum.engine,
                        .paired = sessions == nullptr,
                        .has_noise = !rules.noise.empty()};
  std::set<size_t> taken;
  for (size_t i = 0; i < baseline.sum.phases.size(); ++i) {
    if (!HasRate(baseline.sum.phases[i])) continue;
    for (size_t j = 0; j < candidate.sum.phases.size(); ++j) {
      const bool is_same = candidate.sum.phases[j].workload == baseline.sum.phases[i].workload &&
                           HasRate(candidate.sum.phases[j]);
      if (!is_same || !taken.insert(j).second) continue;
      comparison.workloads.push_back(CompareWorkload(baseline, i, candidate, j, sessions, rules));
      break;
    }
  }
  JudgeAllocators(baseline, candidate, comparison);
  NoteClocks(baseline, candidate, comparison);
  NoteBuilds(baseline, candidate, comparison);
  return comparison;
}

Comparison Inverse(Comparison comparison) {
  std::swap(comparison.baseline, comparison.candidate);
  for (ComparedWorkload& row : comparison.workloads) {
    std::swap(row.baseline, row.candidate);
    std::swap(row.baseline_stalls, row.candidate_stalls);
    std::swap(row.baseline_cpu_us, row.candidate_cpu_us);
    row.verdict = Inverse(row.verdict);
    row.cpu_verdict = Inverse(row.cpu_verdict);
    if (row.ratio.ratio > 0) row.ratio = Inverse(row.ratio);
    if (row.cpu_ratio.ratio > 0) row.cpu_ratio = Inverse(row.cpu_ratio);
    for (ComparedPercentile& one : row.percentiles) {
      std::swap(one.baseline_ns, one.candidate_ns);
      one.verdict = Inverse(one.verdict);
      one.ratio = Inverse(one.ratio);
    }
  }
  return comparison;
}

}  // namespace levelfield
