#include "report/published/compared_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"

namespace levelfield {
namespace {

bool IsOf(const Result& result, const std::string& job) {
  return result.name == job || result.name.starts_with(job + ".");
}

// Its place among the phases. Nothing if it did not run so often.
std::optional<size_t> PlaceOf(const RunResult& run, const WorkloadOf& of) {
  uint64_t seen = 0;
  for (size_t i = 0; i < run.phases.size(); ++i) {
    const PhaseResult& phase = run.phases[i];
    if (phase.workload != of.workload || phase.implicit || phase.repetition.warm_up) continue;
    if (++seen == of.nth) return i;
  }
  return std::nullopt;
}

std::string WordsOf(const WorkloadOf& of) {
  return of.nth == 1 ? of.workload : fmt::format("{} ({}.)", of.workload, of.nth);
}

std::string WhyNot(const RunResult& run, const PhaseResult* phase) {
  const Outcome outcome = phase != nullptr ? phase->outcome : run.outcome;
  const std::string& message = phase != nullptr ? phase->message : run.message;
  std::string_view word = "no number";
  if (outcome == Outcome::kUnsupported) word = "unsupported";
  if (outcome == Outcome::kFailed) word = "failed";
  if (outcome == Outcome::kWrong) word = "wrong";
  if (outcome == Outcome::kInvalid) word = "void";
  if (outcome == Outcome::kNotRun) word = "not run";
  return message.empty() ? std::string(word) : fmt::format("{}: {}", word, message);
}

void TakeMiddleRound(const PhaseResult& middle, MeasuredFigure& figure) {
  figure.phase = middle;
  const RoleResult& role = middle.roles.front();
  double bytes = 0;
  for (const OperationStatistics& stats : role.statistics)
    bytes += static_cast<double>(stats.bytes);
  figure.micros = role.thread_seconds * 1e6 / static_cast<double>(role.Operations());
  figure.mebibytes_per_second = bytes / kMiB / role.seconds;
}

MeasuredFigure FigureOf(const Result& result, const Series& series, const WorkloadOf& of) {
  MeasuredFigure figure{.result = &result};
  figure.run = series.sum;
  figure.run.phases.clear();
  const std::optional<size_t> place = PlaceOf(series.sum, of);
  if (!place) {
    const bool ran = series.sum.outcome == Outcome::kOk;
    figure.is_missing = ran;
    figure.is_unsupported = series.sum.outcome == Outcome::kUnsupported;
    figure.why_not = ran ? fmt::format("missing: {} has no {}", of.job, WordsOf(of))
                         : WhyNot(series.sum, nullptr);
    return figure;
  }
  const PhaseResult& sum = series.sum.phases[*place];
  figure.rates = series.Rates(*place);
  const std::vector<double> present = Present(figure.rates);
  const PhaseResult* const middle = series.MiddleRound(*place);
  if (sum.outcome != Outcome::kOk || middle == nullptr) {
    figure.is_unsupported = sum.outcome == Outcome::kUnsupported;
    figure.why_not = WhyNot(series.sum, &sum);
    return figure;
  }
  figure.rate = Median(present);
  figure.interval = MedianInterval(present);
  TakeMiddleRound(*middle, figure);
  for (const RunResult* run : series.rounds) {
    const PhaseResult* const round = PhaseAt(*run, *place);
    if (round != nullptr && !DisturbancesOf(*round).empty()) ++figure.disturbed;
  }
  return figure;
}

constexpr double kMargin = 0.02;  // A difference that nobody minds, like the default of --margin.

// Published operations a second, or the same derived from another published figure.
void SetThen(const Published& published, const PublishedRow& row, ComparedCell& cell) {
  const auto of = [&](FigureUnit unit) -> double {
    for (size_t i = 0; i < cell.quoted.size(); ++i) {
      if (published.units[i] == unit && cell.quoted[i]) return cell.quoted[i]->value;
    }
    return 0;
  };
  const double micros = of(FigureUnit::kMicros);
  const double mebibytes = of(FigureUnit::kMebibytesPerSecond);
  if (const double ops = of(FigureUnit::kOpsPerSecond); ops > 0) {
    cell.then = ops;
  } else if (micros > 0) {
    cell.then = 1e6 / micros;
  } else if (mebibytes > 0 && row.bytes > 0) {
    cell.then = mebibytes * kMiB / row.bytes;
    cell.is_derived = true;
  }
}

std::string RatioText(const RateRatio& ratio) {
  if (!ratio.interval) return fmt::format("{} times", Significant(ratio.ratio));
  return fmt::format("{} times, {} to {}", Significant(ratio.ratio),
                     Significant(ratio.interval->low), Significant(ratio.interval->high));
}

// How the pairs turned out, in the words of OrderOf.
struct Pairs {
  std::vector<std::string> changed;
  std::vector<std::string> undecided;
  bool is_indicative = false;
};

void AddPair(const ComparedCell& first, const ComparedCell& second, double confidence,
             Pairs& pairs) {
  const RateRatio ratio = CompareFigures(second.own, first.own, confidence);
  const Verdict verdict = Judge(ratio, kMargin, 0);
  const bool is_indicative = verdict == Verdict::kIndicative;
  pairs.is_indicative = pairs.is_indicative || is_indicative;
  if (verdict == Verdict::kSlower || (is_indicative && ratio.ratio < 1)) {
    pairs.changed.push_back(
        fmt::format("{} before {} ({})", second.name, first.name, RatioText(Inverse(ratio))));
  } else if (verdict != Verdict::kFaster && !is_indicative) {
    pairs.undecided.push_back(
        fmt::format("{} and {} ({})", first.name, second.name, RatioText(ratio)));
  }
}

}  // namespace

MeasuredFigures::MeasuredFigures(const std::vector<Result>& results) {
  for (const Result& result : results) results_.push_back({&result, SeriesOf(result)});
}

MeasuredFigure MeasuredFigures::Find(const WorkloadOf& of, std::string_view engine) const {
  MeasuredFigure missing;
  missing.is_missing = true;
  missing.why_not = fmt::format("missing: no result of {}", of.job);
  for (const OfResult& one : results_) {
    if (!IsOf(*one.result, of.job)) continue;
    missing.why_not = fmt::format("missing: {} was run without {}", of.job, engine);
    for (const Series& series : one.series) {
      if (EngineName(series.sum.engine) == engine) return FigureOf(*one.result, series, of);
    }
  }
  return missing;
}

std::vector<std::string> MeasuredFigures::EnginesOf(const std::string& job) const {
  std::vector<std::string> engines;
  for (const OfResult& one : results_) {
    if (!IsOf(*one.result, job)) continue;
    for (const Series& series : one.series) {
      const std::string engine = EngineName(series.sum.engine);
      if (!series.sum.is_baseline_engine) AddOnce(engines, engine);
    }
  }
  return engines;
}

RateRatio CompareFigures(const MeasuredFigure& baseline, const MeasuredFigure& candidate,
                         double confidence) {
  if (baseline.result != candidate.result || baseline.rates.size() != candidate.rates.size()) {
    return {.ratio = Median(Present(candidate.rates)) / Median(Present(baseline.rates)),
            .interval = std::nullopt};
  }
  const PairedValues pairs = Paired(baseline.rates, candidate.rates);
  return ComparePaired(pairs.first, pairs.second, confidence);
}

std::vector<ComparedCell> CompareRow(const Published& published, const PublishedRow& row,
                                     const MeasuredFigures& figures) {
  std::vector<ComparedCell> cells;
  std::vector<std::string> jobs;
  const auto job_of = [&](const PublishedColumn& column) {
    return column.job.empty() ? row.job : column.job;
  };
  for (const PublishedColumn& column : published.columns) {
    const std::string job = job_of(column);
    AddOnce(jobs, job);
    ComparedCell cell{.name = column.name,
                      .own = figures.Find({job, row.workload, row.nth}, column.engine),
                      .is_again = column.is_again};
    if (const auto it = row.figures.find(column.id); it != row.figures.end()) {
      cell.quoted = it->second;
    }
    if (cell.quoted.empty() && (cell.own.is_missing || cell.is_again)) continue;
    SetThen(published, row, cell);
    cells.push_back(std::move(cell));
  }
  for (const std::string& job : jobs) {
    for (const std::string& engine : figures.EnginesOf(job)) {
      const bool is_column = std::ranges::any_of(published.columns, [&](const auto& column) {
        return column.engine == engine && job_of(column) == job;
      });
      if (is_column) continue;
      cells.push_back({.name = jobs.size() == 1 ? engine : fmt::format("{} ({})", engine, job),
                       .own = figures.Find({job, row.workload, row.nth}, engine)});
    }
  }
  return cells;
}

RowOrder OrderOf(const std::vector<ComparedCell>& cells) {
  std::vector<const ComparedCell*> order;
  for (const ComparedCell& cell : cells) {
    if (cell.IsCompared()) order.push_back(&cell);
  }
  if (order.size() < 2) return {};
  const auto then = [](const ComparedCell& cell) { return *cell.then; };
  std::ranges::stable_sort(order, std::greater(), [&](const auto* cell) { return then(*cell); });
  const double confidence = ConfidenceOfEach(order.size() * (order.size() - 1) / 2);
  Pairs pairs;
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i + 1; j < order.size(); ++j) {
      if (then(*order[i]) > then(*order[j])) AddPair(*order[i], *order[j], confidence, pairs);
    }
  }
  if (pairs.changed.empty() && pairs.undecided.empty() && !pairs.is_indicative) {
    return {.is_same = true, .text = ""};
  }
  std::vector<std::string> parts;
  if (!pairs.changed.empty()) {
    parts.push_back((pairs.is_indicative ? "Here another order: " : "**The order changed**: ") +
                    fmt::format("{}", fmt::join(pairs.changed, "; ")));
  } else if (pairs.undecided.empty()) {
    parts.emplace_back("The same order");
  }
  if (!pairs.undecided.empty()) {
    parts.push_back(fmt::format("undecided here: {}", fmt::join(pairs.undecided, "; ")));
  }
  const std::string text = fmt::format(
      "{}{}", fmt::join(parts, "; "),
      pairs.is_indicative ? " (indicative: too few rounds of one result for an interval)." : ".");
  return {.is_same = false, .text = text};
}

}  // namespace levelfield
