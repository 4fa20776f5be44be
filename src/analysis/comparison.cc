#include "analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <set>

#include "analysis/yardstick.h"
#include "base/quote.h"
#include "base/text.h"
#include "settings/settings.h"
#include "stats/slice_ratio.h"

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

double RatioOfMedians(const PairedValues& samples) {
  return Median(samples.second) / Median(samples.first);
}

std::string WhyInvalid(const std::string& engine, const PhaseResult& phase) {
  if (phase.outcome == Outcome::kOk) return "";
  return fmt::format("{}: {}", engine,
                     phase.message.empty() ? "did not run to its end" : phase.message);
}

// The engine cannot do it, or not what was to load the store for it.
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
  compared.baseline = Median(pairs.first);
  compared.candidate = Median(pairs.second);
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
    compared.ratio =
        compared.in_slices ? CompareProcessPairs(slices) : ComparePaired(pairs.first, pairs.second);
    if (has_cpu) {
      compared.cpu_ratio = ComparePaired(of_cpu.first, of_cpu.second);
    }
  } else {
    compared.ratio.ratio = RatioOfMedians(pairs);
    if (has_cpu) compared.cpu_ratio.ratio = RatioOfMedians(of_cpu);
    const RatioOfSessions ratio =
        CompareOfSessions(*sessions, baseline, baseline_phase, candidate, candidate_phase);
    compared.not_comparable = ratio.not_comparable;
    if (ratio.not_comparable.empty()) {
      compared.rounds = ratio.rounds;
      compared.ratio = ratio.rate;
      if (ratio.cpu) compared.cpu_ratio = *ratio.cpu;
    }
  }
  compared.noise = NoiseOf(compared.workload, rules);
  if (rules.latencies && paired) {
    const size_t least = compared.in_slices ? kLeastProcessPairs : kLeastRepetitions;
    compared.percentiles = ComparePercentiles(baseline, baseline_phase, candidate, candidate_phase,
                                              least, rules.margin);
  }
  const auto judge = [&](const RateRatio& ratio) {
    return compared.not_comparable.empty() ? Judge(ratio, rules.margin, compared.noise)
                                           : Verdict::kUnresolved;
  };
  compared.verdict = judge(compared.ratio);
  if (has_cpu) compared.cpu_verdict = judge(compared.cpu_ratio);
  return compared;
}

Verdict Inverse(Verdict verdict) {
  return verdict == Verdict::kFaster   ? Verdict::kSlower
         : verdict == Verdict::kSlower ? Verdict::kFaster
                                       : verdict;
}

// Swaps baseline and candidate.
Comparison Inverse(Comparison comparison) {
  std::swap(comparison.baseline, comparison.candidate);
  for (ComparedWorkload& row : comparison.workloads) {
    std::swap(row.baseline, row.candidate);
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

bool HasRate(const PhaseResult& phase) {
  return !phase.implicit && !phase.repetition.warm_up && !phase.IsText();
}

std::set<std::string> AllocatorsOf(const Series& series) {
  std::set<std::string> allocators;
  for (const RunResult* const run : series.rounds) {
    if (!run->allocator.empty()) allocators.insert(run->allocator);  // Older results do not tell.
  }
  return allocators;
}

// Between two engines, a difference in allocators would be mistaken for one in engines. Within one
// engine it is the thing compared.
void JudgeAllocators(const Series& baseline, const Series& candidate, Comparison& comparison) {
  const std::set<std::string> before = AllocatorsOf(baseline);
  const std::set<std::string> after = AllocatorsOf(candidate);
  if (before.empty() || after.empty() || before == after) return;
  const std::string text =
      fmt::format("{} ran with the allocator {}, {} with {}", comparison.baseline,
                  fmt::join(before, " and "), comparison.candidate, fmt::join(after, " and "));
  if (baseline.sum.engine == candidate.sum.engine) {
    comparison.notes.push_back(text);
    return;
  }
  comparison.not_ranked = text +
                          ": build or preload one allocator for both, because a difference may "
                          "come from the allocators";
  for (ComparedWorkload& workload : comparison.workloads) {
    workload.verdict = workload.cpu_verdict = Verdict::kNotRanked;
    for (ComparedPercentile& one : workload.percentiles) one.verdict = Verdict::kNotRanked;
  }
}

std::vector<std::string> BuildWarnings(const Series& baseline, const Series& candidate) {
  if (baseline.sum.warning == candidate.sum.warning) return {};
  std::vector<std::string> warnings;
  for (const RunResult* const run : {&baseline.sum, &candidate.sum}) {
    if (!run->warning.empty()) warnings.push_back(run->engine + ": " + run->warning);
  }
  return warnings;
}

// Matches the phases of both by name, the n-th of a name with the n-th.
Comparison CompareSeries(const Series& baseline, const Series& candidate, const Sessions* sessions,
                         const ComparisonRules& rules) {
  Comparison comparison{.baseline = RunName(baseline.sum.engine, baseline.sum.variant),
                        .candidate = RunName(candidate.sum.engine, candidate.sum.variant),
                        .paired = sessions == nullptr,
                        .has_noise = !rules.noise.empty(),
                        .build_warnings = BuildWarnings(baseline, candidate)};
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
  return comparison;
}

void HoldTogether(std::vector<Comparison>& comparisons, double margin) {
  std::vector<Claim> claims;
  std::vector<Claim> of_latencies;
  for (Comparison& comparison : comparisons) {
    for (ComparedWorkload& row : comparison.workloads) {
      claims.push_back({&row.ratio, row.noise, &row.verdict});
      claims.push_back({&row.cpu_ratio, row.noise, &row.cpu_verdict});
      for (ComparedPercentile& one : row.percentiles) {
        of_latencies.push_back({&one.ratio, kLatencyResolution, &one.verdict});
      }
    }
  }
  HoldTogether(claims, margin);
  HoldTogether(of_latencies, margin);
}

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Names that both have with different values.
std::vector<std::string> DifferencesOf(const NamedTexts& before, const NamedTexts& after,
                                       const char* prefix) {
  std::vector<std::string> notes;
  for (const auto& [name, value] : before) {
    for (const auto& [other_name, other] : after) {
      if (name != other_name || value == other) continue;
      notes.push_back(fmt::format("{}{} was {}, and is {} for the candidate", prefix, name,
                                  Quote(value), Quote(other)));
    }
  }
  return notes;
}

// Settings that make the figures of two results incomparable.
std::vector<std::string> DifferentSettings(const Result& baseline, const Result& candidate) {
  NamedTexts before = baseline.settings;
  std::erase_if(before, [](const auto& setting) { return !Matters(setting.first); });
  return DifferencesOf(before, candidate.settings, "--");
}

// Settings and conditions of the machine that make the figures of two results incomparable.
std::vector<std::string> WhatDiffers(const Result& baseline, const Result& candidate) {
  std::vector<std::string> notes = DifferentSettings(baseline, candidate);
  std::ranges::move(DifferencesOf(baseline.conditions, candidate.conditions, ""),
                    std::back_inserter(notes));
  if (baseline.fingerprint != candidate.fingerprint) {
    notes.push_back(fmt::format(
        "the kernel, its settings or the processor's have changed (kernel {}, and {} for the "
        "candidate)",
        Quote(baseline.kernel), Quote(candidate.kernel)));
  }
  return notes;
}

Sessions SessionsOf(const Result& before, const std::vector<Series>& all_before,
                    const Series& baseline, const Result& after,
                    const std::vector<Series>& all_after, const Series& candidate) {
  Sessions sessions{.before = &before,
                    .after = &after,
                    .yardstick_before = YardstickOf(before, all_before, baseline),
                    .yardstick_after = YardstickOf(after, all_after, candidate)};
  if (sessions.yardstick_before == nullptr || sessions.yardstick_after == nullptr) {
    sessions.differ = "no yardstick";
  } else if (EngineName(baseline.sum.engine) != EngineName(sessions.yardstick_before->sum.engine)) {
    // A busy machine slows one engine more than another.
    sessions.differ = "the yardstick is another engine";
  } else if (BuildOf(*sessions.yardstick_before) != BuildOf(*sessions.yardstick_after)) {
    sessions.differ = "another yardstick";
  } else if (std::ranges::any_of(DifferentSettings(before, after), [](const std::string& text) {
               return !text.starts_with("--benchmarks ");  // StepsTo compares those.
             })) {
    sessions.differ = "other settings";
  }
  return sessions;
}

// Older results do not have it: there was only one kind.
std::string KindOfSettings(const Result& result) {
  const std::string kind = SettingOf(result, "settings");
  return kind.empty() ? "equal" : Printable(kind);
}

// Says why a result has nothing to compare. Planned engines may have failed to run.
Status Nothing(const Result& result, const std::string& why) {
  return Status::Usage(IsCutOff(result) ? CutOffWords(result) + "; " + why : why);
}

}  // namespace

bool AreOfOneMachine(const Result& one, const Result& other) {
  return one.cpu == other.cpu && one.cpu_cache == other.cpu_cache;
}

std::vector<const Series*> StoresOf(const std::vector<Series>& all) {
  std::vector<const Series*> stores;
  for (const Series& series : all) {
    if (!series.sum.is_baseline_engine) stores.push_back(&series);
  }
  return stores;
}

StatusOr<std::vector<Comparison>> CompareWithin(const Result& result, const std::string& baseline,
                                                const ComparisonRules& rules) {
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<const Series*> stores = StoresOf(all);
  const auto first =
      baseline.empty() ? stores.begin() : std::ranges::find_if(stores, [&](const Series* s) {
        return s->sum.engine == baseline;
      });
  if (stores.size() < 2 || first == stores.end()) {
    return Nothing(
        result,
        first == stores.end() && !baseline.empty()
            ? fmt::format("--baseline: no engine of this result is called {}", Quote(baseline))
            : fmt::format("there is {} engine in this result; give a second result to compare it "
                          "with, or run two engines in one",
                          stores.empty() ? "no" : "one"));
  }
  std::vector<Comparison> comparisons;
  for (const Series* const series : stores) {
    if (series == *first) continue;
    comparisons.push_back(CompareSeries(**first, *series, nullptr, rules));
  }
  HoldTogether(comparisons, rules.margin);
  return comparisons;
}

std::vector<Comparison> CompareAllPairs(const std::vector<const Series*>& series,
                                        const ComparisonRules& rules) {
  std::vector<Comparison> once;
  for (size_t i = 0; i < series.size(); ++i) {
    for (size_t j = i + 1; j < series.size(); ++j) {
      once.push_back(CompareSeries(*series[i], *series[j], nullptr, rules));
    }
  }
  for (Comparison& comparison : once) {
    for (ComparedWorkload& row : comparison.workloads) {
      row.cpu_ratio = {};
      row.cpu_verdict = Verdict::kIndicative;
    }
  }
  HoldTogether(once, rules.margin);
  std::vector<Comparison> both_ways;
  for (size_t i = 0; i < series.size(); ++i) {
    for (size_t j = 0; j < series.size(); ++j) {
      if (i == j) continue;
      const size_t first = std::min(i, j);
      // Index into `once`: the pairs of the engines before `first`, and then its own.
      const size_t at = first * (2 * series.size() - first - 1) / 2 + std::max(i, j) - first - 1;
      both_ways.push_back(i < j ? once[at] : Inverse(once[at]));
    }
  }
  return both_ways;
}

StatusOr<std::vector<Comparison>> CompareVariants(const Result& result,
                                                  const ComparisonRules& rules) {
  const std::vector<Series> all = SeriesOf(result);
  std::vector<std::pair<const Series*, const Series*>> pairs;
  for (const Series& candidate : all) {
    const auto first = std::ranges::find_if(all, [&](const Series& series) {
      return series.sum.engine == candidate.sum.engine && series.sum.variant.number == 1;
    });
    const bool is_pair = candidate.sum.variant.number > 1 && first != all.end();
    if (is_pair && !candidate.sum.is_baseline_engine) pairs.emplace_back(&*first, &candidate);
  }
  if (pairs.empty())
    return Nothing(result, "no engine that keeps a store ran in two variants of this result");
  std::ranges::stable_sort(pairs, {},
                           [](const auto& pair) { return pair.second->sum.variant.number; });
  std::vector<Comparison> comparisons;
  for (const auto& [first, candidate] : pairs) {
    comparisons.push_back(CompareSeries(*first, *candidate, nullptr, rules));
  }
  HoldTogether(comparisons, rules.margin);
  return comparisons;
}

StatusOr<std::vector<Comparison>> CompareAcross(const Result& baseline, const Result& candidate,
                                                const ComparisonRules& rules) {
  if (!AreOfOneMachine(baseline, candidate)) {
    return Status::Usage(
        fmt::format("these results are from different machines ({} and {}), which cannot be "
                    "compared: run both on one",
                    Quote(baseline.cpu), Quote(candidate.cpu)));
  }
  const std::string kind = KindOfSettings(baseline);
  const std::string other_kind = KindOfSettings(candidate);
  if (kind != other_kind) {
    return Status::Usage(
        fmt::format("these results are from --settings={} and --settings={}, so a difference may "
                    "come from the settings: run both with the same",
                    kind, other_kind));
  }
  const std::vector<Series> all_before = SeriesOf(baseline);
  const std::vector<Series> all_after = SeriesOf(candidate);
  const std::vector<const Series*> before = StoresOf(all_before);
  const std::vector<const Series*> after = StoresOf(all_after);
  std::vector<Comparison> comparisons;
  const auto add = [&](const Series& one, const Series& other) {
    const Sessions sessions = SessionsOf(baseline, all_before, one, candidate, all_after, other);
    comparisons.push_back(CompareSeries(one, other, &sessions, rules));
    if (sessions.differ.empty()) comparisons.back().yardstick = BuildOf(*sessions.yardstick_after);
    std::vector<std::string>& notes = comparisons.back().notes;
    for (const auto& [side, result] :
         {std::pair("baseline", &baseline), std::pair("candidate", &candidate)}) {
      if (IsCutOff(*result)) notes.push_back(fmt::format("{}: {}", side, CutOffWords(*result)));
    }
    std::ranges::move(WhatDiffers(baseline, candidate), std::back_inserter(notes));
  };
  const bool is_one_each = before.size() == 1 && after.size() == 1;
  if (is_one_each) add(*before.front(), *after.front());
  for (const Series* const one : before) {
    if (is_one_each) break;
    const auto same = std::ranges::find_if(
        after, [&](const Series* other) { return other->sum.engine == one->sum.engine; });
    if (same != after.end()) add(*one, **same);
  }
  if (comparisons.empty()) {
    return Status::Usage("the two results have no engine in common, and more than one each");
  }
  if (std::ranges::all_of(comparisons, [](const auto& one) { return one.workloads.empty(); })) {
    return Status::Usage("the two results have no workload in common: run the same --benchmarks");
  }
  HoldTogether(comparisons, rules.margin);
  return comparisons;
}

StatusOr<std::vector<std::pair<std::string, double>>> NoiseOf(const Result& result) {
  const std::vector<Series> all = SeriesOf(result);
  if (all.size() != 2 || all[0].sum.engine != all[1].sum.engine) {
    return Status::Usage("this is no result of `levelfield noise`, which runs one engine twice");
  }
  std::vector<std::pair<std::string, double>> noise;
  const Comparison itself = CompareSeries(all[0], all[1], nullptr, {});
  for (const ComparedWorkload& workload : itself.workloads) {
    if (workload.is_unsupported) continue;
    if (!workload.invalid.empty()) {
      return Status::Usage(fmt::format("{}: {}", workload.workload, workload.invalid));
    }
    if (!workload.ratio.interval) {
      return Status::Usage(
          fmt::format("{} rounds say nothing of noise: {} are the least", workload.rounds,
                      workload.in_slices ? kLeastProcessPairs : kLeastRepetitions));
    }
    const Interval interval =
        *WithConfidence(workload.ratio, ConfidenceOfEach(itself.workloads.size())).interval;
    noise.emplace_back(workload.workload, std::expm1(std::max(std::abs(std::log(interval.low)),
                                                              std::abs(std::log(interval.high)))));
  }
  if (noise.empty() && !itself.workloads.empty()) {
    return Status::Usage(itself.workloads.front().workload + ": " +
                         itself.workloads.front().invalid);
  }
  return noise;
}

int ExitCodeOf(const std::vector<Comparison>& comparisons, bool fails_on_unresolved) {
  size_t rows = 0;
  size_t unsupported = 0;
  bool is_slower = false;
  bool is_invalid = false;
  bool is_unresolved = false;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& workload : comparison.workloads) {
      ++rows;
      unsupported += workload.is_unsupported ? 1 : 0;
      if (workload.is_unsupported) continue;
      if (!workload.invalid.empty() || workload.verdict == Verdict::kNotRanked) {
        is_invalid = true;
        continue;
      }
      is_slower = is_slower || workload.verdict == Verdict::kSlower || workload.IsSlowerByCpu();
      is_unresolved = is_unresolved || workload.verdict == Verdict::kUnresolved ||
                      workload.verdict == Verdict::kIndicative;
    }
  }
  if (is_slower) return 1;
  if (is_invalid || (rows > 0 && rows == unsupported)) return 3;
  return is_unresolved && fails_on_unresolved ? 1 : 0;
}

}  // namespace levelfield
