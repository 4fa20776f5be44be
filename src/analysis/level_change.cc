#include "analysis/level_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/cost.h"
#include "analysis/series.h"
#include "base/number.h"
#include "base/quote.h"

namespace levelfield {
namespace {

// A figure moved if it is so much larger or smaller, and its rounds say so with this confidence: of
// so many figures, one in twenty would move by chance. A rate without a verdict changed if it is as
// far.
constexpr double kLeastMove = 0.05;
constexpr double kConfidence = 0.99;
constexpr size_t kLeastRounds = 3;  // Of both together: one round each says nothing of noise.

std::string Micros(double us) { return Latency(Whole(us * 1e3)); }
std::string Nanos(double ns) { return Latency(Whole(ns)); }
std::string Bytes(double bytes) { return Size(Whole(bytes)); }

// A figure of a phase that ended well. Totals are per operation: what ran for a time did more or
// fewer of them.
struct Figure {
  const char* name;
  Ratio Cost::*cost;
  std::string (*text)(double value);
  bool is_total = false;
};

constexpr Figure kFigures[] = {
    {"CPU/op", &Cost::cpu_us, Micros},
    {"CPU in the background", &Cost::background_share, Percent},
    {"written/put: calls", &Cost::write_calls, Significant},
    {"written/put: dirtied", &Cost::write_dirtied, Significant},
    {"written/put: device", &Cost::write_device, Significant},
    {"fetched/read", &Cost::read_device, Significant},
    {"space/held", &Cost::space, Significant},
    {"syncs/op", &Cost::sync_calls, Significant, true},
    {"seconds in syncs/op", &Cost::sync_seconds, Significant, true},
    {"faults that waited/op", &Cost::major_faults, Significant, true},
    {"preempted/op", &Cost::preempted, Significant, true},
    {"memory of its own", &Cost::anonymous_bytes, Bytes},
    {"cached at first", &Cost::cached_at_begin, Percent},
};

struct Percentile {
  const char* name;
  double p;
};
constexpr Percentile kPercentiles[] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}};

double OperationsOf(const PhaseResult& phase) {
  double operations = 0;
  for (const RoleResult& role : phase.roles) operations += static_cast<double>(role.Operations());
  return operations;
}

// A value for each round that ended well and has one.
template <class ValueIn>
std::vector<double> InRounds(const Series& series, size_t place, const ValueIn& value_in) {
  std::vector<double> values;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const phase = PhaseAt(*run, place);
    if (phase == nullptr || phase->outcome != Outcome::kOk) continue;
    if (const std::optional<double> value = value_in(*phase)) values.push_back(*value);
  }
  return values;
}

std::vector<double> ValuesOf(const Figure& figure, const Series& series, size_t place) {
  return InRounds(series, place, [&](const PhaseResult& phase) -> std::optional<double> {
    const std::optional<double> value = (CostOf(phase).*figure.cost).value;
    const double operations = OperationsOf(phase);
    if (!value || (figure.is_total && operations == 0)) return std::nullopt;
    return figure.is_total ? *value / operations : *value;
  });
}

std::vector<double> ValuesOf(const Percentile& percentile, const Series& series, size_t place) {
  return InRounds(series, place, [&](const PhaseResult& phase) -> std::optional<double> {
    const std::optional<uint64_t> ns = PercentileOf(&phase, percentile.p);
    return ns ? std::optional(static_cast<double>(*ns)) : std::nullopt;
  });
}

std::vector<double> LogarithmsOf(std::span<const double> values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return logarithms;
}

bool HasMoved(const std::vector<double>& before, const std::vector<double>& after) {
  const auto [least, most] = std::ranges::minmax(before);
  const auto [least_after, most_after] = std::ranges::minmax(after);
  if (least <= 0 || least_after <= 0) return most < least_after || most_after < least;
  const RateRatio ratio =
      CompareUnpaired(LogarithmsOf(before), LogarithmsOf(after), kLeastProcessPairs, kConfidence);
  const bool is_far = std::abs(std::log(ratio.ratio)) >= std::log1p(kLeastMove);
  const bool is_sure = !ratio.interval || ratio.interval->low > 1 || ratio.interval->high < 1;
  return is_far && is_sure;
}

// The place in the later plan of a row's workload, which is there so many times before it.
std::optional<size_t> PlaceOf(const std::string& workload, size_t times, const Series& series) {
  for (size_t i = 0; i < series.sum.phases.size(); ++i) {
    const PhaseResult& phase = series.sum.phases[i];
    if (phase.workload != workload || phase.implicit || phase.repetition.warm_up) continue;
    if (times-- == 0) return i;
  }
  return std::nullopt;
}

bool IsChanged(const ComparedWorkload& row) {
  if (!row.invalid.empty() || row.ratio.ratio <= 0) return false;
  if (row.not_comparable.empty() && row.verdict != Verdict::kIndicative) {
    return row.verdict == Verdict::kSlower || row.verdict == Verdict::kFaster;
  }
  return std::abs(std::log(row.ratio.ratio)) >= std::log1p(kLeastMove);
}

std::optional<TimeOfOperation> TimeIn(const ComparedWorkload& row, const PhaseResult& phase) {
  const bool is_known = row.baseline > 0 && row.candidate > 0 && row.baseline_cpu_us > 0 &&
                        row.candidate_cpu_us > 0 && row.baseline != row.candidate;
  // Of several roles, the rate is that of the first, and the processor time that of all.
  if (!is_known || phase.roles.size() != 1 || phase.roles.front().load) return std::nullopt;
  const double threads = 1e6 * static_cast<double>(phase.roles.front().threads);
  return TimeOfOperation{.before = threads / row.baseline,
                         .after = threads / row.candidate,
                         .cpu_before = row.baseline_cpu_us,
                         .cpu_after = row.candidate_cpu_us};
}

// Sorts the figures that both have into those that moved and those that did not.
void AddFigures(const Series& before, size_t place_before, const Series& after, size_t place_after,
                LevelChange& change) {
  const auto add = [&](const auto& figure, std::string (*text)(double)) {
    const std::vector<double> values = ValuesOf(figure, before, place_before);
    const std::vector<double> values_after = ValuesOf(figure, after, place_after);
    if (values.empty() || values_after.empty()) return;
    if (values.size() + values_after.size() < kLeastRounds) {
      change.has_few_rounds = true;
      return;
    }
    const FigureOfBoth both{
        .name = figure.name, .before = Median(values), .after = Median(values_after), .text = text};
    if (both.before == 0 && both.after == 0) return;
    (HasMoved(values, values_after) ? change.moved : change.as_before).push_back(both);
  };
  for (const Percentile& percentile : kPercentiles) add(percentile, Nanos);
  for (const Figure& figure : kFigures) add(figure, figure.text);
}

bool IsSame(const Finding& one, const Finding& other) {
  return one.rule == other.rule && one.engine == other.engine && one.workload == other.workload;
}

std::vector<Finding> FoundInFirstAlone(const std::vector<Finding>& first,
                                       const std::vector<Finding>& second) {
  std::vector<Finding> alone;
  for (const Finding& finding : first) {
    const bool is_in_both =
        std::ranges::any_of(second, [&](const Finding& other) { return IsSame(finding, other); });
    if (!is_in_both) alone.push_back(finding);
  }
  return alone;
}

const Series* SeriesNamed(const std::vector<Series>& all, const std::string& engine) {
  const auto it =
      std::ranges::find_if(all, [&](const Series& series) { return series.sum.engine == engine; });
  return it == all.end() ? nullptr : &*it;
}

void AddWorkloads(const Comparison& comparison, const Series& before, const Series& after,
                  LevelChanges& changes) {
  std::map<std::string, size_t> times;
  for (const ComparedWorkload& row : comparison.workloads) {
    const std::optional<size_t> place = PlaceOf(row.workload, times[row.workload]++, after);
    if (!place) continue;
    if (!IsChanged(row)) {
      changes.others.push_back(Printable(comparison.candidate + ", " + row.workload));
      continue;
    }
    LevelChange change{.engine = comparison.candidate, .compared = row};
    change.time = TimeIn(row, after.sum.phases[*place]);
    AddFigures(before, row.place, after, *place, change);
    changes.changed.push_back(std::move(change));
  }
}

}  // namespace

StatusOr<LevelChanges> ChangesBetween(const Result& before, const EngineOptions& options_before,
                                      const Result& after, const EngineOptions& options_after,
                                      double margin) {
  LevelChanges changes;
  ASSIGN_OR_RETURN(changes.comparisons, CompareAcross(before, after, {.margin = margin}));
  const std::vector<Series> all_before = SeriesOf(before);
  const std::vector<Series> all_after = SeriesOf(after);
  for (const Comparison& comparison : changes.comparisons) {
    const Series* const one = SeriesNamed(all_before, comparison.baseline);
    const Series* const other = SeriesNamed(all_after, comparison.candidate);
    if (one != nullptr && other != nullptr) AddWorkloads(comparison, *one, *other, changes);
  }
  const std::vector<Finding> found_before = Diagnose(before, options_before);
  const std::vector<Finding> found_after = Diagnose(after, options_after);
  changes.appeared = FoundInFirstAlone(found_after, found_before);
  changes.gone = FoundInFirstAlone(found_before, found_after);
  return changes;
}

}  // namespace levelfield
