#include "report/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>

#include "analysis/comparison.h"
#include "analysis/read_ahead.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/result.h"

namespace levelfield {
namespace {

// If --precision decided the number of rounds: whether the precision was reached.
std::string WhyItStopped(const Result& result, const std::vector<Series>& all) {
  const auto number = [&](const char* name) {
    return std::strtod(SettingOf(result, name).c_str(), nullptr);
  };
  const double precision = number("precision");
  if (precision <= 0) return "";
  size_t rounds = 0;
  bool is_precise = true;
  for (const Series& series : all) {
    rounds = std::max(rounds, series.rounds.size());
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const std::vector<double> rates = Present(series.Rates(i));
      if (series.sum.phases[i].implicit || rates.empty()) continue;
      is_precise = is_precise && IsPrecise(rates, precision);
    }
  }
  if (is_precise) {
    return fmt::format("stopped after {} rounds: every median is known to {:.3g} %", rounds,
                       100 * precision);
  }
  return fmt::format("stopped {} {} rounds: not every median is known to {:.3g} %",
                     static_cast<double>(rounds) >= number("repeat_most")
                         ? "at --repeat_most, after"
                         : "early, after",
                     rounds, 100 * precision);
}

std::string MarksText(const std::vector<RoundMark>& marks, const Series& series) {
  std::vector<std::string> texts;
  for (const RoundMark& mark : marks) {
    texts.push_back(fmt::format("round {} ({})", series.rounds[mark.place]->round, mark.why));
  }
  return Joined(texts, ", ");
}

// Rounds that are out of line, and rounds that something else on the machine disturbed.
std::vector<RoundMark> MarksOf(const Series& series, size_t phase, RoundRates rates) {
  std::vector<RoundMark> marks = OutOfLine(rates);
  if (!MedianError(rates)) return marks;  // Too few rounds to mark any.
  for (size_t place = 0; place < series.rounds.size(); ++place) {
    const PhaseResult* const round = PhaseAt(*series.rounds[place], phase);
    const bool is_marked = std::ranges::find(marks, place, &RoundMark::place) != marks.end();
    if (is_marked || !rates[place] || round == nullptr || DisturbancesOf(*round).empty()) continue;
    marks.push_back({.place = place, .why = "disturbed"});
  }
  std::ranges::sort(marks, {}, &RoundMark::place);
  return marks;
}

// A figure with marked rounds.
struct Marked {
  std::string workload;
  std::vector<RoundMark> marks;
  UnmarkedRounds without;
  double change = 0;  // The change of the median without them, as a share.
};

std::string MarkedLine(const Series& series, const std::vector<Marked>& marked) {
  const Marked& most = *std::ranges::max_element(marked, {}, &Marked::change);
  std::vector<std::string> workloads;
  size_t rounds = 0;
  for (const Marked& figure : marked) {
    rounds += figure.marks.size();
    AddOnce(workloads, figure.workload);
  }
  const std::optional<Interval>& interval = most.without.interval;
  return Printable(fmt::format(
      "marked: {}, {} ({}); they count above. {}{}: {}, without marked rounds it is {}{} "
      "(of {}).",
      series.sum.engine, Plural(rounds, "round"), fmt::join(workloads, ", "),
      marked.size() > 1 ? "The most for " : "", most.workload, MarksText(most.marks, series),
      Rate(most.without.median),
      interval ? fmt::format(" [{}, {}]", Rate(interval->low), Rate(interval->high)) : "",
      most.without.rounds));
}

// The notes on all figures of an engine: a line for each kind.
void AddNotesOf(const Series& series, std::vector<std::string>& notes) {
  std::vector<Marked> marked;
  std::vector<std::string> unstable;
  for (size_t i = 0; i < series.sum.phases.size(); ++i) {
    const PhaseResult& phase = series.sum.phases[i];
    if (phase.implicit || phase.outcome != Outcome::kOk) continue;
    const std::vector<std::optional<double>> rates = series.Rates(i);
    std::vector<RoundMark> marks = MarksOf(series, i, rates);
    if (const auto without = WithoutMarked(rates, marks)) {
      marked.push_back({.workload = phase.workload,
                        .marks = std::move(marks),
                        .without = *without,
                        .change = std::abs(without->median / Median(Present(rates)) - 1)});
    }
    const std::optional<double> error = MedianError(rates);
    if (error && *error >= kUnstable) {
      unstable.push_back(fmt::format("{} {:.1f} %", phase.workload, 100 * *error));
    }
  }
  if (!marked.empty()) notes.push_back(MarkedLine(series, marked));
  if (unstable.empty()) return;
  notes.push_back(Printable(
      fmt::format("unstable: {}: half of the rounds are so far from the median, or further: {}.",
                  series.sum.engine, fmt::join(unstable, ", "))));
}

std::string Nanoseconds(double ns) { return Latency(Whole(ns + 0.5)); }

// The phases in which an engine is not much slower than the overhead.
std::string TooNear(const Result& result, const Overhead& null) {
  std::string said;
  for (const RunResult& run : result.runs) {
    if (run.is_baseline_engine) continue;
    for (const PhaseResult& phase : run.phases) {
      const std::optional<double> ns = OperationNs(phase);
      const std::optional<double> overhead = NsOf(null, phase.workload);
      if (!ns || !overhead || phase.implicit || *ns >= kLeastTimesOverhead * *overhead) continue;
      said +=
          fmt::format("{}{} of {} ({} times)", said.empty() ? "" : ", ", Printable(phase.workload),
                      Printable(run.engine), fmt::format("{:.1f}", *ns / *overhead));
    }
  }
  return said;
}

}  // namespace

std::string_view WhyNotApplied(const RunResult& run, std::string_view setting) {
  const std::string words = fmt::format(": {} does not apply", setting);
  const auto note = std::ranges::find_if(
      run.notes, [&](const std::string& one) { return one.find(words) != one.npos; });
  return note == run.notes.end() ? std::string_view() : *note;
}

std::vector<RoundMark> OutOfLine(RoundRates rates) {
  constexpr double kMostDistances = 14.83;
  // Rates that are equal except for rounding have no typical distance to compare with.
  constexpr double kLeastDistance = 1e-6;
  const std::vector<double> present = Present(rates);
  if (present.size() < kLeastRepetitions) return {};
  const double median = Median(present);
  std::vector<double> distances;
  for (const double rate : present) distances.push_back(std::abs(rate - median));
  const double most = kMostDistances * std::max(Median(distances), kLeastDistance * median);
  std::vector<RoundMark> marks;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (!rates[i] || std::abs(*rates[i] - median) <= most) continue;
    const bool is_slow_first = i == 0 && *rates[i] < median;
    marks.push_back(
        {.place = i,
         .why = fmt::format("{}{:.3g} times the median",
                            is_slow_first ? "the first one, and slow: " : "", *rates[i] / median)});
  }
  return marks;
}

std::optional<UnmarkedRounds> WithoutMarked(RoundRates rates, const std::vector<RoundMark>& marks) {
  if (marks.empty()) return std::nullopt;
  std::vector<double> unmarked;
  for (size_t i = 0; i < rates.size(); ++i) {
    if (rates[i] && std::ranges::find(marks, i, &RoundMark::place) == marks.end()) {
      unmarked.push_back(*rates[i]);
    }
  }
  if (unmarked.empty()) return std::nullopt;
  return UnmarkedRounds{
      .rounds = unmarked.size(), .median = Median(unmarked), .interval = MedianInterval(unmarked)};
}

std::optional<double> MedianError(RoundRates rates) {
  const std::vector<double> present = Present(rates);
  if (present.size() < kLeastRepetitions) return std::nullopt;
  const double median = Median(present);
  std::vector<double> errors;
  for (const double rate : present) errors.push_back(std::abs(rate - median) / rate);
  return Median(errors);
}

std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& all) {
  std::vector<std::string> notes;
  if (const std::string why = WhyItStopped(result, all); !why.empty()) notes.push_back(why);
  if (const std::string early = EndedEarly(result); !early.empty()) notes.push_back(early);
  std::ranges::move(RestsOfFills(result), std::back_inserter(notes));
  const std::string read_ahead = ReadAheadWords(result, StoresOf(all));
  if (!read_ahead.empty()) notes.push_back(Printable(read_ahead));
  for (const Series& series : all) {
    if (!series.sum.is_baseline_engine) AddNotesOf(series, notes);
  }
  return notes;
}

bool EndedBefore(const PhaseResult& phase, double duration) {
  constexpr double kNearly = 0.95;
  if (phase.outcome != Outcome::kOk || phase.roles.empty()) return false;
  if (phase.implicit || phase.repetition.warm_up) return false;
  const RoleResult& role = phase.roles[0];
  const bool is_once = role.Operations() <= role.threads;  // Such as `compact`.
  return !is_once && role.seconds < kNearly * duration;
}

namespace {

// The --duration that the run had, in seconds.
double DurationOf(const Result& result, const RunResult& run) {
  const std::string of_variant = TextIn(run.variant.settings, "duration");
  return std::strtod((of_variant.empty() ? SettingOf(result, "duration") : of_variant).c_str(),
                     nullptr);
}

bool IsAsked(const PhaseResult& phase) {
  return phase.outcome == Outcome::kOk && !phase.implicit && !phase.repetition.warm_up;
}

}  // namespace

std::string EndedEarly(const Result& result) {
  // By workload, in their order: the series that ran it, and whether every time of it ended early.
  std::vector<std::pair<std::string, std::map<std::string, bool>>> all;
  for (const RunResult& run : result.runs) {
    if (run.is_baseline_engine) continue;
    const std::string series = RunName(run.engine, run.variant);
    for (const PhaseResult& phase : run.phases) {
      if (!IsAsked(phase)) continue;
      auto it = std::ranges::find(all, phase.workload, [](const auto& one) { return one.first; });
      if (it == all.end()) {
        all.emplace_back(phase.workload, std::map<std::string, bool>());
        it = all.end() - 1;
      }
      const bool is_early = EndedBefore(phase, DurationOf(result, run));
      const auto [at, is_new] = it->second.emplace(series, is_early);
      at->second = at->second && is_early;
    }
  }
  std::vector<std::string> names;
  for (const auto& [workload, series] : all) {
    std::vector<std::string> early;
    for (const auto& [name, is_early] : series) {
      if (is_early) early.push_back(Printable(name));
    }
    if (early.empty()) continue;
    names.push_back(Printable(workload) +
                    (early.size() == series.size() ? "" : fmt::format(" ({})", Listed(early))));
  }
  if (names.empty()) return "";
  return fmt::format("Ended before --duration, with all operations done: {}.", Listed(names));
}

std::vector<std::string> RestsOfFills(const Result& result) {
  const std::vector<Series> all = SeriesOf(result);
  const Result sums = SumsOf(result, all);
  std::vector<std::string> lines;
  for (size_t place = 0; place < PlacesIn(sums); ++place) {
    std::vector<std::string> engines;
    for (const Series& series : all) {
      std::vector<double> shares;
      std::vector<double> seconds;
      for (const RunResult* const run : series.rounds) {
        const PhaseResult* const phase = PhaseAt(*run, place);
        if (phase == nullptr || !phase->rest || phase->roles.empty()) continue;
        uint64_t done = 0;
        for (const RoleResult& role : phase->roles) {
          if (role.name == phase->rest->role) done = role.Operations();
        }
        shares.push_back(static_cast<double>(done) /
                         static_cast<double>(done + phase->rest->operations));
        seconds.push_back(phase->rest->seconds);
      }
      if (shares.empty()) continue;
      engines.push_back(Printable(fmt::format("{} after {:.0f} %, {:.1f} s",
                                              RunName(series.sum.engine, series.sum.variant),
                                              100 * Median(shares), Median(seconds))));
    }
    if (engines.empty()) continue;
    lines.push_back(fmt::format(
        "--duration ended {}; the rest was written unmeasured, for the workloads behind it: {}.",
        Printable(NamedAt(sums, place)->workload), Joined(engines, "; ")));
  }
  return lines;
}

void Disturbed::Add(const RunResult& run) {
  constexpr size_t kMostNamed = 8;
  if (run.is_baseline_engine) return;
  for (const PhaseResult& phase : run.phases) {
    if (phase.outcome != Outcome::kOk || !phase.conditions || phase.implicit) continue;
    ++measurements;
    const std::vector<std::string> said = DisturbancesOf(phase);
    if (said.empty()) continue;
    ++disturbed;
    if (said.size() > worst.size()) worst = said;
    const bool is_new = workloads.insert(phase.workload).second;
    if (is_new && first.size() < kMostNamed) first.push_back(phase.workload);
  }
}

std::vector<std::string> DisturbedLines(const std::vector<Series>& series) {
  std::vector<std::string> lines;
  for (const Series& of_engine : series) {
    Disturbed sum;
    for (const RunResult* run : of_engine.rounds) sum.Add(*run);
    if (sum.disturbed == 0) continue;
    std::string names = Joined(sum.first, ", ");
    if (const size_t more = sum.workloads.size() - sum.first.size(); more > 0) {
      names += fmt::format(", and {} more", more);
    }
    lines.push_back(Printable(fmt::format("~ disturbed: {}, {} of {} measurements ({}); {}.",
                                          of_engine.sum.engine, sum.disturbed, sum.measurements,
                                          names, fmt::join(sum.worst, "; "))));
  }
  return lines;
}

std::vector<std::string> OverheadLines(const Result& result) {
  std::vector<std::string> lines;
  for (const Overhead& overhead : OverheadsOf(result)) {
    if (overhead.workload_ns.empty()) continue;
    std::vector<std::string> costs;
    for (const auto& [workload, ns] : overhead.workload_ns) {
      costs.push_back(Printable(workload) + " " + Nanoseconds(ns));
    }
    std::string line = fmt::format("overhead of the harness, an operation of {} ({}, {} keys): {}",
                                   Printable(overhead.engine),
                                   overhead.engine == "null" ? "does nothing" : "an ordered map",
                                   Grouped(overhead.keys), fmt::join(costs, ", "));
    if (overhead.clock_ns > 0 && overhead.engine == "null") {
      line += fmt::format("; {} of it reads the clock", Nanoseconds(overhead.clock_ns));
    }
    lines.push_back(line + ".");
    if (overhead.engine != "null") continue;
    const std::string near = TooNear(result, overhead);
    if (near.empty()) continue;
    lines.push_back(fmt::format(
        "less than {:.0f} times that overhead, so the harness is a large part of the figure: {}.",
        kLeastTimesOverhead, near));
  }
  return lines;
}

}  // namespace levelfield
