#include "analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/compared_pair.h"
#include "analysis/read_ahead.h"
#include "analysis/yardstick.h"
#include "base/quote.h"
#include "base/text.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

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
std::vector<Remark> DifferencesOf(const NamedTexts& before, const NamedTexts& after,
                                  const std::string& prefix) {
  std::vector<Remark> remarks;
  for (const auto& [name, value] : before) {
    for (const auto& [other_name, other] : after) {
      if (name != other_name || value == other) continue;
      remarks.push_back({.kind = RemarkKind::kSettingDiffers,
                         .texts = {{"name", Printable(prefix + name)},
                                   {"before", Quote(value)},
                                   {"after", Quote(other)}}});
    }
  }
  return remarks;
}

// Settings that make the figures of two results incomparable.
std::vector<Remark> DifferentSettings(const Result& baseline, const Result& candidate) {
  NamedTexts before = baseline.settings;
  std::erase_if(before, [](const auto& setting) { return !Matters(setting.first); });
  return DifferencesOf(before, candidate.settings, "--");
}

// Settings and conditions of the machine that make the figures of two results incomparable.
std::vector<Remark> WhatDiffers(const Result& baseline, const Result& candidate) {
  std::vector<Remark> remarks = DifferentSettings(baseline, candidate);
  std::ranges::move(DifferencesOf(baseline.conditions, candidate.conditions, ""),
                    std::back_inserter(remarks));
  if (baseline.fingerprint != candidate.fingerprint) {
    remarks.push_back(
        {.kind = RemarkKind::kMachineChanged,
         .texts = {{"before", Quote(baseline.kernel)}, {"after", Quote(candidate.kernel)}}});
  }
  return remarks;
}

// Other than the list of workloads, which StepsTo compares.
bool HaveOtherSettings(const Result& before, const Result& after) {
  return std::ranges::any_of(before.settings, [&](const auto& setting) {
    const auto& [name, value] = setting;
    if (!Matters(name) || name == "benchmarks") return false;
    return std::ranges::any_of(after.settings, [&](const auto& other) {
      return other.first == name && other.second != value;
    });
  });
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
  } else if (HaveOtherSettings(before, after)) {
    sessions.differ = "other settings";
  }
  return sessions;
}

// Results of caches do not have it.
std::string KindOfSettings(const Result& result) {
  const std::string kind = SettingOf(result, "settings");
  return kind.empty() ? "equal" : Printable(kind);
}

// The first, if none is named.
std::vector<const Series*>::const_iterator BaselineAmong(const std::vector<const Series*>& stores,
                                                         const std::string& baseline) {
  if (baseline.empty()) return stores.begin();
  return std::ranges::find_if(stores,
                              [&](const Series* one) { return one->sum.engine == baseline; });
}

// What is said of the engine's figures beside their comparison with others.
void AddNotesOf(const Result& result, const Series& series, Comparison& comparison) {
  if (std::optional<Remark> remark = FindReadAhead(result, {&series})) {
    AddOnce(comparison.remarks, std::move(*remark));
  }
}

// Says why a result has nothing to compare. Planned engines may have failed to run.
Status Nothing(const Result& result, const std::string& why) {
  return Status::Usage(IsCutOff(result) ? CutOffWords(result) + "; " + why : why);
}

// Of runs that had nothing in common but the plan. "Not resolved" would say that more rounds tell.
void LeaveUnranked(Comparison& comparison) {
  const auto leave = [](Verdict& verdict) {
    if (verdict == Verdict::kUnresolved) verdict = Verdict::kNotRanked;
  };
  for (ComparedWorkload& workload : comparison.workloads) {
    leave(workload.verdict);
    leave(workload.cpu_verdict);
    for (ComparedPercentile& one : workload.percentiles) leave(one.verdict);
  }
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

Status CheckEngines(const Result& result, const std::string& baseline) {
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<const Series*> stores = StoresOf(all);
  const bool is_there = BaselineAmong(stores, baseline) != stores.end();
  if (stores.size() >= 2 && is_there) return Status::Ok();
  const bool is_floor = std::ranges::any_of(all, [&](const Series& series) {
    return series.sum.is_baseline_engine && series.sum.engine == baseline;
  });
  if (is_floor) {
    return Nothing(result,
                   fmt::format("--baseline: {} keeps no store (LF_FLOOR), and is not ranked",
                               Quote(baseline)));
  }
  return Nothing(
      result,
      !is_there && !baseline.empty()
          ? fmt::format("--baseline: no engine of this result is called {}", Quote(baseline))
          : fmt::format("there is {} engine in this result; give a second result to compare it "
                        "with, or run two engines in one",
                        stores.empty() ? "no" : "one"));
}

StatusOr<std::vector<Comparison>> CompareWithin(const Result& result, const std::string& baseline,
                                                const ComparisonRules& rules) {
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<const Series*> stores = StoresOf(all);
  RETURN_IF_ERROR(CheckEngines(result, baseline));
  const auto first = BaselineAmong(stores, baseline);
  std::vector<Comparison> comparisons;
  for (const Series* const series : stores) {
    if (series == *first) continue;
    comparisons.push_back(CompareSeries(**first, *series, nullptr, rules));
    AddNotesOf(result, **first, comparisons.back());
    AddNotesOf(result, *series, comparisons.back());
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
    // The variants of a merged result had no rounds in common.
    const Sessions sessions = SessionsOf(result, all, *first, result, all, *candidate);
    comparisons.push_back(
        CompareSeries(*first, *candidate, result.machines.empty() ? nullptr : &sessions, rules));
    if (!result.machines.empty()) {
      if (sessions.differ.empty()) {
        comparisons.back().yardstick = BuildOf(*sessions.yardstick_after);
      } else {
        LeaveUnranked(comparisons.back());
      }
    }
    AddNotesOf(result, *first, comparisons.back());
    AddNotesOf(result, *candidate, comparisons.back());
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
    std::vector<Remark>& remarks = comparisons.back().remarks;
    for (const auto& [side, result] :
         {std::pair("baseline", &baseline), std::pair("candidate", &candidate)}) {
      if (!IsCutOff(*result)) continue;
      remarks.push_back({.kind = RemarkKind::kCutOff,
                         .texts = {{"side", side}, {"message", Printable(CutOffWords(*result))}}});
    }
    std::ranges::move(WhatDiffers(baseline, candidate), std::back_inserter(remarks));
    AddNotesOf(baseline, one, comparisons.back());
    AddNotesOf(candidate, other, comparisons.back());
  };
  const bool is_one_each = before.size() == 1 && after.size() == 1;
  if (is_one_each) add(*before.front(), *after.front());
  for (const Series* const one : before) {
    if (is_one_each) break;
    const auto same = std::ranges::find_if(after, [&](const Series* other) {
      return other->sum.engine == one->sum.engine &&
             other->sum.variant.name == one->sum.variant.name;
    });
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
          fmt::format("{} rounds cannot measure noise; at least {} are needed", workload.rounds,
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
