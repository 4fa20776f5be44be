#include "report/round_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "analysis/suspicious_rounds.h"
#include "base/quote.h"
#include "report/number.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// Where --precision decided how many rounds there were, whether it was reached.
std::string WhyItStopped(const Result& result, const std::vector<Series>& all) {
  const auto number = [&](const char* name) {
    const auto it =
        std::ranges::find(result.settings, name, &std::pair<std::string, std::string>::first);
    return it == result.settings.end() ? 0.0 : std::strtod(it->second.c_str(), nullptr);
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
  std::string text;
  for (const RoundMark& mark : marks) {
    text += fmt::format("{}round {} ({})", text.empty() ? "" : ", ",
                        series.rounds[mark.place]->round, mark.why);
  }
  return text;
}

// Those out of line, and those that something else on the machine disturbed.
std::vector<RoundMark> MarksOf(const Series& series, size_t phase, RoundRates rates) {
  std::vector<RoundMark> marks = OutOfLine(rates);
  if (!MedianError(rates)) return marks;  // Too few to look at any.
  for (size_t place = 0; place < series.rounds.size(); ++place) {
    const SharedList<PhaseResult>& phases = series.rounds[place]->phases;
    const bool is_marked = std::ranges::find(marks, place, &RoundMark::place) != marks.end();
    if (is_marked || !rates[place] || phase >= phases.size()) continue;
    if (!phases[phase].conditions || DisturbancesOf(*phases[phase].conditions).empty()) continue;
    marks.push_back({.place = place, .why = "disturbed"});
  }
  std::ranges::sort(marks, {}, &RoundMark::place);
  return marks;
}

// A figure of an engine that has something to be said of.
struct Marked {
  std::string workload;
  std::vector<RoundMark> marks;
  UnmarkedRounds without;
  double change = 0;  // Of the median, as a share, if they were left out.
};

std::string MarkedLine(const Series& series, const std::vector<Marked>& marked) {
  const Marked& most = *std::ranges::max_element(marked, {}, &Marked::change);
  std::vector<std::string> workloads;
  size_t rounds = 0;
  for (const Marked& figure : marked) {
    rounds += figure.marks.size();
    if (std::ranges::find(workloads, figure.workload) == workloads.end()) {
      workloads.push_back(figure.workload);
    }
  }
  const std::optional<Interval>& interval = most.without.interval;
  return Printable(fmt::format(
      "marked: {}, {} round{} ({}); they count above. {}{}: {}, without marked rounds it is {}{} "
      "(of {}).",
      series.sum.engine, rounds, rounds == 1 ? "" : "s", fmt::join(workloads, ", "),
      marked.size() > 1 ? "The most for " : "", most.workload, MarksText(most.marks, series),
      Rate(most.without.median),
      interval ? fmt::format(" [{}, {}]", Rate(interval->low), Rate(interval->high)) : "",
      most.without.rounds));
}

// What is to be said of all figures of an engine: a line for each thing.
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

}  // namespace

std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& all) {
  std::vector<std::string> notes;
  if (const std::string why = WhyItStopped(result, all); !why.empty()) notes.push_back(why);
  for (const Series& series : all) {
    if (!series.sum.floor) AddNotesOf(series, notes);
  }
  return notes;
}

}  // namespace levelfield
